#include "sim/kernels/task_counter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie::sim {
namespace {

/// The neighbours of a finish time among the capacities.
struct Neighbours {
  double before;  ///< the greatest capacity < finish
  double from;    ///< the smallest capacity >= finish
};

Neighbours neighbours_of(double finish, const CapacityGrid& grid) {
  if (grid.linear_rate <= 0) return {std::nextafter(finish, -1), finish};
  constexpr double kLast = 4294967295.0;
  const auto capacity = [&](double word) { return to_uniform(static_cast<std::uint32_t>(word)) / grid.linear_rate; };
  double word = std::clamp(std::ceil(finish * grid.linear_rate * 0x1p32 - 0.5), 0.0, kLast);
  double from = capacity(word);
  while (word < kLast && from < finish) from = capacity(++word);
  if (from < finish) return {from, kInfinity};  // no draw gets there
  for (; word > 0; --word) {
    const double before = capacity(word - 1);
    if (before < finish) return {before, from};
    from = before;
  }
  return {0, from};
}

double guess(double capacity, double per_time, double tasks) {
  return std::trunc(std::min(capacity * per_time, tasks));
}

/// How many tasks the guess falls short at most; negative where it is ever too great, or too small by more than two.
std::int32_t shortfall(std::span<const double> finish, double per_time, const CapacityGrid& grid) {
  const auto tasks = static_cast<double>(finish.size());
  double most = 0;
  for (std::size_t k = 0; k < finish.size(); ++k) {
    const Neighbours near = neighbours_of(finish[k], grid);
    if (guess(near.before, per_time, tasks) > static_cast<double>(k)) return -1;
    most = std::max(most, static_cast<double>(k + 1) - guess(near.from, per_time, tasks));
  }
  return most > 2 ? -1 : static_cast<std::int32_t>(most);
}

double longest_step(std::span<const double> finish) {
  double longest = finish[0];
  for (std::size_t k = 1; k < finish.size(); ++k) longest = std::max(longest, finish[k] - finish[k - 1]);
  return longest;
}

}  // namespace

TaskCounter::TaskCounter(FinishTimes finish, const CapacityGrid& grid)
    : of_(finish), finish_(finish.begin(), finish.end()) {
  const auto tasks = static_cast<std::int32_t>(finish.size());
  finish_.resize(std::max(finish_.size() + 1, TaskCounterView::kPadded), std::numeric_limits<double>::quiet_NaN());
  view_ = {0, finish_.data(), tasks, -1};
  if (tasks == 0) {
    view_.corrections = 0;
    return;
  }
  // Equal steps: the draws may be so much coarser than the rounding that one product is right.
  const double even = static_cast<double>(tasks) / finish.back();
  const double careful = (1 - 0x1p-44) / longest_step(finish);
  for (const double per_time : {even, careful}) {
    if (!std::isnormal(per_time)) continue;
    if (per_time == even && grid.linear_rate <= 0) continue;
    const std::int32_t corrections = shortfall(finish, per_time, grid);
    if (corrections < 0) continue;
    view_.per_time = per_time;
    view_.corrections = corrections;
    return;
  }
}

std::size_t tasks_done(const TaskCounterView& counter, double capacity) {
  return static_cast<std::size_t>(std::upper_bound(counter.finish, counter.finish + counter.tasks, capacity) -
                                  counter.finish);
}

}  // namespace coterie::sim
