// How fast the simulation is, stage by stage, against its own random numbers and against plain code: `scripts/bench`
// makes the table of goals of it. Each benchmark reports the instances (or draws, or jobs) a second.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <random>

#include "core/background_law.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/campaign/campaign.hpp"
#include "sim/engine/engine.hpp"
#include "sim/kernels/kernel.hpp"
#include "sim/run/campaign_results.hpp"
#include "sim/sampling/background.hpp"
#include "sim/statistics/statistics.hpp"
#include "tests/bench/trials.hpp"

namespace coterie::sim {
namespace {

const char* const kFive = R"(["greedy", "cyclic-replication", "no-replication", "brute", "random-replication"])";
const char* const kFour = R"(["greedy", "cyclic-replication", "no-replication", "brute"])";
/// Those of the campaigns in scripts/campaigns.
const char* const kSix = R"(["greedy", "refined", "best", "cyclic-replication", "no-replication", "brute"])";

Campaign campaign_of(const std::string& strategies, const std::string& grid) {
  return parse_campaign(fmt::format("seed = 2013\ninstances = 1000\nstrategies = {}\n[grid]\n{}\n", strategies, grid),
                        "bench.toml");
}

/// Experiment E5 of worksharing-2013.
Campaign e5(const std::string& strategies) {
  return campaign_of(strategies,
                     "workers = [5, 10, 25, 50, 100]\nwork = \"1..workers\"\n"
                     "startup = [0.1, 0.01, 0.001, 0.0001]\nrisk = \"linear\"");
}

/// The campaign of traces, two of the eight; run from anywhere. Workloads are not left out: configurations have slices
/// in common, whose chunks are counted once.
Campaign traces(const std::string& strategies) {
  return campaign_of(strategies, fmt::format("workers = [5, 10, 25, 50, 100]\nwork = \"1..workers\"\n"
                                             "startup = [0.1, 0.01, 0.001, 0.0001]\n"
                                             "risk = [\"trace(file={0}/sdsc-synthetic.durations)\","
                                             " \"trace(file={0}/condor-synthetic.durations)\"]",
                                             COTERIE_TRACES_FOLDER));
}

/// All instances, schedules ready.
void E5Instances(benchmark::State& state) { run_trials(state, e5(kFour)); }
BENCHMARK(E5Instances)->Unit(benchmark::kMillisecond);
void TracesInstances(benchmark::State& state) { run_trials(state, traces(kFour)); }
BENCHMARK(TracesInstances)->Unit(benchmark::kMillisecond);
void E5InstancesOfSix(benchmark::State& state) { run_trials(state, e5(kSix)); }
BENCHMARK(E5InstancesOfSix)->Unit(benchmark::kMillisecond);
void TracesInstancesOfSix(benchmark::State& state) { run_trials(state, traces(kSix)); }
BENCHMARK(TracesInstancesOfSix)->Unit(benchmark::kMillisecond);

/// Schedules alone: choosing n, building, expected work, compiling. The campaign is read anew each time, so that
/// nothing is remembered of what was chosen before.
void make_plans(benchmark::State& state, Campaign (*campaign_of_strategies)(const std::string&),
                const char* strategies) {
  for (auto _ : state) {
    state.PauseTiming();
    const Campaign campaign = campaign_of_strategies(strategies);
    state.ResumeTiming();
    for (std::size_t c = 0; c < campaign.configurations.size(); ++c) benchmark::DoNotOptimize(prepare(campaign, c));
  }
  count_instances(state, campaign_of_strategies(strategies));
}
void E5Plans(benchmark::State& state) { make_plans(state, e5, kFour); }
BENCHMARK(E5Plans)->Unit(benchmark::kMillisecond);
void TracesPlans(benchmark::State& state) { make_plans(state, traces, kFour); }
BENCHMARK(TracesPlans)->Unit(benchmark::kMillisecond);
void E5PlansOfSix(benchmark::State& state) { make_plans(state, e5, kSix); }
BENCHMARK(E5PlansOfSix)->Unit(benchmark::kMillisecond);
void TracesPlansOfSix(benchmark::State& state) { make_plans(state, traces, kSix); }
BENCHMARK(TracesPlansOfSix)->Unit(benchmark::kMillisecond);

/// What refined and best take of E1, where the chunks are given; a few of its workloads.
Campaign e1(const std::string& strategies) {
  return campaign_of(strategies,
                     "workers = [5, 10, 25, 50, 100]\nwork = \"1..workers:24\"\nchunks = [47, 97, 147, 197]\n"
                     "startup = [0.1, 0.01, 0.001, 0.0001]\nrisk = \"linear\"");
}
const char* const kSeven =
    R"(["greedy", "refined", "best", "cyclic-replication", "no-replication", "random-replication", "brute"])";
void E1Instances(benchmark::State& state) { run_trials(state, e1(kSeven)); }
BENCHMARK(E1Instances)->Unit(benchmark::kMillisecond);
void E1Plans(benchmark::State& state) { make_plans(state, e1, kFive); }
BENCHMARK(E1Plans)->Unit(benchmark::kMillisecond);
void E1PlansWithRefinedAndBest(benchmark::State& state) { make_plans(state, e1, kSeven); }
BENCHMARK(E1PlansWithRefinedAndBest)->Unit(benchmark::kMillisecond);

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What choosing n takes: by how much longer each schedule takes than the same with the number given. The two are made
/// in turn, so that what else goes on in the machine takes its time of both.
void choose(benchmark::State& state, const Campaign& campaign) {
  struct Question {
    heuristics::WorksharingProblem problem;
    const heuristics::Strategy* strategy;
  };
  std::vector<Question> questions;
  for (const Configuration& configuration : campaign.configurations) {
    const heuristics::WorksharingProblem problem{static_cast<std::size_t>(configuration.number("workers")),
                                                 configuration.number("work"), configuration.number("startup"),
                                                 campaign.risks->get(configuration.text("risk"), {}), 1.0};
    for (const std::string& name : campaign.strategies)
      questions.push_back({problem, &heuristics::worksharing_strategy(name)});
  }
  using heuristics::Granularity;
  for (auto _ : state) {
    heuristics::SliceCache memory;  // as the model of a campaign remembers them
    double seconds = 0;
    for (const Question& question : questions) {
      const double begin = thread_seconds();
      const auto plan = question.strategy->build(question.problem, {Granularity::Kind::kAuto, 0, &memory});
      const double middle = thread_seconds();
      const std::size_t count = plan.coteries.empty() ? plan.chunks : plan.coteries.front().chunking.count();
      const double begin_given = thread_seconds();
      benchmark::DoNotOptimize(question.strategy->build(question.problem, {Granularity::Kind::kPerSlice, count}));
      seconds += middle - begin - (thread_seconds() - begin_given);
    }
    state.SetIterationTime(seconds);
  }
  count_instances(state, campaign);
}
void E5Choosing(benchmark::State& state) { choose(state, e5(kFour)); }
BENCHMARK(E5Choosing)->Unit(benchmark::kMillisecond)->UseManualTime();
void TracesChoosing(benchmark::State& state) { choose(state, traces(kFour)); }
BENCHMARK(TracesChoosing)->Unit(benchmark::kMillisecond)->UseManualTime();

/// The random numbers of E5's instances alone.
void E5RandomNumbers(benchmark::State& state) {
  const Campaign campaign = e5(kFour);
  const LaneLoops& loops = best_lane_loops();
  std::vector<double> uniforms(100 * kLanes);
  for (auto _ : state)
    for (const Configuration& configuration : campaign.configurations)
      for (std::size_t first = 0; first < kInstances; first += kLanes) {
        loops.uniforms(1, 2, first, 0, static_cast<std::size_t>(configuration.number("workers")), uniforms.data());
        benchmark::DoNotOptimize(uniforms.data());
      }
  count_instances(state, campaign);
}
BENCHMARK(E5RandomNumbers)->Unit(benchmark::kMillisecond);

/// What a campaign of E5's size leaves to be kept: ratios and references, random, or else processors would learn them.
std::vector<ResultRow> rows_of(const Campaign& campaign) {
  std::mt19937_64 engine(2013);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<ResultRow> rows;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c)
    for (std::size_t column = 0; column <= campaign.strategies.size(); ++column) {
      const auto values = std::make_shared<double[]>(kInstances);
      std::generate_n(values.get(), kInstances, [&] { return uniform(engine); });
      rows.push_back({{c, column, 0, kInstances, {}}, values});
    }
  return rows;
}

/// Means, deviations and quantiles of all rows.
void E5Statistics(benchmark::State& state) {
  const Campaign campaign = e5(kFour);
  const std::vector<ResultRow> rows = rows_of(campaign);
  for (auto _ : state)
    for (const ResultRow& row : rows)
      if (row.span.column != kReferenceColumn) benchmark::DoNotOptimize(summarise(row.values()));
  count_instances(state, campaign);
}
BENCHMARK(E5Statistics)->Unit(benchmark::kMillisecond);

/// Many instances of few workers of which statistics are kept, and their trial alone.
Campaign of_statistics() {
  return parse_campaign(
      "seed = 2013\ninstances = 1000000\noutput = \"statistics\"\nstrategies = [\"no-replication\", \"brute\"]\n"
      "[grid]\nworkers = 5\nwork = 1\nstartup = 0.001\nchunks = 5\n",
      "bench.toml");
}
void KeptStatistics(benchmark::State& state) {
  const Campaign campaign = of_statistics();
  RunControl control;
  control.threads = 1;
  control.keep = [](const std::vector<ResultRow>& rows) { benchmark::DoNotOptimize(rows.data()); };
  for (auto _ : state) {
    Progress progress(1, campaign.total_instances(), 0);
    compute_rows(campaign, missing_rows(campaign, {}, {}), control, progress);
  }
  count_instances(state, campaign, campaign.total_instances());
}
BENCHMARK(KeptStatistics)->Unit(benchmark::kMillisecond);
void TrialsOfStatistics(benchmark::State& state) {
  const Campaign campaign = of_statistics();
  const auto trial = prepare(campaign, 0);
  std::vector<double> reference(kBlockInstances), ratios(2 * kBlockInstances);
  for (auto _ : state)
    for (std::uint64_t first = 0; first < campaign.total_instances(); first += kBlockInstances) {
      trial->run({first, kBlockInstances, reference.data(), ratios.data(), kBlockInstances});
      benchmark::DoNotOptimize(ratios.data());
    }
  count_instances(state, campaign, campaign.total_instances());
}
BENCHMARK(TrialsOfStatistics)->Unit(benchmark::kMillisecond);

/// The result file, uncompressed, with those statistics.
void E5Store(benchmark::State& state) {
  const Campaign campaign = e5(kFour);
  const std::string path =
      (std::filesystem::temp_directory_path() / fmt::format("coterie-bench-{}.h5", getpid())).string();
  for (auto _ : state) {
    state.PauseTiming();
    std::vector<ResultRow> rows = rows_of(campaign);
    std::filesystem::remove(path);  // of the iteration before
    CampaignResults results(path, campaign, {}, Existing::kReplace, 1e9);
    state.ResumeTiming();
    results.add(std::move(rows));
    results.publish({}, 1);
  }
  std::filesystem::remove(path);
  count_instances(state, campaign);
}
BENCHMARK(E5Store)->Unit(benchmark::kMillisecond);

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
          const double work = marked_work(*plan.schedule, capacities);
          sum += omniscient > 0 ? work / omniscient : 1;
        }
      }
    }
  benchmark::DoNotOptimize(sum);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * plans.size() * kFewer));
}
BENCHMARK(E5Naively)->Unit(benchmark::kMillisecond);

