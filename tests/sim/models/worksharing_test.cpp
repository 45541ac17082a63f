// The whole way from a campaign to its means, against exact expected work.
#include "sim/models/worksharing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/stream.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/campaign/campaign.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kInstances = 8000;

/// Random cases that any strategy can run, with risks of every kind. The trace has ties, zeros and a long tail.
class Cases {
 public:
  Cases() : stream_(StreamKey::derive(2013, identity_hash("worksharing cases"), Use::kPlatform), 0, 0) {}

  std::string next() {
    static const char* risks[] = {"linear",
                                  "linear(kappa=0.5)",
                                  "weibull(shape=0.6, scale=0.8)",
                                  "weibull(shape=3, scale=1)",
                                  "exponential(rate=2)",
                                  "lognormal(median=0.5, sigma=1)",
                                  "hyperexponential(p=0.7, rate1=4, rate2=0.5)",
                                  "trace(file=cases.durations, format=durations)"};
    const std::size_t workers = whole(1, 20);
    const double work = real(0.1, 1.3) * static_cast<double>(workers);
    const std::string chunks = whole(0, 4) == 0 ? "\"auto\"" : std::to_string(whole(1, 40));
    static const double startups[] = {0.002, 0.01, 0.05, 0.15};
    static const double lambdas[] = {1, 1, 0.9, 0.6, 0.3};
    return fmt::format("[[case]]\nworkers = {}\nwork = {}\nchunks = {}\nstartup = {}\nrisk = \"{}\"\nlambda = {}\n",
                       workers, work, chunks, startups[whole(0, 3)], risks[count_++ % std::size(risks)],
                       lambdas[whole(0, 4)]);
  }

 private:
  std::size_t whole(std::size_t least, std::size_t most) {
    return boost::random::uniform_int_distribution<std::size_t>(least, most)(stream_);
  }
  double real(double least, double most) {
    return boost::random::uniform_real_distribution<double>(least, most)(stream_);
  }
  Stream stream_;
  std::size_t count_ = 0;
};

