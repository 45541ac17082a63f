#include "core/empirical_risk.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/infinity.hpp"
#include "core/ties.hpp"

namespace coterie {
namespace {

std::size_t buckets_for(std::size_t jumps) { return std::clamp<std::size_t>(4 * jumps, 64, 1 << 18); }

/// Exponent and mantissa of a time >= 0 (or -0), which increase with it.
std::uint64_t bits(double time) { return std::bit_cast<std::uint64_t>(time + 0.0); }

}  // namespace

EmpiricalRisk::EmpiricalRisk(std::vector<double> durations, std::string text, double rounding)
    : rounding_(rounding), text_(std::move(text)) {
  if (durations.empty()) throw InputError("an empirical risk needs at least one duration");
  std::sort(durations.begin(), durations.end());
  if (!(durations.front() >= 0) || !std::isfinite(durations.back()))
    throw InputError("the durations of an empirical risk must be finite and not negative");
  const auto count = static_cast<double>(durations.size());
  for (std::size_t i = 0; i < durations.size(); ++i) {
    if (i + 1 < durations.size() && durations[i + 1] == durations[i]) continue;
    jumps_.push_back(durations[i]);
    cumulative_.push_back(static_cast<double>(i + 1) / count);
    equal_.resize(i + 1, durations[i]);
  }
  index();
}

EmpiricalRisk::EmpiricalRisk(StepLaw law, std::string text)
    : jumps_(std::move(law.times)), rounding_(law.rounding), text_(std::move(text)) {
  const std::vector<double>& weights = law.weights;
  if (jumps_.empty() || jumps_.size() != weights.size())
    throw InputError("an empirical risk needs as many weights as durations, and at least one");
  double sum = 0;
  for (std::size_t i = 0; i < jumps_.size(); ++i) {
    const bool ordered = i == 0 ? jumps_[0] >= 0 : jumps_[i] > jumps_[i - 1];
    if (!ordered || !std::isfinite(jumps_[i]) || !(weights[i] > 0))
      throw InputError("an empirical risk needs strictly increasing durations and positive weights");
    sum += weights[i];
    cumulative_.push_back(std::min(sum, 1.0));
  }
  if (sum > 1 + 1e-9) throw InputError("the weights of an empirical risk must not sum to more than 1");
  if (sum >= kWholeLaw) cumulative_.back() = 1;  // sums of many weights round
  index();
}

StepLaw EmpiricalRisk::law() const {
  StepLaw law{.rounding = rounding_};
  double before = 0;
  for (std::size_t i = 0; i < jumps_.size(); ++i) {
    const double weight = cumulative_[i] - std::exchange(before, cumulative_[i]);
    if (weight > 0) law.add(jumps_[i], weight);
  }
  return law;
}

RiskPtr EmpiricalRisk::in_unit(double unit) const {
  return std::make_shared<EmpiricalRisk>(law().in_unit(unit), text_);
}

void EmpiricalRisk::index() {
  steps_.reserve(jumps_.size() + 1);
  for (std::size_t i = 0; i < jumps_.size(); ++i)
    steps_.push_back({just_after(jumps_[i]), i == 0 ? 0 : cumulative_[i - 1]});
  steps_.push_back({kInfinity, cumulative_.back()});
  const std::size_t buckets = buckets_for(jumps_.size());
  const double first = jumps_.front() > 0 || jumps_.size() == 1 ? jumps_.front() : jumps_[1];
  const auto bucket_of = [&](double time) { return bits(just_after(time)) >> time_shift_; };
  for (time_shift_ = 0; time_shift_ < 62; ++time_shift_)
    if (bucket_of(jumps_.back()) - bucket_of(first) < buckets) break;
  first_bucket_ = bucket_of(first);
  by_time_.assign(bucket_of(jumps_.back()) - first_bucket_ + 1, 0);
  // by_time_[b]: the first jump that is not before bucket b; the search goes on from there.
  std::size_t jump = 0;
  for (std::size_t b = 1; b < by_time_.size(); ++b) {
    while (bucket_of(jumps_[jump]) < first_bucket_ + b) ++jump;
    by_time_[b] = static_cast<std::uint32_t>(jump);
  }
  by_probability_.assign(buckets + 2, 0);
  jump = 0;
  for (std::size_t b = 0; b < by_probability_.size(); ++b) {
    const double begin = (static_cast<double>(b) - 1) / static_cast<double>(buckets);
    while (jump < jumps_.size() && cumulative_[jump] < begin) ++jump;
    by_probability_[b] = static_cast<std::uint32_t>(jump);
  }
}

StepsView EmpiricalRisk::view() const {
  static_assert(sizeof(Step) == 2 * sizeof(double));
  return {&steps_.front().end, by_time_.data(), first_bucket_, by_time_.size(), time_shift_};
}

double EmpiricalRisk::probability(double t) const {
  if (!(t > steps_.front().end)) return 0;
  if (t > steps_[jumps_.size() - 1].end) return cumulative_.back();
  const std::uint64_t bucket = bits(t) >> time_shift_;
  const Step* step = steps_.data() + by_time_[bucket > first_bucket_ ? bucket - first_bucket_ : 0];
  step += t > step->end ? 1 : 0;  // often just one: without a branch
  while (t > step->end) ++step;
  return step->before;
}

double EmpiricalRisk::quantile(double u) const {
  if (u > cumulative_.back()) return kInfinity;
  if (u <= 0) return jumps_.front();
  const auto buckets = static_cast<double>(by_probability_.size() - 2);
  const Step* step = steps_.data() + by_probability_[static_cast<std::size_t>(u * buckets)];
  step += step[1].before < u ? 1 : 0;  // without a branch, because it would be hard to predict
  while (step[1].before < u) ++step;
  return jumps_[static_cast<std::size_t>(step - steps_.data())];
}

// Of durations of equal weight it is the first i with (i + 1) / count >= u, both sides as they are rounded: since
// rounding keeps order, i is floor(u count) or, where a quotient is rounded up to u, the one before.
void EmpiricalRisk::sample(std::span<const double> uniforms, std::span<double> times) const {
  if (!equal_.empty() && equal_.size() < std::size_t{1} << 31) {
    vector_loops().draw_equally(equal_.data(), equal_.size(), uniforms.data(), uniforms.size(), times.data());
    return;
  }
  for (std::size_t i = 0; i < uniforms.size(); ++i) times[i] = quantile(uniforms[i]);
}

void EmpiricalRisk::probabilities(std::span<const double> times, std::span<double> probabilities) const {
  vector_loops().find_steps(view(), times.data(), times.size(), probabilities.data());
}

}  // namespace coterie
