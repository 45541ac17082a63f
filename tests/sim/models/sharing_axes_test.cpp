// Zones from a campaign to its means.
#include "sim/models/sharing_axes.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/sim/models/trial_testing.hpp"

namespace coterie::sim {
namespace {

constexpr const char* kStrategies =
    "strategies = [\"greedy\", \"refined\", \"best\", \"no-replication\", \"cyclic-replication\", \"brute\", "
    "\"random-replication\"]\n";

std::string text_of(std::uint64_t instances, const std::string& settings) {
  return fmt::format("model = \"worksharing\"\nseed = 27\ninstances = {}\n{}{}", instances, kStrategies, settings);
}

std::string case_of(std::size_t workers, const std::string& risk, const std::string& zones) {
  return fmt::format("[[case]]\nworkers = {}\nwork = {}\nchunks = 7\nstartup = 0.02\nrisk = \"{}\"\n{}", workers,
                     0.3 * static_cast<double>(workers), risk, zones);
}

TEST(Zones, ThatBindNobodyGiveTheBitsOfNone) {
  const Rows none = run_rows(text_of(96, case_of(6, "linear", "")));
  for (const char* zones : {"zones = 3\ncommon = 0\nplacement = \"blind\"\n", "zones = 6\ncommon = 0.5\n",
                            "zones = 100\ncommon = 1\nplacement = \"spread\"\n"}) {
    const Rows rows = run_rows(text_of(96, case_of(6, "linear", zones)));
    EXPECT_EQ(rows.reference, none.reference) << zones;
    EXPECT_EQ(rows.ratio, none.ratio) << zones;
  }
  const Rows bound = run_rows(text_of(96, case_of(6, "linear", "zones = 3\ncommon = 0.5\n")));
  EXPECT_NE(bound.reference, none.reference);
}

TEST(Zones, GiveInstancesAnIdentity) {
  expect_instances_have_identity(text_of(300, case_of(9, "linear", "zones = 3\ncommon = 0.4\n")));
}

/// Half-width of the interval of a mean of values in [0, range] at false alarm 1e-10, from the sample's variance.
/// [Audibert, Munos, Szepesvari 2009, Theorem 1]
double half_width(const std::vector<double>& values, double mean, double range) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  const double log = std::log(3e10);
  return std::sqrt(2 * squares / n * log / n) + 3 * range * log / n;
}

// 14 configurations x 7 strategies at 1e-10 each: false alarm below 1e-8. Independent formulas must be caught.
TEST(Zones, MeansAreTheExactExpectations) {
  std::string cases;
  std::size_t number = 0;
  const char* placements[] = {"known", "packed", "spread", "blind"};
  for (const char* risk : {"linear", "linear(kappa=0.5)", "weibull(shape=0.6, scale=0.8)", "exponential(rate=2)",
                           "trace(file=" COTERIE_TEST_DATA "/../../traces/bundled/condor-synthetic.durations)",
                           "mix(2 : linear, 1 : exponential(rate=0.5))", "lognormal(median=0.5, sigma=1)"})
    for (const double common : {0.5, 1.0}) {
      cases += case_of(
          6 + 5 * (number % 3), risk,
          fmt::format("zones = {}\ncommon = {}\nplacement = \"{}\"\n", 2 + number % 3, common, placements[number % 4]));
      ++number;
    }
  const std::size_t instances = 8000;
  const Campaign campaign = parse_campaign(text_of(instances, cases), "campaign.toml");
  std::size_t tested = 0;
  std::size_t caught = 0;
  for (std::size_t c = 0; c < campaign.configurations.size(); ++c) {
    const auto trial = prepared(campaign, c);
    const Rows rows = run_rows(*trial, campaign);
    const double work = campaign.configurations[c].number("work");
    for (std::size_t s = 0; s < campaign.strategies.size(); ++s) {
      const std::string where = campaign.strategies[s] + " of case " + std::to_string(c);
      const double expected = trial->facts()[s].expected;
      std::vector<double> completed(instances);
      double mean = 0;
      for (std::size_t i = 0; i < instances; ++i) {
        completed[i] = rows.ratio[s][i] * rows.reference[i];
        mean += completed[i] / static_cast<double>(instances);
      }
      const double width = half_width(completed, mean, work);
      EXPECT_NEAR(mean, expected, width) << where;
      ++tested;
      const auto& values = campaign.configurations[c];
      const std::string plain = case_of(static_cast<std::size_t>(values.number("workers")), values.text("risk"), "");
      if (values.text("placement") != "packed") continue;
      const Campaign without = parse_campaign(text_of(1, plain), "campaign.toml");
      caught += std::abs(mean - prepared(without)->facts()[s].expected) > width;
    }
  }
  EXPECT_EQ(tested, 98u);
  EXPECT_GT(caught, 5u);
}

/// The share of 40000 instances in which some event of the lives of the replayed workers is true: within 0.0175 of its
/// probability, by Hoeffding at false alarm 2 exp(-2 x 40000 x 0.0175^2) < 1e-10.
constexpr std::size_t kLives = 40000;
constexpr double kLivesWidth = 0.0175;

std::vector<std::vector<double>> lives_of(std::size_t workers, const std::vector<RiskPtr>& risks, const Zones& zones) {
  const SampledTimes times(risks, workers, 0, 27, 1, zones);
  std::vector<std::vector<double>> lives;
  std::vector<double> lanes(times.room());
  for (std::size_t first = 0; first < kLives; first += kLanes) {
    times.draw(first, lanes);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lives.emplace_back();
      for (std::size_t w = 0; w < workers; ++w) lives.back().push_back(lanes[w * kLanes + lane]);
    }
  }
  return lives;
}

