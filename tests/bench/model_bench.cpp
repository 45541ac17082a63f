// How fast the other models are, each beside what a user would write or take instead: CLP for every linear program,
// plain C++ with the standard library's random numbers for what happens. Each benchmark reports instances a second.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "core/crc64.hpp"
#include "heuristics/return_messages/interrupted_returns.hpp"
#include "heuristics/return_messages/scenario_program.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/bench/trials.hpp"

namespace coterie::sim {
namespace {

Campaign campaign_of(const std::string& text) {
  return parse_campaign("seed = 2013\ninstances = 1000\n" + text, "bench.toml");
}

class Dice {
 public:
  double between(double low, double high) { return low + (high - low) * uniform_(engine_); }
  double log_between(double low, double high) { return low * std::pow(high / low, uniform_(engine_)); }
  template <class Values>
  void shuffle(Values& values) {
    std::shuffle(values.begin(), values.end(), engine_);
  }

 private:
  std::mt19937_64 engine_{2013};
  std::uniform_real_distribution<double> uniform_{0, 1};
};

/// return-messages: stars of four workers.
heuristics::StarPlatform<double> random_star(Dice& dice) {
  heuristics::StarPlatform<double> star(4);
  for (auto& worker : star) {
    worker.send_time = dice.between(0.5, 1.5);
    worker.compute_time = dice.between(0.5, 1.5);
    worker.return_time = 0.8 * worker.send_time;
  }
  return star;
}

/// Both orders, all of them, of the workers in a set.
template <class Visit>
void for_all_orders(const std::vector<std::size_t>& workers, Visit visit) {
  heuristics::Scenario scenario{workers, workers};
  do {
    scenario.return_order = workers;
    do visit(scenario);
    while (std::next_permutation(scenario.return_order.begin(), scenario.return_order.end()));
  } while (std::next_permutation(scenario.send_order.begin(), scenario.send_order.end()));
}

void ReturnPairs(benchmark::State& state) {
  run_trials(state, campaign_of("model = \"return-messages\"\nstrategies = [\"best-pair\"]\n[grid]\nworkers = 4"), 100);
}
BENCHMARK(ReturnPairs)->Unit(benchmark::kMillisecond);

void ReturnPairsByClp(benchmark::State& state) {
  Dice dice;
  for (auto _ : state) {
    const auto star = random_star(dice);
    double best = 0;
    for_all_orders({0, 1, 2, 3}, [&](const heuristics::Scenario& scenario) {
      best = std::max(best, solve_scenario_with_clp(star, scenario, heuristics::Ports::kTwo).throughput);
    });
    benchmark::DoNotOptimize(best);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(ReturnPairsByClp)->Unit(benchmark::kMillisecond);

void ReturnInterruptions(benchmark::State& state) {
  run_trials(state,
             campaign_of("model = \"return-messages\"\nstrategies = [\"best-expected\"]\n[grid]\nworkers = 4\n"
                         "metric = \"expected\"\nhazard = \"log-uniform(low=0.25, high=4)\"\n"
                         "risk = \"exponential(rate=0.5)\""),
             100);
}
BENCHMARK(ReturnInterruptions)->Unit(benchmark::kMillisecond);

void ReturnInterruptionsByClp(benchmark::State& state) {
  Dice dice;
  for (auto _ : state) {
    const auto star = random_star(dice);
    std::vector<double> rates(star.size());
    for (double& rate : rates) rate = 0.5 * dice.log_between(0.25, 4);
    double best = 0;
    for (unsigned subset = 1; subset < 1U << star.size(); ++subset) {
      std::vector<std::size_t> enrolled;
      for (std::size_t i = 0; i < star.size(); ++i)
        if ((subset >> i & 1U) != 0) enrolled.push_back(i);
      for_all_orders(enrolled, [&](const heuristics::Scenario& scenario) {
        const auto sharing = solve_scenario_with_clp(star, scenario, heuristics::Ports::kTwo);
        const std::vector<double> times = return_times(star, sharing, 1);
        double value = 0;
        for (std::size_t i = 0; i < star.size(); ++i) value += sharing.shares[i] * std::exp(-rates[i] * times[i]);
        best = std::max(best, value);
      });
    }
    benchmark::DoNotOptimize(best);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(ReturnInterruptionsByClp)->Unit(benchmark::kMillisecond);

/// worksharing: 25 workers in random orders, and five workers in 147 chunks.
const char* const kRandomOrders =
    "strategies = [\"random-replication\"]\n[grid]\nworkers = 25\nwork = 1\nchunks = 100\nstartup = 0.001";
const char* const kFewWorkers =
    "strategies = [\"greedy\"]\n[grid]\nworkers = 5\nwork = 2\nchunks = 147\nstartup = 0.001";

void RandomOrders(benchmark::State& state) { run_trials(state, campaign_of(kRandomOrders)); }
BENCHMARK(RandomOrders);
void FewWorkers(benchmark::State& state) { run_trials(state, campaign_of(kFewWorkers)); }
BENCHMARK(FewWorkers);

void FewWorkersNaively(benchmark::State& state) {
  const Campaign campaign = campaign_of(kFewWorkers);
  const Configuration& configuration = campaign.configurations.front();
  const heuristics::WorksharingProblem problem{static_cast<std::size_t>(configuration.number("workers")),
                                               configuration.number("work"), configuration.number("startup"),
                                               make_linear_risk(), 1.0};
  const auto chunks = static_cast<std::size_t>(std::stoul(configuration.text("chunks")));
  const heuristics::Plan plan =
      heuristics::worksharing_strategy("greedy").build(problem, {heuristics::Granularity::Kind::kPerUnit, chunks});
  std::vector<double> capacities(problem.workers);
  Dice dice;
  double sum = 0;
  for (auto _ : state) {
    double omniscient = 0;
    for (double& capacity : capacities) {
      capacity = dice.between(0, 1);
      omniscient += std::max(0.0, capacity - problem.startup_cost);
    }
    sum += marked_work(*plan.schedule, capacities) / omniscient;
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(FewWorkersNaively);

/// Each worker takes all chunks in an order of its own, drawn anew.
void RandomOrdersNaively(benchmark::State& state) {
  constexpr std::size_t kChunks = 100;
  Dice dice;
  std::vector<std::size_t> order(kChunks);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (auto _ : state) {
    std::vector<bool> done(kChunks, false);
    double omniscient = 0;
    for (int worker = 0; worker < 25; ++worker) {
      const double capacity = dice.between(0, 1);
      omniscient += std::max(0.0, capacity - 0.001);
      dice.shuffle(order);
      double time = 0;
      for (const std::size_t chunk : order) {
        time += 0.001 + 1.0 / kChunks;
        if (time > capacity) break;
        done[chunk] = true;
      }
    }
    const auto completed = static_cast<double>(std::count(done.begin(), done.end(), true)) / kChunks;
    benchmark::DoNotOptimize(completed / std::min(1.0, omniscient));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(RandomOrdersNaively);

/// What the seal of a file takes for an instance: its ratio and reference, uncompressed.
void Checksums(benchmark::State& state) {
  Dice dice;
  std::vector<double> values(1 << 16);
  for (double& value : values) value = dice.between(0, 1);
  for (auto _ : state) benchmark::DoNotOptimize(Crc64().update(std::as_bytes(std::span(values))).value());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * values.size() / 2));
}
BENCHMARK(Checksums);

}  // namespace
}  // namespace coterie::sim
