#pragma once

#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "core/schedule.hpp"
#include "sim/campaign/campaign.hpp"

namespace coterie::sim {

inline constexpr std::size_t kInstances = 1000;

inline std::unique_ptr<Trial> prepare(const Campaign& campaign, std::size_t configuration) {
  return campaign.model->prepare(
      {campaign.configurations[configuration], campaign.seed, campaign.strategies, *campaign.risks});
}

inline void count_instances(benchmark::State& state, const Campaign& campaign, std::size_t instances = kInstances) {
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * campaign.configurations.size() * instances));
}

/// Instances of all configurations, their trials ready.
inline void run_trials(benchmark::State& state, const Campaign& campaign, std::size_t instances = kInstances) {
  std::vector<std::unique_ptr<Trial>> trials;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) trials.push_back(prepare(campaign, c));
  std::vector<double> reference(instances);
  std::vector<double> ratio(instances * campaign.strategies.size());
  for (auto _ : state)
    for (const auto& trial : trials) {
      trial->run({0, instances, reference.data(), ratio.data(), instances});
      benchmark::DoNotOptimize(ratio.data());
    }
  count_instances(state, campaign, instances);
}

/// What a programmer writes first: chunks marked one by one.
inline double marked_work(const Schedule& schedule, const std::vector<double>& capacities) {
  std::vector<bool> done(schedule.pieces(), false);
  for (std::size_t w = 0; w < capacities.size(); ++w) {
    const TaskList list = schedule.tasks(w);
    for (std::size_t k = 0; k < list.tasks.size() && list.finish[k] <= capacities[w]; ++k)
      done[list.tasks[k].first_piece] = true;
  }
  double work = 0;
  for (std::size_t piece = 0; piece < done.size(); ++piece)
    if (done[piece]) work += schedule.piece_sizes()[piece];
  return work;
}

}  // namespace coterie::sim
