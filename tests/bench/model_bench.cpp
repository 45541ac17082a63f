// How fast the other models are, each beside what a user would write or take instead: CLP for every linear program,
// plain C++ with the standard library's random numbers for what happens. Each benchmark reports instances a second.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "core/background_law.hpp"
#include "core/crc64.hpp"
#include "heuristics/background/background_plans.hpp"
#include "heuristics/heterogeneous/informed_bound.hpp"
#include "heuristics/heterogeneous/linear_platform.hpp"
#include "heuristics/heterogeneous/replicated_sharing.hpp"
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
  double exponential(double rate) { return std::exponential_distribution<double>(rate)(engine_); }
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

/// background: three workers of four processors have jobs, rates per time slot of 0.01, as in Fig. 12 of
/// time-varying-2019.
constexpr double kSlot = 0.01;
constexpr double kArrival = 0.1 / kSlot;
constexpr double kService = 0.125 / kSlot;

heuristics::RandomTree tree_of_four() {
  heuristics::RandomTree tree{1, 4, {SharingRule(1)}, {}, {}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    tree.processors.push_back({SharingRule(1), i});
    tree.links.push_back({SharingRule(1.1 + 0.1 * static_cast<double>(i)), std::nullopt});
    tree.processes.push_back({kArrival, kService});
  }
  return tree;
}

void TimeVaryingTrials(benchmark::State& state) {
  const heuristics::RandomTree tree = tree_of_four();
  constexpr std::uint64_t kTrials = 1000;
  for (auto _ : state)
    benchmark::DoNotOptimize(
        heuristics::plan_by_simulation(tree, StreamKey::derive(1, 2, Use::kPlan), kTrials).schedule.finish_time);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTrials));
}
BENCHMARK(TimeVaryingTrials)->Unit(benchmark::kMillisecond);

/// Slots in the order of time, as the paper tells its algorithms.
class Slots {
 public:
  explicit Slots(Dice& dice) {
    for (auto& speeds : speeds_) {
      double arrival = dice.exponential(kArrival);
      double departure = INFINITY;
      int jobs = 0;
      for (std::size_t slot = 0; slot < kMost; ++slot) {
        const double end = static_cast<double>(slot + 1) * kSlot;
        while (std::min(arrival, departure) <= end) {
          if (arrival <= departure) {
            if (jobs++ == 0) departure = arrival + dice.exponential(kService);
            arrival += dice.exponential(kArrival);
          } else {
            departure = --jobs > 0 ? departure + dice.exponential(kService) : INFINITY;
          }
        }
        speeds.push_back(1.0 / (4 * (jobs + 1)));
      }
    }
  }

  /// What all get done by `finish`, each worker beginning when it has what it will have processed then.
  double done_by(double finish) const {
    const auto last = static_cast<std::size_t>(finish / kSlot);
    double sum = finish / 4;
    std::size_t start = 0;
    for (std::size_t i = 0; i < speeds_.size(); ++i) {
      double can_process = 0;
      for (std::size_t slot = start; slot < last; ++slot) can_process += speeds_[i][slot] * kSlot;
      const double link = 1 / (1.1 + 0.1 * static_cast<double>(i));
      double sent = 0;
      for (; start < last && sent < can_process; ++start) {
        sent += link * kSlot;
        can_process -= speeds_[i][start] * kSlot;
      }
      sum += sent;
    }
    return sum;
  }

  double finish_time() const {
    double low = 0;
    double high = 4;
    while (high - low > kSlot) (done_by((low + high) / 2) < 1 ? low : high) = (low + high) / 2;
    return high;
  }

 private:
  static constexpr std::size_t kMost = 400;  // the control processor alone takes as long
  std::array<std::vector<double>, 3> speeds_;
};

