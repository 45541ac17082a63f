#include "heuristics/chunks/chunk_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "heuristics/chunks/finish_time_newton.hpp"
#include "heuristics/chunks/power_of_two.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kNone = -kInfinity;
constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kMostBackPointers = 50'000'000;

/// The greatest of the lines value - time * g over the lines added so far. Lines come with increasing time, queries
/// with decreasing g: the best line only moves forward.
class Envelope {
 public:
  /// Times are at most about `longest`.
  explicit Envelope(double longest) : scale_(scale_for(longest)) {}

  void clear() {
    lines_.clear();
    first_ = 0;
  }
  void add(double value, double time, std::uint32_t index) {
    if (value == kNone) return;
    const Line line{value, time, index};
    while (lines_.size() >= first_ + 2 && useless(lines_[lines_.size() - 2], lines_.back(), line)) lines_.pop_back();
    lines_.push_back(line);
  }
  std::pair<double, std::uint32_t> best(double g) {
    while (first_ + 1 < lines_.size() && lines_[first_ + 1].at(g) >= lines_[first_].at(g)) ++first_;
    if (first_ == lines_.size()) return {kNone, kNobody};
    return {lines_[first_].at(g), lines_[first_].index};
  }

 private:
  struct Line {
    double value, time;
    std::uint32_t index;
    double at(double g) const { return value - time * g; }
  };
  bool useless(const Line& a, const Line& b, const Line& c) const {
    return (c.value - b.value) * scale_ * ((b.time - a.time) * scale_) >=
           (b.value - a.value) * scale_ * ((c.time - b.time) * scale_);
  }
  double scale_;  ///< products of times neither underflow nor overflow
  std::vector<Line> lines_;
  std::size_t first_ = 0;  ///< those before have been overtaken
};

/// Best E with exactly k chunks that end at candidate times, layer by layer of k.
class FinishTimeProgramme {
 public:
  FinishTimeProgramme(std::vector<double> times, std::vector<double> survival, double work, double startup,
                      const Risk& risk)
      : times_(std::move(times)),
        survival_(std::move(survival)),
        work_(work),
        startup_(startup),
        risk_(risk),
        envelope_(times_.empty() ? 1 : times_.back()) {}

  struct Layer {
    double value = kNone;            ///< best E with exactly this many chunks
    std::uint32_t end = kNobody;     ///< candidate of the last finish time; kNobody: W + k eps
    std::uint32_t before = kNobody;  ///< with end == kNobody: candidate of the one before
  };

  /// Adds layers until `most`, or until `patience` of them in a row gained nothing.
  void run(std::size_t most, std::size_t patience) {
    std::vector<double> previous;
    std::size_t idle = 0;
    double best = 0;
    while (layers_.size() < most && idle < patience) {
      cancellation_point();
      std::vector<double> current(times_.size(), kNone);
      std::vector<std::uint32_t> parents(times_.size(), kNobody);
      layers_.push_back(sweep(previous, current, parents));
      if (layers_.back().value == kNone) {
        layers_.pop_back();
        break;
      }
      parents_.push_back(std::move(parents));
      previous = std::move(current);
      idle = layers_.back().value > best * (1 + 1e-14) ? 0 : idle + 1;
      best = std::max(best, layers_.back().value);
    }
  }

  const std::vector<Layer>& layers() const { return layers_; }

  /// Finish times of the best plan with k chunks, k from 1.
  std::vector<double> finish_times(std::size_t k) const {
    std::vector<double> finish(k);
    const Layer& layer = layers_[k - 1];
    std::uint32_t at = layer.end;
    if (at == kNobody) {
      finish[k - 1] = limit(k);
      --k;
      at = layer.before;
    }
    for (; k > 0; at = parents_[k][at]) finish[--k] = times_[at];
    return finish;
  }

  double limit(std::size_t k) const { return work_ + static_cast<double>(k) * startup_; }

 private:
  Layer sweep(const std::vector<double>& previous, std::vector<double>& current, std::vector<std::uint32_t>& parents) {
    const bool first = previous.empty();
    const double latest = limit(layers_.size() + 1);
    envelope_.clear();
    Layer layer;
    std::size_t added = 0;
    const auto value_at = [&](double time, double g) -> std::pair<double, std::uint32_t> {
      if (first) return {time > startup_ ? (time - startup_) * g : kNone, kNobody};
      for (; added < times_.size() && times_[added] + startup_ < time; ++added)
        envelope_.add(previous[added], times_[added], static_cast<std::uint32_t>(added));
      const auto [value, index] = envelope_.best(g);
      return {value + (time - startup_) * g, index};
    };
    for (std::size_t j = 0; j < times_.size() && times_[j] < latest; ++j) {
      std::tie(current[j], parents[j]) = value_at(times_[j], survival_[j]);
      if (current[j] > layer.value) layer = {current[j], static_cast<std::uint32_t>(j), kNobody};
    }
    if (!std::isfinite(latest)) return layer;
    const auto [value, before] = value_at(latest, risk_.survival(latest));
    if (value > layer.value) layer = {value, kNobody, before};
    return layer;
  }