std::string one_setting(std::int64_t workers, double work, int chunks = 100) {
  return fmt::format("workers = {}\nwork = {}\nstartup = 0.001\nchunks = {}", workers, work, chunks);
}

/// Whole instances, five strategies, 100 chunks per unit of work; and the random numbers of the same instances alone.
void WholeInstances(benchmark::State& state) { run_trials(state, campaign_of(kFive, one_setting(state.range(0), 1))); }
BENCHMARK(WholeInstances)->Arg(25)->Arg(100);
void WholeInstancesOfStaticStrategies(benchmark::State& state) {
  run_trials(state, campaign_of(kFour, one_setting(state.range(0), 1)));
}
BENCHMARK(WholeInstancesOfStaticStrategies)->Arg(25)->Arg(100);
/// The same where no two schedules complete the same work: cyclic replication replicates nothing where the number of
/// workers divides that of chunks.
void WholeInstancesOfDifferentSchedules(benchmark::State& state) {
  run_trials(state, campaign_of(kFour, one_setting(state.range(0), 1, 97)));
}
BENCHMARK(WholeInstancesOfDifferentSchedules)->Arg(25)->Arg(100);
void RandomNumbersAlone(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  std::vector<double> uniforms((workers + 3) / 4 * 4 * kLanes);
  const LaneLoops& loops = best_lane_loops();
  for (auto _ : state)
    for (std::size_t first = 0; first < kInstances; first += kLanes) {
      loops.uniforms(1, 2, first, 0, workers, uniforms.data());
      benchmark::DoNotOptimize(uniforms.data());
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kInstances));
}
BENCHMARK(RandomNumbersAlone)->Arg(25)->Arg(100);