void TimeVaryingTrialsBySlots(benchmark::State& state) {
  Dice dice;
  for (auto _ : state) benchmark::DoNotOptimize(Slots(dice).finish_time());
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(TimeVaryingTrialsBySlots);

/// heterogeneous: the optimal shares of ten workers on a platform that each instance draws anew.
void HeterogeneousShares(benchmark::State& state) {
  run_trials(state, campaign_of("model = \"heterogeneous\"\nstrategies = [\"optimal\"]\n[grid]\nworkers = 10\n"
                                "work = 5\nspeed = \"uniform(low=0.5, high=2)\"\n"
                                "bandwidth = \"log-uniform(low=1, high=10)\"\nkappa = \"uniform(low=0.2, high=1)\""));
}
BENCHMARK(HeterogeneousShares)->Unit(benchmark::kMillisecond);

std::vector<heuristics::LinearWorker> random_platform(Dice& dice) {
  std::vector<heuristics::LinearWorker> platform(10);
  for (auto& worker : platform) worker = {dice.between(0.5, 2), dice.log_between(1, 10), dice.between(0.2, 1)};
  std::sort(platform.begin(), platform.end(),
            [](const auto& a, const auto& b) { return a.risk_rate * a.bandwidth > b.risk_rate * b.bandwidth; });
  return platform;
}

/// The nearest shares of at most `work`: all that are positive fall alike.
void fit_into(double work, std::vector<double>& shares) {
  for (;;) {
    const double excess = std::accumulate(shares.begin(), shares.end(), 0.0) - work;
    if (excess <= 1e-12 * work) return;
    const auto positive =
        static_cast<double>(std::count_if(shares.begin(), shares.end(), [](double share) { return share > 0; }));
    for (double& share : shares) share = std::max(0.0, share - (share > 0 ? excess / positive : 0));
  }
}

/// Shares of at most `work`, by gradient ascent with finite differences in the best order.
std::vector<double> shares_by_gradient(const std::vector<heuristics::LinearWorker>& platform, double work) {
  constexpr double kProbe = 1e-6;
  std::vector<double> shares(platform.size(), 0.1 * work / static_cast<double>(platform.size()));
  std::vector<double> moved(shares.size());
  double value = heuristics::expected_work(platform, shares);
  for (double step = 0.1; step > 1e-7;) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double kept = shares[i];
      shares[i] += kProbe;
      moved[i] = std::max(0.0, kept + step * (heuristics::expected_work(platform, shares) - value) / kProbe);
      shares[i] = kept;
    }
    fit_into(work, moved);
    const double found = heuristics::expected_work(platform, moved);
    step = found > value ? 1.5 * step : step / 2;
    if (!(found > value)) continue;
    shares = moved;
    value = found;
  }
  return shares;
}

