#include "sim/planning/static_runs.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"
#include "core/ties.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/engine/rows.hpp"

namespace coterie::sim {
namespace {

constexpr double kNever = kInfinity;

/// When the last piece is first completed; never if some of the work is in no piece. `first_end`: working space, by
/// piece.
double makespan_of(const Schedule& schedule, std::span<const double> lives, std::vector<double>& first_end) {
  if (!gives_all(schedule)) return kNever;
  std::fill(first_end.begin(), first_end.end(), kNever);
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList list = schedule.tasks(w);
    for (std::size_t k = 0; k < list.tasks.size(); ++k) {
      const double end = list.finish[k];
      if (end > lives[w]) break;
      const auto first = first_end.begin() + list.tasks[k].first_piece;
      std::for_each_n(first, list.tasks[k].pieces, [&](double& known) { known = std::min(known, end); });
    }
  }
  return *std::max_element(first_end.begin(), first_end.end());
}

double cost_of(const Schedule& schedule, std::span<const double> lives, std::span<const double> prices) {
  double cost = 0;
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const FinishTimes& finish = schedule.tasks(w).finish;
    if (!finish.empty()) cost += prices[prices.size() == 1 ? 0 : w] * std::min(lives[w], finish.back());
  }
  return cost;
}

}  // namespace

bool gives_all(const Schedule& schedule) {
  if (schedule.boundaries().back() < kAllWork) return false;
  for (std::size_t piece = 0; piece < schedule.pieces(); ++piece)
    if (!schedule.is_given(piece)) return false;
  return true;
}

void draw_lives(const SampledTimes& times, std::uint64_t instance, std::vector<std::vector<double>>& lives) {
  const bool jumps =
      std::any_of(times.risks().begin(), times.risks().end(), [](const RiskPtr& risk) { return !risk->has_density(); });
  std::vector<double> drawn(times.room());
  times.draw(instance, drawn);
  lives.resize(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) {
    lives[i].resize(times.workers());
    for (std::size_t w = 0; w < times.workers(); ++w) {
      const double life = drawn[w * kLanes + i];
      lives[i][w] = jumps ? just_after(life) : life;
    }
  }
}

StaticRuns run_static(const Schedule& schedule, const SampledTimes& times, std::uint64_t instances,
                      std::span<const double> prices, int threads) {
  StaticRuns runs{std::vector<double>(instances), std::vector<double>(instances)};
  constexpr std::uint64_t kBlock = 8 * kLanes;
  parallel_for((instances + kBlock - 1) / kBlock, thread_count(threads), [&](std::size_t block) {
    std::vector<std::vector<double>> lives;
    std::vector<double> first_end(schedule.pieces());
    const std::uint64_t end = std::min(instances, (block + 1) * kBlock);
    for (std::uint64_t i = block * kBlock; i < end; ++i) {
      if (i % kLanes == 0) draw_lives(times, i, lives);
      cancellation_point();
      runs.makespans[i] = makespan_of(schedule, lives[i % kLanes], first_end);
      runs.costs[i] = cost_of(schedule, lives[i % kLanes], prices);
    }
  });
  return runs;
}

}  // namespace coterie::sim
