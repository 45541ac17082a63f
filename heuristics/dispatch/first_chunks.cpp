#include "heuristics/dispatch/first_chunks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

/// Close together where interruptions are, and where the cost of a chunk in time must be resolved.
std::vector<double> grid(const Risk& risk, double cost, std::size_t count) {
  const double horizon = risk.effective_horizon();
  const double quarter = static_cast<double>(count) / 4;
  std::vector<double> times = {0, horizon};
  for (double i = 1; i < quarter; ++i) {
    times.push_back(risk.quantile(i / quarter));
    times.push_back(horizon * i / quarter);
    times.push_back(cost * std::pow(horizon / cost, i / quarter));
  }
  const std::vector<double> breaks = risk.breaks();
  const auto step = static_cast<std::size_t>(std::ceil(static_cast<double>(breaks.size() + 1) / quarter));
  for (std::size_t i = 0; i < breaks.size(); i += step) times.push_back(breaks[i]);
  std::erase_if(times, [&](double t) { return !(t >= 0 && t <= horizon); });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

}  // namespace

FirstChunks::FirstChunks(const Risk& risk, double startup_cost, double wait, std::size_t times)
    : startup_cost_(startup_cost),
      beyond_(risk.survival(std::numeric_limits<double>::max()) > 0 ? kInfinity : 0),
      time_(grid(risk, startup_cost > 0 ? startup_cost : wait, times)),
      end_(time_) {
  std::vector<double> survival(time_.size());
  for (std::size_t i = 0; i < time_.size(); ++i) survival[i] = risk.survival(time_[i]);
  std::vector<double> value(time_.size(), 0);
  std::vector<double> value_after(time_.size(), 0);  // by the end of a chunk: of what follows
  for (std::size_t i = time_.size(); i-- > 0;) {
    cancellation_point();
    for (std::size_t j = i + 1; j < time_.size(); ++j) {
      const double size = time_[j] - time_[i] - startup_cost_;
      if (size <= 0) continue;
      const double with = survival[j] * size + value_after[j];
      if (with <= value[i]) continue;
      value[i] = with;
      end_[i] = time_[j];
    }
    const auto next = std::lower_bound(time_.begin(), time_.end(), time_[i] + wait) - time_.begin();
    if (next < std::ssize(time_)) value_after[i] = value[static_cast<std::size_t>(next)];
  }
}

double FirstChunks::operator()(double age) const {
  COTERIE_REQUIRE(age >= 0);
  if (age >= time_.back()) return beyond_;
  const auto above = static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), age) - time_.begin());
  const std::size_t i = above - 1;
  if (end_[i] <= time_[i]) return beyond_;
  const double most = std::max(end_[i], end_[above]) - age - startup_cost_;
  return most > 0 ? most : beyond_;
}

}  // namespace coterie::heuristics