void HeterogeneousSharesByGradient(benchmark::State& state) {
  constexpr double kWork = 5;
  Dice dice;
  for (int trial = 0; trial < 20; ++trial) {
    const auto platform = random_platform(dice);
    const double best = heuristics::share_work({platform, kWork, heuristics::Deployment::kOptional, std::nullopt,
                                                heuristics::SharingMethod::kOptimal})
                            .expected_work;
    if (heuristics::expected_work(platform, shares_by_gradient(platform, kWork)) < (1 - 1e-4) * best)
      return state.SkipWithError("the gradient has not found the optimum");
  }
  double sum = 0;
  for (auto _ : state) {
    const auto platform = random_platform(dice);
    const std::vector<double> shares = shares_by_gradient(platform, kWork);
    const std::vector<double> ends = heuristics::finish_times(platform, shares);
    std::vector<double> times(platform.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
      times[i] = dice.between(0, 1) / platform[i].risk_rate;
      if (ends[i] <= times[i]) sum += shares[i];
    }
    benchmark::DoNotOptimize(sum /
                             heuristics::informed_work_bound(platform, times, kWork, 0, heuristics::Rounds::kOne));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(HeterogeneousSharesByGradient);

/// heterogeneous, one platform for all instances: copies, plans ready.
constexpr std::size_t kCopyingWorkers = 10;
void HeterogeneousCopies(benchmark::State& state) {
  run_trials(state, campaign_of("model = \"heterogeneous\"\nstrategies = [\"replicated\"]\n[grid]\nworkers = 10\n"
                                "work = 5\nstartup = 0.01\npieces = 8\nplatform = \"configuration\"\n"
                                "bandwidth = \"constant(value=10)\""));
}
BENCHMARK(HeterogeneousCopies);

void HeterogeneousCopiesNaively(benchmark::State& state) {
  Dice dice;
  std::vector<heuristics::LinearWorker> platform(kCopyingWorkers, {1, 10, 1});
  const std::vector<heuristics::RiskyWorker> workers = heuristics::under_linear_risk(platform);
  const heuristics::ReplicationProblem problem{
      workers, 5, 0.01, heuristics::Deployment::kOptional, heuristics::Rounds::kOne, 1.0 / 8};
  const Schedule schedule = to_schedule(heuristics::replicate_work(problem).plan, workers, 0.01);
  std::vector<double> times(kCopyingWorkers);
  for (auto _ : state) {
    for (double& time : times) time = dice.between(0, 1);
    benchmark::DoNotOptimize(marked_work(schedule, times) /
                             heuristics::informed_work_bound(platform, times, 5, 0.01, heuristics::Rounds::kOne));
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(HeterogeneousCopiesNaively);

/// now: FIFO in random orders of 32 workers, whose equations have a closed form, and both orders random, which have
/// none.
void now_instances(benchmark::State& state, const char* strategy) {
  run_trials(state, campaign_of(fmt::format("model = \"now\"\nstrategies = [\"{}\"]\n[grid]\nworkers = 32\n"
                                            "rates = \"halving\"\ngrain = 1\nlifespan = 3600",
                                            strategy)));
}
void NowFifo(benchmark::State& state) { now_instances(state, "random-fifo"); }
BENCHMARK(NowFifo)->Unit(benchmark::kMillisecond);
void NowOrders(benchmark::State& state) { now_instances(state, "random-orders"); }
BENCHMARK(NowOrders)->Unit(benchmark::kMillisecond);

/// The paper's equations by plain elimination.
void NowByElimination(benchmark::State& state) {
  constexpr std::size_t kWorkers = 32;
  constexpr double kPackaging = 1e-5;
  constexpr double kLatency = 1.5e-4;
  constexpr double kTransit = 1e-6;
  constexpr double kSetup = 3e-4;
  constexpr double kLifespan = 3600;
  Dice dice;
  std::vector<std::size_t> start(kWorkers);
  std::iota(start.begin(), start.end(), std::size_t{0});
  std::vector<std::size_t> finish = start;
  for (auto _ : state) {
    dice.shuffle(start);
    dice.shuffle(finish);
    std::vector<std::size_t> started(kWorkers);
    std::vector<std::size_t> finished(kWorkers);
    for (std::size_t k = 0; k < kWorkers; ++k) {
      started[start[k]] = k;
      finished[finish[k]] = k;
    }
    std::vector<std::vector<double>> rows(kWorkers, std::vector<double>(kWorkers + 1));
    for (std::size_t i = 0; i < kWorkers; ++i) {
      const double rho = 1 - std::exp2(-static_cast<double>(i + 1));
      rows[i][kWorkers] = kLifespan - 2 * kSetup - 2 * (kLatency - kTransit);
      for (std::size_t j = 0; j < kWorkers; ++j) {
        if (i == j) rows[i][j] = rho + kPackaging + 2 * kTransit + 2 * rho * kPackaging;
        if (started[j] < started[i]) {
          rows[i][j] += kPackaging + kTransit;
          rows[i][kWorkers] -= kSetup + kLatency - kTransit;
        }
        if (finished[j] > finished[i]) {
          rows[i][j] += kTransit;
          rows[i][kWorkers] -= kSetup + kLatency - kTransit;
        }
      }
    }
    for (std::size_t k = 0; k < kWorkers; ++k) {
      for (std::size_t i = k + 1; i < kWorkers; ++i)
        if (std::abs(rows[i][k]) > std::abs(rows[k][k])) std::swap(rows[i], rows[k]);
      for (std::size_t i = k + 1; i < kWorkers; ++i) {
        const double factor = rows[i][k] / rows[k][k];
        for (std::size_t j = k; j <= kWorkers; ++j) rows[i][j] -= factor * rows[k][j];
      }
    }
    double work = 0;
    std::vector<double> shares(kWorkers);
    for (std::size_t k = kWorkers; k-- > 0;) {
      double value = rows[k][kWorkers];
      for (std::size_t j = k + 1; j < kWorkers; ++j) value -= rows[k][j] * shares[j];
      work += shares[k] = value / rows[k][k];
    }
    benchmark::DoNotOptimize(work);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
BENCHMARK(NowByElimination);

/// worksharing of 25 workers: with background jobs, in random orders, and five workers in 147 chunks.
const char* const kWithJobs =
    "strategies = [\"greedy\", \"cyclic-replication\", \"no-replication\", \"brute\"]\n[grid]\nworkers = 25\n"
    "work = 7.5\nchunks = 100\nstartup = 0.001\nbackground = \"mm1(arrival=50, service=100)\"";
const char* const kRandomOrders =
    "strategies = [\"random-replication\"]\n[grid]\nworkers = 25\nwork = 1\nchunks = 100\nstartup = 0.001";
const char* const kFewWorkers =
    "strategies = [\"greedy\"]\n[grid]\nworkers = 5\nwork = 2\nchunks = 147\nstartup = 0.001";

void BackgroundInstances(benchmark::State& state) { run_trials(state, campaign_of(kWithJobs)); }
BENCHMARK(BackgroundInstances)->Unit(benchmark::kMillisecond);
void RandomOrders(benchmark::State& state) { run_trials(state, campaign_of(kRandomOrders)); }
BENCHMARK(RandomOrders);
void FewWorkers(benchmark::State& state) { run_trials(state, campaign_of(kFewWorkers)); }
BENCHMARK(FewWorkers);

/// How much of `time` is left for our job beside a queue's.
double beside_jobs(Dice& dice, double arrivals, double services, double time) {
  double arrival = dice.exponential(arrivals);
  double departure = INFINITY;
  double now = 0;
  double work = 0;
  for (int jobs = 0;;) {
    const double end = std::min({arrival, departure, time});
    work += (end - now) / (jobs + 1);
    now = end;
    if (end == time) return work;
    if (end == arrival) {
      if (jobs++ == 0) departure = end + dice.exponential(services);
      arrival += dice.exponential(arrivals);
    } else {
      departure = --jobs > 0 ? end + dice.exponential(services) : INFINITY;
    }
  }
}

std::vector<heuristics::Plan> plans_of(const Campaign& campaign) {
  const Configuration& configuration = campaign.configurations.front();
  const heuristics::WorksharingProblem problem{static_cast<std::size_t>(configuration.number("workers")),
                                               configuration.number("work"), configuration.number("startup"),
                                               make_linear_risk(), 1.0};
  const auto chunks = static_cast<std::size_t>(std::stoul(configuration.text("chunks")));
  std::vector<heuristics::Plan> plans;
  for (const std::string& name : campaign.strategies)
    plans.push_back(
        heuristics::worksharing_strategy(name).build(problem, {heuristics::Granularity::Kind::kPerUnit, chunks}));
  return plans;
}

void naive_instances(benchmark::State& state, const char* text, bool with_jobs) {
  const Campaign campaign = campaign_of(text);
  const std::vector<heuristics::Plan> plans = plans_of(campaign);
  const Configuration& configuration = campaign.configurations.front();
  std::vector<double> capacities(static_cast<std::size_t>(configuration.number("workers")));
  Dice dice;
  double sum = 0;
  for (auto _ : state) {
    double omniscient = 0;
    for (double& capacity : capacities) {
      capacity = dice.between(0, 1);
      if (with_jobs) capacity = beside_jobs(dice, 50, 100, capacity);
      omniscient += std::max(0.0, capacity - configuration.number("startup"));
    }
    for (const auto& plan : plans) sum += marked_work(*plan.schedule, capacities) / omniscient;
  }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
void BackgroundInstancesNaively(benchmark::State& state) { naive_instances(state, kWithJobs, true); }
BENCHMARK(BackgroundInstancesNaively);
void FewWorkersNaively(benchmark::State& state) { naive_instances(state, kFewWorkers, false); }
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
