#include "core/capacity_law.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/empirical_risk.hpp"
#include "core/killed_queue.hpp"
#include "core/processing_law.hpp"
#include "core/quadrature.hpp"
#include "core/text.hpp"
#include "core/ties.hpp"

namespace coterie {
namespace {

/// A law known by its survival up to a limit; beyond it, the interruption alone, which comes no sooner, replaces it.
class ComputedRisk : public Risk {
 public:
  ComputedRisk(RiskPtr interruption, double limit) : interruption_(std::move(interruption)), limit_(limit) {}

  double probability(double work) const override { return 1 - survival(work); }
  double survival(double work) const override {
    if (!(work > 0)) return 1;
    const double least = interruption_->survival(work);  // a capacity is never more than the time
    return std::clamp(lives_on(std::min(work, limit_)), 0.0, least);
  }
  double quantile(double u) const override {
    if (u > probability(limit_)) return std::max(limit_, interruption_->quantile(u));
    double low = 0;
    double high = limit_;
    for (int step = 0; step < 100 && low < high; ++step) {
      const double middle = low + (high - low) / 2;
      (probability(middle) >= u ? high : low) = middle;
    }
    return high;
  }
  std::string text() const override { return fmt::format("capacity({})", interruption_->text()); }

 protected:
  const Risk& interruption() const { return *interruption_; }

 private:
  virtual double lives_on(double work) const = 0;

  RiskPtr interruption_;
  double limit_;
};

/// Interrupted at a mixture of exponential times.
class MarkovRisk final : public ComputedRisk {
 public:
  using Parts = std::vector<std::pair<double, KilledQueue>>;  // probability, chain
  MarkovRisk(RiskPtr interruption, double limit, Parts parts)
      : ComputedRisk(std::move(interruption), limit), parts_(std::move(parts)) {}

 private:
  double lives_on(double work) const override {
    double sum = 0;
    for (const auto& [probability, queue] : parts_) sum += probability * queue.survival(work);
    return sum;
  }

  Parts parts_;
};

constexpr unsigned kQuadratureDepth = 6;    // of integrals over a part of the times
constexpr double kQuadratureError = 1e-12;  // of probabilities

/// Adds times that split ]from, to[ into parts over which the density can be integrated: its integral is the
/// probability there, up to `close`. False if there are too many.
bool add_cuts(const Risk& risk, double from, double to, double close, std::vector<double>& cuts) {
  constexpr double kRounding = 1e-15;
  constexpr std::size_t kMost = 400;
  const double at_from = risk.survival(from);
  const double at_to = risk.survival(to);
  const double found =
      integral_within([&](double time) { return risk.density(time); }, from, to, kQuadratureDepth, kQuadratureError);
  if (std::abs(found - (at_from - at_to)) <= std::max(close, kRounding)) return true;
  double cut = risk.quantile(1 - (at_from + at_to) / 2);
  if (!(cut > from && cut < to)) cut = from + (to - from) / 2;
  if (!(cut > from && cut < to) || cuts.size() >= kMost) return false;
  cuts.push_back(cut);
  return add_cuts(risk, from, cut, close / 2, cuts) && add_cuts(risk, cut, to, close / 2, cuts);
}

/// Sorts the ends of parts, and the cuts of each among them. False if some part would need too many.
bool refine(const Risk& risk, std::vector<double>& ends) {
  constexpr double kClose = 1e-11;
  std::sort(ends.begin(), ends.end());
  bool resolved = true;
  std::vector<double> cuts;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    if (ends[i + 1] > ends[i]) resolved = add_cuts(risk, ends[i], ends[i + 1], kClose, cuts) && resolved;
  ends.insert(ends.end(), cuts.begin(), cuts.end());
  std::sort(ends.begin(), ends.end());
  return resolved;
}

/// P(capacity >= w) = integral of P(V(t) >= w) over the law of the interruption time t.
class AveragedRisk final : public ComputedRisk {
 public:
  AveragedRisk(RiskPtr interruption, double limit, ProcessingLaw law, double longest)
      : ComputedRisk(std::move(interruption), limit), law_(std::move(law)), longest_(longest) {}

