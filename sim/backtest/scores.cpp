#include "sim/backtest/scores.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "sim/planning/share_estimate.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

/// The part of the atom from `below` to `up_to` that is between `low` and `high`.
double part(const Rank& rank, double low, double high) {
  if (rank.up_to > rank.below)
    return std::max(0.0, std::min(rank.up_to, high) - std::max(rank.below, low)) / (rank.up_to - rank.below);
  return rank.below > low && rank.below < high ? 1 : 0;
}

}  // namespace

double Rank::within(double range) const { return part(*this, (1 - range) / 2, (1 + range) / 2); }

double Rank::by(double probability) const { return part(*this, -kInfinity, probability); }

Rank rank_of(double seen, std::span<const double> promised) {
  COTERIE_REQUIRE(!promised.empty());
  constexpr double kSame = 1e-9;
  const auto count = static_cast<double>(promised.size());
  const auto below = std::lower_bound(promised.begin(), promised.end(), seen * (1 - kSame));
  const auto up_to = std::upper_bound(below, promised.end(), seen * (1 + kSame));
  return {static_cast<double>(below - promised.begin()) / count, static_cast<double>(up_to - promised.begin()) / count};
}

Score score(std::span<const double> values, std::span<const std::size_t> plans) {
  COTERIE_REQUIRE(values.size() == plans.size());
  Score found;
  if (values.empty()) return found;
  const auto count = static_cast<double>(values.size());
  for (const double value : values) found.mean += value / count;
  std::map<std::size_t, double> errors;
  for (std::size_t i = 0; i < values.size(); ++i) errors[plans[i]] += values[i] - found.mean;
  found.low = found.high = found.mean;
  if (errors.size() < 2) return found;
  const auto groups = static_cast<double>(errors.size());
  double squares = 0;
  for (const auto& [plan, error] : errors) squares += error * error;
  const double half = student_quantile(groups - 1) * std::sqrt(groups / (groups - 1) * squares) / count;
  return {found.mean, found.mean - half, found.mean + half};
}

Score share_score(std::span<const double> shares, std::span<const std::size_t> plans) {
  Score found = score(shares, plans);
  if (shares.empty()) return {0, 0, 1};
  const auto count = static_cast<double>(shares.size());
  const ShareEstimate alone = estimate_share(static_cast<std::size_t>(std::llround(found.mean * count)), shares.size());
  found.low = std::max(0.0, std::min(found.low, alone.low));
  found.high = std::min(1.0, std::max(found.high, alone.high));
  return found;
}

}  // namespace coterie::sim
