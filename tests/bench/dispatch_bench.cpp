// Events a second of schedules that listen.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <random>

#include "heuristics/dispatch/central.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/dispatch/help.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kStartup = 0.01;
constexpr double kLoad = 0.2;  // where copying takes most
constexpr CentralParameters kParameters{2, 2 * kStartup, 0.92};
const RiskPtr kRisk = make_linear_risk();

/// The lives of workers, as many of them in all whatever their number.
std::vector<std::vector<double>> lives_of(std::size_t workers) {
  std::mt19937_64 engine(2013);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::vector<double>> lives(std::max<std::size_t>(1, 10'000 / workers), std::vector<double>(workers));
  for (auto& one : lives) std::generate(one.begin(), one.end(), [&] { return uniform(engine); });
  return lives;
}

double work_of(std::size_t workers) { return kLoad * static_cast<double>(workers); }

std::shared_ptr<const Schedule> shares_of(std::size_t workers) {
  const WorksharingProblem problem{workers, work_of(workers), kStartup, kRisk, 1.0};
  return worksharing_strategy("no-replication").build(problem, {Granularity::Kind::kAuto, 0}).schedule;
}

void run(benchmark::State& state, ListeningPolicy& policy) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  const auto lives = lives_of(workers);
  DispatchRun dispatch("of the benchmark", workers, work_of(workers), kStartup, std::span(&kRisk, 1), Listening{0, 0});
  std::size_t events = 0;
  for (auto _ : state)
    for (const auto& one : lives) events += dispatch(policy, one).events;
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
}

void DispatchSkip(benchmark::State& state) {
  PlannedLists policy(*shares_of(static_cast<std::size_t>(state.range(0))));
  run(state, policy);
}
BENCHMARK(DispatchSkip)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void DispatchHelp(benchmark::State& state) {
  Help policy(*shares_of(static_cast<std::size_t>(state.range(0))));
  run(state, policy);
}
BENCHMARK(DispatchHelp)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

std::shared_ptr<const ChunksByAge> first_chunks() {
  static const auto chunks = std::make_shared<const ChunksByAge>(std::span(&kRisk, 1), kStartup);
  return chunks;
}

void DispatchCentral(benchmark::State& state) {
  Central policy(first_chunks(), kParameters);
  run(state, policy);
}
BENCHMARK(DispatchCentral)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace coterie::heuristics