// P(T_1 > a, T_2 > b) = min(S(a), S(b))^rho (S(a) S(b))^(1 - rho) within a zone, S(a) S(b) between zones. 3 times 6
// pairs of workers at 4 pairs of times: false alarm below 1e-8.
TEST(Zones, KeepTheLawOfEachWorkerAndJoinThoseOfAZone) {
  const RiskPtr linear = make_linear_risk();
  for (const double common : {0.3, 1.0}) {
    const auto lives = lives_of(4, {linear}, {2, common});
    for (const double a : {0.2, 0.6})
      for (const double b : {0.4, 0.6})
        for (std::size_t v = 0; v < 4; ++v)
          for (std::size_t w = 0; w < 4; ++w) {
            const auto both =
                std::count_if(lives.begin(), lives.end(), [&](const auto& life) { return life[v] > a && life[w] > b; });
            double expected = (1 - a) * (1 - b);
            if (v / 2 == w / 2) expected = std::pow(1 - std::max(a, b), common) * std::pow(expected, 1 - common);
            if (v == w) expected = 1 - std::max(a, b);
            EXPECT_NEAR(static_cast<double>(both) / kLives, expected, kLivesWidth) << common << v << w;
          }
  }
}

// 300 workers are drawn by blocks of 128, which cut zones in two: their zones are the same in both.
TEST(Zones, AreOneThroughBlocksOfWorkers) {
  for (const std::size_t zones : {1, 2, 7, 250}) {
    const SampledTimes times({make_linear_risk()}, 300, 0, 27, 1, {zones, 1});
    std::vector<double> lanes(times.room());
    times.draw(64, lanes);
    for (std::size_t w = 1; w < 300; ++w)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const bool together = Zones{zones, 1}.of(w, 300) == Zones{zones, 1}.of(w - 1, 300);
        ASSERT_EQ(lanes[w * kLanes + lane] == lanes[(w - 1) * kLanes + lane], together) << zones << " " << w;
      }
  }
}

TEST(Zones, AreRefusedWithTheirPlace) {
  const auto message = [](const char* zones) { return refusal(text_of(10, case_of(4, "linear", zones))); };
  EXPECT_NE(message("zones = 0\n").find("zones must be"), std::string::npos) << message("zones = 0\n");
  EXPECT_NE(message("common = 1.5\n").find("campaign.toml:"), std::string::npos);
  EXPECT_NE(message("common = 1.5\n").find("common must be from 0 to 1, not 1.5"), std::string::npos)
      << message("common = 1.5\n");
  EXPECT_NE(message("placement = \"spred\"\n").find("did you mean"), std::string::npos);
  const std::string exact = "variance_reduction = \"exact\"\n";
  EXPECT_NE(refusal(text_of(10, exact + case_of(4, "linear", "zones = 2\ncommon = 0.5\n"))).find("in 2 zones"),
            std::string::npos);
  EXPECT_EQ(refusal(text_of(10, exact + case_of(4, "linear", "zones = 2\n"))), "");
}

TEST(Zones, AreToldByReplays) {
  const Campaign campaign =
      parse_campaign(text_of(10, case_of(4, "linear", "zones = 2\ncommon = 1\n")), "campaign.toml");
  const auto replay = prepared(campaign)->replay(3);
  for (std::size_t w = 0; w < 4; ++w) EXPECT_EQ(replay["workers"][w]["zone"], w / 2);
  EXPECT_EQ(replay["workers"][0]["interruption"], replay["workers"][1]["interruption"]);
  EXPECT_NE(replay["workers"][1]["interruption"], replay["workers"][2]["interruption"]);
}

}  // namespace
}  // namespace coterie::sim
