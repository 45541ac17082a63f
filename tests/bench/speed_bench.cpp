// How fast the simulation is, stage by stage, against its own random numbers and against plain code: `scripts/bench`
// makes the table of goals of it. Each benchmark reports the instances (or draws, or jobs) a second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "core/background_law.hpp"
#include "heuristics/registry.hpp"
#include "sim/campaign.hpp"
#include "sim/kernel.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kInstances = 1000;
const char* const kFive = R"(["greedy", "cyclic-replication", "no-replication", "brute", "random-replication"])";
const char* const kFour = R"(["greedy", "cyclic-replication", "no-replication", "brute"])";

Campaign campaign_of(const std::string& strategies, const std::string& grid) {
  return parse_campaign(fmt::format("seed = 2013\ninstances = 1000\nstrategies = {}\n[grid]\n{}\n", strategies, grid),
                        "bench.toml");
}

/// Experiment E5 of worksharing-2013, every fourth workload.
Campaign e5(const std::string& strategies) {
  return campaign_of(strategies,
                     "workers = [5, 10, 25, 50, 100]\nwork = \"1..workers:4\"\n"
                     "startup = [0.1, 0.01, 0.001, 0.0001]\nrisk = \"linear\"");
}

std::unique_ptr<Trial> prepare(const Campaign& campaign, std::size_t configuration) {
  return campaign.model->prepare(
      {campaign.configurations[configuration], campaign.seed, campaign.strategies, *campaign.risks});
}

void run_trials(benchmark::State& state, const Campaign& campaign) {
  std::vector<std::unique_ptr<Trial>> trials;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) trials.push_back(prepare(campaign, c));
  std::vector<double> reference(kInstances);
  std::vector<double> ratio(kInstances * campaign.strategies.size());
  for (auto _ : state)
    for (const auto& trial : trials) {
      trial->run({0, kInstances, reference.data(), ratio.data(), kInstances});
      benchmark::DoNotOptimize(ratio.data());
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * trials.size() * kInstances));
}

/// All instances of E5's configurations, schedules ready.
void E5Instances(benchmark::State& state) { run_trials(state, e5(kFour)); }
BENCHMARK(E5Instances)->Unit(benchmark::kMillisecond);

/// Schedules of E5's configurations: choosing n, building, expected work, compiling.
void E5Plans(benchmark::State& state) {
  const Campaign campaign = e5(kFour);
  for (auto _ : state)
    for (std::size_t c = 0; c < campaign.configurations.size(); ++c) benchmark::DoNotOptimize(prepare(campaign, c));
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * campaign.configurations.size() * kInstances));
}
BENCHMARK(E5Plans)->Unit(benchmark::kMillisecond);

/// What choosing n takes of that: the difference to the same schedules with the number given.
void E5PlansWithCountsGiven(benchmark::State& state) {
  const Campaign campaign = e5(kFour);
  struct Given {
    heuristics::WorksharingProblem problem;
    const heuristics::Strategy* strategy;
    std::size_t count;
  };
  std::vector<Given> given;
  for (const Configuration& configuration : campaign.configurations)
    for (const std::string& name : campaign.strategies) {
      const heuristics::WorksharingProblem problem{static_cast<std::size_t>(configuration.number("workers")),
                                                   configuration.number("work"), configuration.number("startup"),
                                                   make_linear_risk(), 1.0};
      const auto& strategy = heuristics::worksharing_strategy(name);
      const auto plan = strategy.build(problem, {heuristics::Granularity::Kind::kAuto, 0});
      given.push_back(
          {problem, &strategy, plan.coteries.empty() ? plan.chunks : plan.coteries.front().chunking.count()});
    }
  for (auto _ : state)
    for (const Given& one : given) {
      const auto plan = one.strategy->build(one.problem, {heuristics::Granularity::Kind::kPerSlice, one.count});
      benchmark::DoNotOptimize(compile(*plan.schedule, {Evaluation::kCheapest, {1.0}, nullptr}));
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * campaign.configurations.size() * kInstances));
}
BENCHMARK(E5PlansWithCountsGiven)->Unit(benchmark::kMillisecond);