/// A folder with a trace, of this process alone, removed at its end.
struct TraceFolder {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("coterie-worksharing-test-{}", ::getpid());
  TraceFolder() {
    std::filesystem::create_directories(path);
    std::ofstream trace(path / "cases.durations");
    for (int i = 0; i < 40; ++i) trace << (i % 8 == 0 ? 0.2 : i % 5 == 0 ? 1.0 : 0.05 * i + 0.001 * i * i) << '\n';
  }
  ~TraceFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

std::string directory() {
  static const TraceFolder folder;
  return folder.path.string();
}

/// Every strategy that takes any problem: two-workers needs two workers, optimal small charts.
Campaign campaign_of(const std::string& cases, std::uint64_t instances = kInstances) {
  std::string names;
  for (const auto& strategy : heuristics::worksharing_strategies())
    if (strategy.name != "two-workers" && strategy.name != "optimal")
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", strategy.name);
  return parse_campaign(fmt::format("seed = 20131126\ninstances = {}\nstrategies = [{}]\n{}", instances, names, cases),
                        directory() + "/campaign.toml");
}

struct Results {
  std::vector<double> reference;
  std::vector<double> ratio;  // strategy by strategy
  std::vector<StrategyFacts> facts;
};

Results run(const Campaign& campaign, std::size_t configuration) {
  const auto trial = campaign.model->prepare(
      {campaign.configurations[configuration], campaign.seed, campaign.strategies, *campaign.risks});
  Results results;
  results.reference.resize(campaign.instances);
  results.ratio.resize(campaign.instances * campaign.strategies.size());
  results.facts = trial->facts();
  trial->run({0, static_cast<std::size_t>(campaign.instances), results.reference.data(), results.ratio.data(),
              static_cast<std::size_t>(campaign.instances)});
  return results;
}

/// Mean of values in [0, range] and the half-width of its interval at false alarm 1e-10, from the sample's variance:
/// sqrt(2 V ln(3/a) / N) + 3 range ln(3/a) / N. [Audibert, Munos, Szepesvari 2009, Theorem 1]
struct Mean {
  double value = 0;
  double half_width = 0;
};

Mean mean_of(std::span<const double> values, double range) {
  double sum = 0;
  double squares = 0;
  for (const double value : values) sum += value;
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double log = std::log(3e10);
  return {mean, std::sqrt(2 * squares / n * log / n) + 3 * range * log / n};
}

std::vector<double> work_of(const Results& results, std::size_t strategy) {
  const std::size_t n = results.reference.size();
  std::vector<double> work(n);
  for (std::size_t i = 0; i < n; ++i) work[i] = results.ratio[strategy * n + i] * results.reference[i];
  return work;
}

/// The planted error: every task's risk is that of the task after it.
double expected_a_step_late(const Schedule& schedule, const Risk& risk) {
  std::vector<double> lost(schedule.pieces(), 1);
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList list = schedule.tasks(w);
    for (std::size_t k = 0; k < list.tasks.size(); ++k)
      lost[list.tasks[k].first_piece] *= risk.probability(list.finish[std::min(k + 1, list.finish.size() - 1)]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < lost.size(); ++i) sum += schedule.piece_sizes()[i] * (1 - lost[i]);
  return sum;
}

// 48 configurations x 10 or more strategies at 1e-10 each: false alarm below 1e-7 in total up to 1000 means.
TEST(Worksharing, MeansAreTheExactExpectations) {
  Cases cases;
  std::string text;
  for (int i = 0; i < 48; ++i) text += cases.next();
  const Campaign campaign = campaign_of(text);
  std::size_t tested = 0;
  std::size_t planted = 0;
  std::size_t caught = 0;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) {
    const Configuration& configuration = campaign.configurations[c];
    const Results results = run(campaign, c);
    const heuristics::WorksharingProblem problem{static_cast<std::size_t>(configuration.number("workers")),
                                                 configuration.number("work"),
                                                 configuration.number("startup"),
                                                 campaign.risks->get(configuration.text("risk")),
                                                 configuration.number("lambda"),
                                                 0};
    for (std::size_t s = 0; s < campaign.strategies.size(); ++s) {
      const Mean mean = mean_of(work_of(results, s), problem.work);
      const std::string where = fmt::format("{} in configuration {}", campaign.strategies[s], configuration.canonical);
      EXPECT_NEAR(mean.value, results.facts[s].expected, mean.half_width) << where;
      ++tested;
      const auto plan = heuristics::worksharing_strategy(campaign.strategies[s])
                            .build(problem, heuristics::Granularity::parse(configuration.text("chunks")));
      EXPECT_EQ(plan.expected_work, results.facts[s].expected) << where;
      if (!plan.schedule || plan.schedule->tasks(0).tasks.size() < 2) continue;
      ++planted;
      caught += std::abs(mean.value - expected_a_step_late(*plan.schedule, *problem.risk)) > mean.half_width;
    }
  }

  EXPECT_LE(tested, 1000u);
  EXPECT_GT(planted, 200u);
  EXPECT_GT(static_cast<double>(caught), 0.6 * static_cast<double>(planted));
}

// 6 configurations x 5 strategies at 1e-10 each: false alarm below 1e-8 in total. The trace is walked over its atoms: a
// worker that no job visits ends its chunks at the same times as without a background.
TEST(Worksharing, MeansAreTheExactExpectationsBesideBackgroundJobsToo) {
  std::string text;
  const std::pair<const char*, const char*> laws[] = {
      {"linear", "mm1(arrival=4, service=5)"},
      {"linear(kappa=0.5)", "mm1(arrival=1, service=3, initial=2, departures=shared)"},
      {"exponential(rate=2)", "mm1(arrival=50, service=100)"},
      {"hyperexponential(p=0.7, rate1=4, rate2=0.5)", "mm1(arrival=2, service=1)"},
      {"trace(file=cases.durations, format=durations)", "mm1(arrival=3, service=5)"},
      {"weibull(shape=0.6, scale=0.8)", "mm1(arrival=0, service=0, initial=1)"}};
  for (const auto& [risk, background] : laws)
    text += fmt::format(
        "[[case]]\nworkers = 4\nwork = 1.1\nchunks = 6\nstartup = 0.02\nrisk = \"{}\"\nbackground = \"{}\"\n", risk,
        background);
  const Campaign campaign = campaign_of(text);
  std::size_t known = 0;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) {
    const Results results = run(campaign, c);
    for (std::size_t s = 0; s < campaign.strategies.size(); ++s) {
      const std::string where =
          fmt::format("{} in configuration {}", campaign.strategies[s], campaign.configurations[c].canonical);
      if (campaign.strategies[s] == "random-replication") {
        EXPECT_TRUE(std::isnan(results.facts[s].expected)) << where;
        continue;
      }
      const Mean mean = mean_of(work_of(results, s), 1.1);
      EXPECT_NEAR(mean.value, results.facts[s].expected, mean.half_width) << where;
      ++known;
    }
  }
  EXPECT_EQ(known, 6 * (campaign.strategies.size() - 1));
}