  std::vector<double> times_;
  std::vector<double> survival_;
  double work_;
  double startup_;
  const Risk& risk_;
  Envelope envelope_;
  std::vector<Layer> layers_;
  std::vector<std::vector<std::uint32_t>> parents_;
};

/// Candidate finish times up to `end`: a third spaced evenly, a third by ratio, a third by probability.
std::vector<double> grid(std::size_t points, double end, const Risk& risk) {
  std::vector<double> times;
  const std::size_t third = points / 3;
  const double probability = risk.probability(end);
  for (std::size_t i = 1; i <= third; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(third);
    times.push_back(end * part);
    times.push_back(end * std::pow(10.0, 6 * (part - 1)));
    if (i < third) times.push_back(risk.quantile(part * probability));
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

std::size_t argmax(std::span<const FinishTimeProgramme::Layer> layers) {
  const auto best =
      std::max_element(layers.begin(), layers.end(), [](const auto& a, const auto& b) { return a.value < b.value; });
  return static_cast<std::size_t>(best - layers.begin());
}

/// Numbers of chunks worth polishing: the grid cannot tell near-equal neighbours apart.
std::vector<std::size_t> promising(const std::vector<FinishTimeProgramme::Layer>& layers) {
  const std::size_t best = argmax(layers);
  std::vector<std::size_t> counts;
  for (std::size_t i = best >= 3 ? best - 3 : 0; i < std::min(layers.size(), best + 4); ++i) counts.push_back(i + 1);
  return counts;
}

ChunkPlan plan_of(std::vector<double> finish, double work, double startup, const Risk& risk) {
  ChunkPlan plan;
  double before = 0;
  double used = 0;
  for (std::size_t i = 0; i < finish.size(); ++i) {
    const bool takes_the_rest = finish[i] == work + static_cast<double>(i + 1) * startup;
    const double size = takes_the_rest ? work - used : finish[i] - before - startup;
    plan.sizes.push_back(size);
    used += size;
    plan.expected_work += size * risk.survival(finish[i]);
    before = finish[i];
  }
  plan.finish_times = std::move(finish);
  return plan;
}

/// Without chunks that nobody completes, or that are nothing but rounding: what is left is worth as much, or more.
ChunkPlan without_idle_chunks(ChunkPlan plan, double work, double startup, const Risk& risk) {
  while (!plan.sizes.empty() && !(risk.survival(plan.finish_times.back()) > 0)) {
    plan.sizes.pop_back();
    plan.finish_times.pop_back();
  }
  const double least = 1e-12 * std::accumulate(plan.sizes.begin(), plan.sizes.end(), 0.0);
  if (std::erase_if(plan.sizes, [&](double size) { return !(size > least); }) == 0) return plan;
  double finish = 0;
  std::vector<double> finish_times;
  for (const double size : plan.sizes) finish_times.push_back(finish += size + startup);
  ChunkPlan shorter = plan_of(std::move(finish_times), work, startup, risk);
  shorter.polished = plan.polished;
  return shorter;
}

/// Beyond the usual end, where nearly nobody is left: where the few who are live so long that a chunk for them alone
/// would be worth more.
double last_end(double limit, double usual, const Risk& risk) {
  constexpr int kMostDoublings = 200;
  double end = usual;
  double later = usual;
  for (int doubling = 0; doubling < kMostDoublings && later < limit / 2; ++doubling) {
    later *= 2;
    if (later * risk.survival(later) > end * risk.survival(end)) end = later;
  }
  return end;
}

/// Of work that is lost in the rounding of a start-up cost: more chunks only add start-up costs.
bool is_negligible(double work, double startup) { return startup < kInfinity && !(work + startup > startup); }

ChunkPlan single_chunk(double work, double startup, const Risk& risk) {
  return risk.survival(startup) > 0 ? plan_of({work + startup}, work, startup, risk) : ChunkPlan{};
}

}  // namespace

ChunkPlan search_chunks(double work, std::int64_t chunks, double startup, const Risk& risk) {
  COTERIE_REQUIRE(work >= 0 && chunks >= 1 && startup >= 0);
  if (!(work > 0)) return {};
  if (is_negligible(work, startup)) return single_chunk(work, startup, risk);
  const auto most = static_cast<std::size_t>(std::min(chunks, kMostSearchedChunks));
  const double limit = work + static_cast<double>(most) * startup;
  const double usual = std::min(limit, risk.quantile(1 - 1e-15));
  const double end = last_end(limit, usual, risk);
  if (!(end > startup)) return {};
  for (std::size_t points = 3000;; points = std::min<std::size_t>(points * 2, 6 * kMostSearchedChunks)) {
    std::vector<double> times = grid(points, usual, risk);
    if (end > usual) {
      const std::vector<double> far = grid(points, end, risk);
      times.insert(times.end(), far.begin(), far.end());
      std::sort(times.begin(), times.end());
      times.erase(std::unique(times.begin(), times.end()), times.end());
    }
    std::vector<double> survival(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) survival[i] = risk.survival(times[i]);
    FinishTimeProgramme programme(std::move(times), std::move(survival), work, startup, risk);
    programme.run(std::min(most, points / 6), 12);
    const auto& layers = programme.layers();
    if (layers.empty()) return {};
    const std::size_t best = argmax(layers) + 1;
    if (best == points / 6 && best < most) continue;  // the grid was too coarse to see the optimum
    if (best == most && chunks > kMostSearchedChunks)
      throw InputError(fmt::format(
          "more than {} chunks would be worth it under {}; give a smaller \"chunks\" or a greater \"startup\"",
          kMostSearchedChunks, risk.text()));
    ChunkPlan winner;
    for (const std::size_t count : promising(layers)) {
      const NewtonResult result = polish_finish_times(programme.finish_times(count), work, startup, risk);
      ChunkPlan plan = plan_of(result.finish_times, work, startup, risk);
      plan.polished = result.converged;
      if (plan.expected_work > winner.expected_work) winner = std::move(plan);
    }
    return without_idle_chunks(std::move(winner), work, startup, risk);
  }
}

std::vector<ChunkPlan> best_chunks(double work, std::span<const std::int64_t> chunks, double startup,
                                   const EmpiricalRisk& risk, std::size_t patience) {
  COTERIE_REQUIRE(work >= 0 && startup >= 0 &&
                  std::ranges::all_of(chunks, [](std::int64_t most) { return most >= 1; }));
  std::vector<ChunkPlan> plans(chunks.size());
  if (!(work > 0) || chunks.empty()) return plans;
  if (is_negligible(work, startup)) {
    std::ranges::fill(plans, single_chunk(work, startup, risk));
    return plans;
  }
  std::vector<double> times;
  std::vector<double> survival;
  for (const double duration : risk.jumps()) {
    if (duration <= 0) continue;
    times.push_back(duration);
    survival.push_back(risk.survival(duration));
  }
  const auto most = static_cast<std::size_t>(
      std::min<std::int64_t>(*std::max_element(chunks.begin(), chunks.end()), std::ssize(times) + 1));
  const std::int64_t least = *std::min_element(chunks.begin(), chunks.end());
  if (startup == 0 && least > std::ssize(times)) {
    // Every duration may end a chunk and chunks cost nothing.
    std::erase_if(times, [&](double time) { return time >= work; });
    const bool rest = std::isfinite(work) && risk.survival(work) > 0;
    if (rest) times.push_back(work);
    return {chunks.size(), plan_of(std::move(times), work, startup, risk)};
  }
  if (most * times.size() > kMostBackPointers)
    throw InputError(
        fmt::format("{} chunks over {} observed durations are too many to search; give \"chunks\" of at "
                    "most {}",
                    most, times.size(), kMostBackPointers / times.size()));
  FinishTimeProgramme programme(std::move(times), std::move(survival), work, startup, risk);
  programme.run(most, patience);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const auto layers =
        std::span(programme.layers()).first(std::min(programme.layers().size(), static_cast<std::size_t>(chunks[i])));
    const double most_work = layers.empty() ? 0 : layers[argmax(layers)].value;
    if (!(most_work > 0)) continue;
    // Of equally good plans the one with the fewest chunks; sums that differ by rounding are equal.
    std::size_t fewest = 1;
    while (layers[fewest - 1].value < most_work * (1 - 1e-14)) ++fewest;
    plans[i] = plan_of(programme.finish_times(fewest), work, startup, risk);
  }
  return plans;
}