/// Draws of workers a second, where there are many of them: W = 0.3 p, greedy.
void ManyWorkers(benchmark::State& state) {
  const auto workers = state.range(0);
  const Campaign campaign = campaign_of(R"(["greedy"])", one_setting(workers, 0.3 * static_cast<double>(workers)));
  const auto trial = prepare(campaign, 0);
  constexpr std::size_t kFew = 250;  // a block of the engine
  std::vector<double> reference(kFew);
  std::vector<double> ratio(kFew);
  for (auto _ : state) trial->run({0, kFew, reference.data(), ratio.data(), kFew});
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kFew) * workers);
}
BENCHMARK(ManyWorkers)->Arg(100)->Arg(100'000)->Unit(benchmark::kMillisecond);

/// Changes of M/M/1 queues a second, on the way to what 25 workers get done in 32 instances before interruptions up to
/// which a queue changes 50 times on average: the program's loops, its readable walk, and the same walk with
/// std::exponential_distribution on std::mt19937_64.
struct QueueWalks {
  static constexpr std::size_t kWorkers = 25;
  BackgroundLaw law{1, 3, 0};
  std::vector<double> times;
  std::int64_t changes = 0;

  QueueWalks() : times(kWorkers * kLanes) {
    Stream stream(StreamKey::derive(1, 2, Use::kInterruption), 0, 0);
    for (double& time : times) {
      time = 100 / 1.5 * to_uniform(stream());
      BackgroundWalk<Stream> walk(law, Stream(StreamKey::derive(1, 2, Use::kArrival), 0, 0));
      for (; walk.next_change() < time; walk.advance()) ++changes;
    }
  }
};

void QueueWalk(benchmark::State& state) {
  const QueueWalks walks;
  const StreamKey key = StreamKey::derive(1, 2, Use::kArrival);
  const auto background = make_background(Expression::parse("mm1(arrival=1, service=3)"));
  std::vector<double> capacities;
  std::uint64_t instance = 0;
  for (auto _ : state) {
    capacities = walks.times;
    background->capacities(key, instance, QueueWalks::kWorkers, kLanes, INFINITY, best_lane_loops(), capacities);
    benchmark::DoNotOptimize(capacities.data());
    instance += kLanes;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * walks.changes);
}
BENCHMARK(QueueWalk);

void QueueWalkOneByOne(benchmark::State& state) {
  const QueueWalks walks;
  const StreamKey key = StreamKey::derive(1, 2, Use::kArrival);
  const auto background = make_background(Expression::parse("mm1(arrival=1, service=3)"));
  std::uint64_t instance = 0;
  for (auto _ : state)
    for (const double time : walks.times) {
      Stream stream(key, ++instance, 0);
      benchmark::DoNotOptimize(background->capacity(time, INFINITY, stream));
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * walks.changes);
}
BENCHMARK(QueueWalkOneByOne);

void QueueWalkOfTheStandardLibrary(benchmark::State& state) {
  const QueueWalks walks;
  std::mt19937_64 engine(1);
  std::exponential_distribution<double> arrival(walks.law.arrival);
  std::exponential_distribution<double> service(walks.law.service);
  for (auto _ : state)
    for (const double interruption : walks.times) {
      double next_arrival = arrival(engine);
      double next_departure = INFINITY;
      double time = 0;
      double work = 0;
      int jobs = 0;
      while (true) {
        const double end = std::min({next_arrival, next_departure, interruption});
        work += (end - time) / (jobs + 1);
        time = end;
        if (end == interruption) break;
        if (end == next_arrival) {
          if (jobs++ == 0) next_departure = end + service(engine);
          next_arrival += arrival(engine);
        } else {
          next_departure = --jobs > 0 ? end + service(engine) : INFINITY;
        }
      }
      benchmark::DoNotOptimize(work);
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * walks.changes);
}
BENCHMARK(QueueWalkOfTheStandardLibrary);

}  // namespace
}  // namespace coterie::sim

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