TEST(Worksharing, ExpectsNothingThatOnlyASimulationKnows) {
  for (const char* background :
       {"mm1(arrival=1, service=3, common=yes)", "mm1(arrival=1, service=3, startup=wall)",
        "mm1(arrival=0, service=0, initial=1, startup=wall)", "mm1(arrival=80000, service=100000)"}) {
    const Campaign campaign = campaign_of(
        fmt::format("[[case]]\nworkers = 2\nwork = 1\nchunks = 3\nstartup = 0.1\nbackground = \"{}\"\n", background),
        10);
    for (const StrategyFacts& facts : run(campaign, 0).facts) EXPECT_TRUE(std::isnan(facts.expected)) << background;
  }
  // No jobs at all: as without a background.
  const Campaign idle = campaign_of(
      "[[case]]\nworkers = 2\nwork = 1\nchunks = 3\nstartup = 0.1\nbackground = \"mm1(arrival=0, service=1, "
      "startup=wall)\"\n"
      "[[case]]\nworkers = 2\nwork = 1\nchunks = 3\nstartup = 0.1\n",
      10);
  EXPECT_EQ(run(idle, 0).facts.front().expected, run(idle, 1).facts.front().expected);
}

// Strategies whose schedules complete the same work are run once: nobody can tell.
TEST(Worksharing, GivesAStrategyTheSameRatiosInAnyCompany) {
  const char* cases = R"toml(
[grid]
workers = [1, 2, 25]
work = [1, 1.5]
chunks = [40, "auto"]
startup = 0.001
risk = ["linear", "trace(file=cases.durations, format=durations)"]
background = ["none", "mm1(arrival=10, service=20)", "mm1(arrival=10, service=20, startup=wall)"]
)toml";
  Campaign campaign = campaign_of(cases, 100);
  const std::vector<std::string> all = {
      "no-replication", "random-replication", "cyclic-replication", "greedy", "refined", "best", "brute"};
  std::size_t alike = 0;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) {
    campaign.strategies = all;
    const Results together = run(campaign, c);
    std::set<std::vector<double>> different;
    for (std::size_t s = 0; s < all.size(); ++s) {
      campaign.strategies = {all[s]};
      const std::vector<double> alone = run(campaign, c).ratio;
      const auto begin = together.ratio.begin() + static_cast<std::ptrdiff_t>(s * campaign.instances);
      ASSERT_TRUE(std::equal(alone.begin(), alone.end(), begin))
          << all[s] << " in configuration " << campaign.configurations[c].canonical;
      alike += different.insert(alone).second ? 0 : 1;
    }
  }
  EXPECT_GT(alike, 20u);  // or nothing was shared
}