/// The same instances as a programmer writes them first: std::mt19937_64, chunks marked one by one.
void E5Naively(benchmark::State& state) {
  constexpr std::size_t kFewer = 20;  // a configuration
  const Campaign campaign = e5(kFour);
  std::vector<std::vector<heuristics::Plan>> plans;
  for (const Configuration& configuration : campaign.configurations) {
    const heuristics::WorksharingProblem problem{static_cast<std::size_t>(configuration.number("workers")),
                                                 configuration.number("work"), configuration.number("startup"),
                                                 make_linear_risk(), 1.0};
    plans.emplace_back();
    for (const std::string& name : campaign.strategies)
      plans.back().push_back(
          heuristics::worksharing_strategy(name).build(problem, {heuristics::Granularity::Kind::kAuto, 0}));
  }
  std::mt19937_64 engine(2013);
  std::uniform_real_distribution<double> uniform(0, 1);
  double sum = 0;
  for (auto _ : state)
    for (std::size_t c = 0; c < plans.size(); ++c) {
      const auto& configuration = campaign.configurations[c];
      std::vector<double> capacities(static_cast<std::size_t>(configuration.number("workers")));
      for (std::size_t i = 0; i < kFewer; ++i) {
        double omniscient = 0;
        for (double& capacity : capacities) {
          capacity = uniform(engine);
          omniscient += std::max(0.0, capacity - configuration.number("startup"));
        }
        omniscient = std::min(omniscient, configuration.number("work"));
        for (const auto& plan : plans[c]) {
          std::vector<bool> done(plan.schedule->pieces(), false);
          for (std::size_t w = 0; w < capacities.size(); ++w) {
            const TaskList& list = plan.schedule->tasks(w);
            for (std::size_t k = 0; k < list.tasks.size() && list.finish[k] <= capacities[w]; ++k)
              done[list.tasks[k].first_piece] = true;
          }
          double work = 0;
          for (std::size_t piece = 0; piece < done.size(); ++piece)
            if (done[piece]) work += plan.schedule->piece_sizes()[piece];
          sum += omniscient > 0 ? work / omniscient : 1;
        }
      }
    }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * plans.size() * kFewer));
}
BENCHMARK(E5Naively)->Unit(benchmark::kMillisecond);

std::string one_setting(std::int64_t workers, double work) {
  return fmt::format("workers = {}\nwork = {}\nstartup = 0.001\nchunks = 100", workers, work);
}

/// Whole instances, five strategies, 100 chunks per unit of work; and the random numbers of the same instances alone.
void WholeInstances(benchmark::State& state) { run_trials(state, campaign_of(kFive, one_setting(state.range(0), 1))); }
BENCHMARK(WholeInstances)->Arg(25)->Arg(100);
void WholeInstancesOfStaticStrategies(benchmark::State& state) {
  run_trials(state, campaign_of(kFour, one_setting(state.range(0), 1)));
}
BENCHMARK(WholeInstancesOfStaticStrategies)->Arg(25)->Arg(100);
void RandomNumbersAlone(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  std::vector<double> uniforms((workers + 3) / 4 * 4 * kLanes);
  const LaneLoops& loops = best_lane_loops();
  for (auto _ : state)
    for (std::size_t first = 0; first < kInstances; first += kLanes) {
      loops.uniforms(1, 2, first, workers, uniforms.data());
      benchmark::DoNotOptimize(uniforms.data());
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kInstances));
}
BENCHMARK(RandomNumbersAlone)->Arg(25)->Arg(100)->Arg(100'000);

/// Draws of workers a second, where there are many of them: W = 0.3 p, greedy.
void ManyWorkers(benchmark::State& state) {
  const auto workers = state.range(0);
  const Campaign campaign = campaign_of(R"(["greedy"])", one_setting(workers, 0.3 * static_cast<double>(workers)));
  const auto trial = prepare(campaign, 0);
  constexpr std::size_t kFew = 64;
  std::vector<double> reference(kFew);
  std::vector<double> ratio(kFew);
  for (auto _ : state) trial->run({0, kFew, reference.data(), ratio.data(), kFew});
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kFew) * workers);
}
BENCHMARK(ManyWorkers)->Arg(100)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// Changes of an M/M/1 queue a second: the program's walk, and std::exponential_distribution on std::mt19937_64.
void QueueWalk(benchmark::State& state) {
  const StreamKey key = StreamKey::derive(1, 2, Use::kArrival);
  std::uint64_t instance = 0;
  for (auto _ : state) {
    Stream stream(key, ++instance, 0);
    BackgroundWalk<Stream> walk({1, 3, 0}, stream);
    for (int i = 0; i < 1000; ++i) walk.advance();
    benchmark::DoNotOptimize(walk.next_change());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 1000);
}
BENCHMARK(QueueWalk);
void QueueWalkOfTheStandardLibrary(benchmark::State& state) {
  std::mt19937_64 engine(1);
  std::exponential_distribution<double> arrival(1);
  std::exponential_distribution<double> service(3);
  for (auto _ : state) {
    double next_arrival = arrival(engine);
    double next_service = INFINITY;
    int jobs = 0;
    for (int i = 0; i < 1000; ++i) {
      if (next_arrival <= next_service) {
        if (jobs++ == 0) next_service = next_arrival + service(engine);
        next_arrival += arrival(engine);
      } else {
        next_service = --jobs > 0 ? next_service + service(engine) : INFINITY;
      }
    }
    benchmark::DoNotOptimize(next_arrival);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 1000);
}
BENCHMARK(QueueWalkOfTheStandardLibrary);

}  // namespace
}  // namespace coterie::sim

BENCHMARK_MAIN();