ChunkPlan best_chunks(double work, std::int64_t chunks, double startup, const EmpiricalRisk& risk) {
  return best_chunks(work, std::span(&chunks, 1), startup, risk).front();
}

ChunkPlan settled(const ChunkPlan& plan, double work, double startup, const EmpiricalRisk& risk) {
  constexpr int kMostRounds = 4;
  std::vector<double> finish = plan.finish_times;
  const std::vector<double>& jumps = risk.jumps();
  bool moved = true;
  for (int round = 0; round < kMostRounds && moved; ++round) {
    moved = false;
    for (std::size_t i = 0; i < finish.size(); ++i) {
      cancellation_point();
      const bool last = i + 1 == finish.size();
      const double begin = (i > 0 ? finish[i - 1] : 0) + startup;
      const double end = last ? work + static_cast<double>(i + 1) * startup : finish[i + 1] - startup;
      const double after = last ? 0 : risk.survival(finish[i + 1]);
      const auto value = [&](double time, double survival) { return (time - begin) * survival + (end - time) * after; };
      double best = value(finish[i], risk.survival(finish[i])) * (1 + 1e-13);
      for (auto jump = std::upper_bound(jumps.begin(), jumps.end(), begin); jump != jumps.end() && *jump < end;
           ++jump) {
        const auto passed = static_cast<std::size_t>(jump - jumps.begin());
        const double here = value(*jump, passed > 0 ? 1 - risk.cumulative()[passed - 1] : 1);
        if (here <= best) continue;
        best = here;
        finish[i] = *jump;
        moved = true;
      }
    }
  }
  return plan_of(std::move(finish), work, startup, risk);
}

}  // namespace coterie::heuristics