// No ratio above 1, no work of anybody above the omniscient's.
TEST(Worksharing, RatiosLieBetween0And1AndReplayGivesThemAgain) {
  Cases cases;
  std::string text;
  for (int i = 0; i < 16; ++i)
    text += cases.next() + (i % 2 == 0 ? "" : "background = \"mm1(arrival=1, service=3)\"\n");
  const Campaign campaign = campaign_of(text, 200);
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) {
    const Results results = run(campaign, c);
    const auto trial =
        campaign.model->prepare({campaign.configurations[c], campaign.seed, campaign.strategies, *campaign.risks});
    const double startup = campaign.configurations[c].number("startup");
    for (std::size_t i = 0; i < 200; ++i) {
      const auto replay = trial->replay(i);
      ASSERT_EQ(replay["reference"].get<double>(), results.reference[i]);
      double most = 0;
      for (const auto& worker : replay["workers"]) {
        const double capacity = worker["capacity"].is_null() ? INFINITY : worker["capacity"].get<double>();
        if (worker["interruption"].is_number()) {
          ASSERT_LE(capacity, worker["interruption"].get<double>());
        }
        most += std::max(0.0, capacity - startup);
      }
      ASSERT_EQ(results.reference[i], std::min(most, campaign.configurations[c].number("work")));
      for (std::size_t s = 0; s < campaign.strategies.size(); ++s) {
        const double ratio = results.ratio[s * 200 + i];
        ASSERT_GE(ratio, 0);
        ASSERT_LE(ratio, 1);
        ASSERT_EQ(replay["strategies"][s]["ratio"].get<double>(), ratio);
        ASSERT_EQ(replay["strategies"][s]["name"], campaign.strategies[s]);
        ASSERT_LE(replay["strategies"][s]["work"].get<double>(), results.reference[i] * (1 + 1e-12) + 1e-15);
      }
    }
  }
}

// Any part of a configuration can be run alone, in any order.
TEST(Worksharing, AnInstanceDoesNotDependOnItsBlock) {
  const Campaign campaign = campaign_of(Cases().next() + "background = \"mm1(arrival=1, service=3)\"\n", 100);
  const Results whole = run(campaign, 0);
  const auto trial =
      campaign.model->prepare({campaign.configurations[0], campaign.seed, campaign.strategies, *campaign.risks});
  const std::size_t strategies = campaign.strategies.size();
  for (const std::size_t size : {1, 7, 33}) {
    std::vector<double> reference(100);
    std::vector<double> ratio(100 * strategies);
    for (std::size_t end = 100; end > 0;) {
      const std::size_t begin = end - std::min<std::size_t>(size, end);
      trial->run({begin, end - begin, reference.data() + begin, ratio.data() + begin, 100});
      end = begin;
    }
    ASSERT_EQ(reference, whole.reference);
    ASSERT_EQ(ratio, whole.ratio);
  }
}

TEST(Worksharing, OmniscientThatCompletesNothingMakesEveryRatio1) {
  const Campaign campaign = campaign_of("[[case]]\nworkers = 3\nwork = 1\nchunks = 2\nstartup = 5\n", 20);
  const Results results = run(campaign, 0);

  for (const double reference : results.reference) EXPECT_EQ(reference, 0);
  for (const double ratio : results.ratio) EXPECT_EQ(ratio, 1);
}

// Neighbouring settings see the same interruptions: greedy at less start-up cost is never worse in any instance where
// the chunks are the same.
TEST(Worksharing, CommonRandomNumbersShareInstances) {
  const std::string grid =
      "[grid]\nworkers = 6\nwork = 3\nchunks = 10\nstartup = [0.001, 0.01, 0.1]\nrisk = \"exponential\"\n";
  const Campaign common = campaign_of("common_random_numbers = true\n" + grid, 500);
  const Campaign apart = campaign_of(grid, 500);
  const Results cheap = run(common, 0);
  const Results dear = run(common, 2);
  for (std::size_t i = 0; i < 500; ++i) {
    ASSERT_GE(cheap.reference[i], dear.reference[i]);
    ASSERT_GE(cheap.ratio[i] * cheap.reference[i], dear.ratio[i] * dear.reference[i] - 1e-12);
  }
  const Results other = run(apart, 0);
  const Results another = run(apart, 2);
  std::size_t reversed = 0;
  for (std::size_t i = 0; i < 500; ++i) reversed += other.reference[i] < another.reference[i];
  EXPECT_GT(reversed, 10u);
}

}  // namespace
}  // namespace coterie::sim