 private:
  double lives_on(double work) const override {
    // From `sure` on, the slowest speed that matters has done it.
    const double sure = std::min(longest_, work * static_cast<double>(law_.speeds()));
    if (const EmpiricalRisk* empirical = interruption().steps()) return sum_over(*empirical, work);
    double sum = interruption().survival(sure);
    std::vector<double> cuts = {work, sure};
    for (double j = 2; j * work < sure; ++j) cuts.push_back(j * work);
    for (const double time : interruption().breaks())
      if (time > work && time < sure) cuts.push_back(time);
    refine(interruption(), cuts);
    const auto mass = [&](double time) { return law_.done_by(time, work) * interruption().density(time); };
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      if (cuts[i + 1] > cuts[i]) sum += integral_within(mass, cuts[i], cuts[i + 1], kQuadratureDepth, kQuadratureError);
    return sum;
  }

  double sum_over(const EmpiricalRisk& risk, double work) const {
    double sum = 1 - risk.cumulative().back();
    double before = 0;
    for (std::size_t i = 0; i < risk.jumps().size(); ++i) {
      const double mass = risk.cumulative()[i] - before;
      before = risk.cumulative()[i];
      if (risk.jumps()[i] > 0) sum += mass * law_.done_by(just_after(risk.jumps()[i]), work);
    }
    return sum;
  }

  ProcessingLaw law_;
  double longest_;
};

RiskPtr markov_risk(const RiskPtr& interruption, const BackgroundLaw& jobs, double limit) {
  MarkovRisk::Parts parts;
  for (const auto& [probability, rate] : interruption->exponentials()) {
    if (!(probability > 0)) continue;
    constexpr double kLongest = 30;  // mean times; a life is longer with probability e^-30
    auto queue = KilledQueue::make(jobs, rate, std::min(limit, kLongest / rate));
    if (!queue) return nullptr;
    parts.emplace_back(probability, *std::move(queue));
  }
  if (parts.empty()) return nullptr;
  return std::make_shared<MarkovRisk>(interruption, limit, std::move(parts));
}

/// How many cuts probabilities need that are not breaks of the law; nothing if too many.
std::optional<std::size_t> cuts_needed(const Risk& risk, double longest, std::size_t speeds) {
  const double first = longest / static_cast<double>(2 * speeds);
  std::vector<double> ends = {first, longest};
  for (const double time : risk.breaks())
    if (time > first && time < longest) ends.push_back(time);
  const std::size_t breaks = ends.size();
  if (!refine(risk, ends)) return std::nullopt;
  return ends.size() - breaks;
}

RiskPtr averaged_risk(const RiskPtr& interruption, const BackgroundLaw& jobs, double limit) {
  constexpr double kTail = 1e-11;          // of interruption times that are left out
  constexpr double kMostOperations = 2e7;  // for a probability
  constexpr std::size_t kMostJumps = 200;  // of a trace
  const EmpiricalRisk* empirical = interruption->steps();
  if (empirical != nullptr && empirical->jumps().size() > kMostJumps) return nullptr;
  const double horizon = empirical != nullptr ? just_after(empirical->jumps().back()) : interruption->horizon();
  const double longest = std::isfinite(horizon) ? horizon : interruption->quantile(1 - kTail);
  if (!std::isfinite(longest) || !(longest > 0)) return nullptr;
  if (empirical == nullptr && std::isnan(interruption->density(longest / 2))) return nullptr;
  auto law = ProcessingLaw::make(jobs, longest);
  if (!law) return nullptr;
  const auto cuts =
      empirical == nullptr ? cuts_needed(*interruption, longest, law->speeds()) : std::optional<std::size_t>(0);
  if (!cuts) return nullptr;
  const double nodes = empirical != nullptr ? static_cast<double>(empirical->jumps().size())
                                            : 62 * static_cast<double>(law->speeds() + *cuts);
  if (law->cost() * nodes > kMostOperations) return nullptr;
  return std::make_shared<AveragedRisk>(interruption, limit, *std::move(law), longest);
}

}  // namespace

RiskPtr exact_capacity_risk(const RiskPtr& interruption, const BackgroundLaw& jobs, double limit) {
  const bool never_changes = jobs.arrival == 0 && (jobs.initial == 0 || jobs.service == 0);
  if (never_changes && jobs.initial == 0) return interruption;
  if (never_changes) return hastened(interruption, static_cast<double>(jobs.initial + 1));
  if (const RiskPtr markov = markov_risk(interruption, jobs, limit)) return markov;
  return averaged_risk(interruption, jobs, limit);
}

}  // namespace coterie
