#include "heuristics/chunks/checkpoint_intervals.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "heuristics/chunks/one_worker.hpp"

namespace coterie::heuristics {

double young_interval(double checkpoint, double mean) {
  COTERIE_REQUIRE(checkpoint > 0 && mean > 0);
  return std::sqrt(2 * checkpoint * mean);
}

double daly_interval(double checkpoint, double mean) {
  COTERIE_REQUIRE(checkpoint > 0 && mean > 0);
  const double half = checkpoint / (2 * mean);
  if (!(half < 1)) return mean;
  return young_interval(checkpoint, mean) * (1 + std::sqrt(half) / 3 + half / 9) - checkpoint;
}

std::optional<double> mean_life(const Risk& risk) {
  const double mean = survival_integral(kInfinity, risk);
  return mean > 0 && std::isfinite(mean) ? std::optional(mean) : std::nullopt;
}

std::optional<Schedule> schedule_by_interval(double work, double interval, double checkpoint) {
  COTERIE_REQUIRE(work > 0 && interval > 0);
  constexpr double kMost = 1e6;
  const double count = std::ceil(work / interval * (1 - 1e-12));
  if (!(count <= kMost)) return std::nullopt;
  const auto chunks = static_cast<std::uint32_t>(std::max(1.0, count));
  std::vector<double> boundaries = {0};
  for (std::uint32_t i = 1; i < chunks; ++i) boundaries.push_back(interval * i);
  boundaries.push_back(work);
  std::vector<double> sizes;
  TaskLists lists;
  for (std::uint32_t i = 0; i < chunks; ++i) {
    sizes.push_back(boundaries[i + 1] - boundaries[i]);
    lists.add({i, 1});
  }
  lists.close(back_to_back(lists.open(), sizes, checkpoint));
  return Schedule(std::move(boundaries), std::move(lists));
}

}  // namespace coterie::heuristics
