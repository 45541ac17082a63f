#include "traces/lifetime_estimates.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "traces/survival_curve.hpp"

namespace coterie::traces {
namespace {

constexpr double kHalf = 0.5;
constexpr double kOutside = 0.025;   // probability on either side of an interval
constexpr double kFewest = 6;        // interruptions needed to estimate the error of a mean
constexpr double kRounding = 1e-12;  // of a product of shares

/// The rank, from 0 and from either end, of the order statistics that hold the median of any law between them with
/// probability 95 % at least. Nothing (the whole line) for fewer than six durations.
std::optional<std::size_t> order_statistic(std::size_t count) {
  // P(B < rank) <= 0.025 for B binomial(count, 1/2).
  const auto n = static_cast<double>(count);
  double below = 0;
  std::size_t rank = 0;
  for (; rank < count; ++rank) {
    const auto k = static_cast<double>(rank);
    below += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) - n * std::log(2));
    if (below > kOutside) break;
  }
  return rank == 0 ? std::nullopt : std::optional(rank - 1);
}

LifetimeEstimate median_of_all(const Durations& durations) {
  LifetimeEstimate median{durations.median()};
  if (const auto rank = order_statistic(durations.size())) {
    median.low = durations.values()[*rank].value;
    median.high = durations.values()[durations.size() - 1 - *rank].value;
  }
  return median;
}

/// Where the estimate passes one half; if it equals one half, the middle between two jumps, as for complete durations.
double median_of_jumps(const std::vector<SurvivalJump>& jumps) {
  for (std::size_t j = 0; j < jumps.size(); ++j) {
    if (std::abs(jumps[j].survival - kHalf) <= kRounding)
      return j + 1 < jumps.size() ? jumps[j].time / 2 + jumps[j + 1].time / 2 : jumps[j].time;
    if (jumps[j].survival < kHalf) return jumps[j].time;
  }
  return kInfinity;
}

LifetimeEstimate median_with_censoring(const std::vector<SurvivalJump>& jumps) {
  LifetimeEstimate median{median_of_jumps(jumps)};
  bool low_known = false;
  double before = 0;  // time of the jump before
  for (const SurvivalJump& jump : jumps) {
    if (jump.survival <= 0) {  // nobody is left, and no variance is known
      const bool many = order_statistic(static_cast<std::size_t>(jump.at_risk)).has_value();
      if (!low_known) median.low = many ? jump.time : before;
      break;
    }
    if (!low_known && jump.low <= kHalf) {
      median.low = jump.time;
      low_known = true;
    }
    if (jump.high <= kHalf) {
      median.high = jump.time;
      break;
    }
    before = jump.time;
  }
  if (!low_known && !jumps.empty() && jumps.back().survival > 0) median.low = jumps.back().time;
  return median;
}

}  // namespace

LifetimeEstimates lifetime_estimates(const Durations& durations) {
  COTERIE_REQUIRE(!durations.empty());
  // Relative to the longest, so that no sum or square overflows.
  const double unit = durations.longest() > 0 ? durations.longest() : 1;
  std::vector<SurvivalJump> jumps = survival_curve(durations);
  for (SurvivalJump& jump : jumps) jump.time /= unit;
  LifetimeEstimates result;
  result.open = jumps.empty() ? 1 : jumps.back().survival <= kRounding ? 0 : jumps.back().survival;

  const double end = durations.longest() / unit;
  double mean = 0;
  double before = 0;
  double survival = 1;
  std::vector<double> areas;  // under the curve up to each jump
  const auto pass = [&](double time) {
    mean += survival * (time - before);
    before = time;
  };
  for (const SurvivalJump& jump : jumps) {
    pass(jump.time);
    areas.push_back(mean);
    survival = jump.survival;
  }
  pass(end);
  double variance = 0;  // of the mean: Greenwood's sum over the area beyond each jump
  for (std::size_t j = 0; j < jumps.size(); ++j)
    if (jumps[j].at_risk > jumps[j].interrupted)
      variance += std::pow(mean - areas[j], 2) * jumps[j].interrupted /
                  (jumps[j].at_risk * (jumps[j].at_risk - jumps[j].interrupted));
  result.mean.value = mean * unit;
  const double margin = mean > 0 ? kNormalQuantile * std::sqrt(variance) / mean : 0;
  const bool enough = static_cast<double>(durations.observed()) >= kFewest;
  if (enough) result.mean.low = mean * std::exp(-margin) * unit;
  if (enough && result.open == 0) result.mean.high = mean * std::exp(margin) * unit;
  double square = 0;  // of the distance from the mean
  double above = 1;
  for (const SurvivalJump& jump : jumps) {
    square += (above - jump.survival) * std::pow(jump.time - mean, 2);
    above = jump.survival;
  }
  result.deviation = std::sqrt(square + above * std::pow(end - mean, 2)) * unit;

  const bool all_seen = durations.observed() == durations.size() && !durations.delayed();
  result.median = all_seen ? median_of_all(durations) : median_with_censoring(jumps);
  if (!all_seen)
    for (double* one : {&result.median.value, &result.median.low, &result.median.high}) *one *= unit;
  return result;
}

}  // namespace coterie::traces
