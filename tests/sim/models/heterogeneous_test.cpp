#include "sim/models/heterogeneous.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "heuristics/heterogeneous/share_work.hpp"
#include "tests/sim/models/trial_testing.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;

const std::string kAll =
    R"(strategies = ["optimal", "equal-shares", "speed-proportional", "equal-finish", "order-by-bandwidth",
       "order-by-risk", "order-by-speed"]
)";
const std::string kReplicated = "strategies = [\"replicated\", \"optimal\", \"equal-finish\"]\n";
const std::string kPlatform = R"toml(
speed = "uniform(low=0.5, high=2)"
bandwidth = "log-uniform(low=1, high=20)"
kappa = "uniform(low=0.2, high=1)"
)toml";

std::string campaign(const std::string& instances, const std::string& grid, const std::string& strategies = kAll) {
  return "model = \"heterogeneous\"\nseed = 2011\ninstances = " + instances + "\n" + strategies + "[grid]\n" + grid;
}

constexpr double kWork = 2;
constexpr double kInstances = 50000;
/// Work completed lies in [0, W]: the mean of n instances is further than this from its expectation with probability
/// at most 1e-10 = 2 exp(-2 n tolerance^2 / W^2). [Hoeffding 1963] 21 means are compared.
const double kTolerance = kWork * std::sqrt(std::log(2 / 1e-10) / (2 * kInstances));

/// Compares every strategy's mean work on one platform with its exact expectation, and gives the expectations.
std::vector<double> means_against_expectations(const std::string& grid, const std::string& strategies) {
  const std::string head = "workers = 5\nwork = 2\nplatform = \"configuration\"\n";
  const Campaign read = parse_campaign(campaign("50000", head + grid, strategies), "campaign.toml");
  const auto trial = prepared(read);
  const Rows rows = run_rows(*trial, read);
  std::vector<double> expected;
  for (std::size_t s = 0; s < read.strategies.size(); ++s) {
    expected.push_back(trial->facts()[s].expected);
    double sum = 0;
    for (std::size_t i = 0; i < rows.reference.size(); ++i) sum += rows.ratio[s][i] * rows.reference[i];
    EXPECT_NEAR(sum / kInstances, expected.back(), kTolerance) << read.strategies[s] << "\n" << grid;
    EXPECT_LE(expected.back(), expected[0] * (1 + 1e-12)) << read.strategies[s] << "\n" << grid;
  }
  return expected;
}

TEST(HeterogeneousModel, MeanWorkIsTheExactExpectation) {
  means_against_expectations(kPlatform, kAll);
  means_against_expectations("bandwidth = \"uniform(low=0.5, high=8)\"\n",
                             "strategies = [\"optimal\", \"printed-theorem-4\"]\n");
}

TEST(HeterogeneousModel, MeanWorkWithCopiesIsTheExactExpectation) {
  for (const char* setting : {"rounds = \"one\"\n", "rounds = \"several\"\n", "startup = 0.05\n",
                              "startup = 0.05\nrounds = \"several\"\ndeployment = \"forced\"\n"}) {
    const auto expected = means_against_expectations("pieces = 6\n" + kPlatform + setting, kReplicated);

    EXPECT_GT(expected[0], expected[1] + kTolerance) << setting;
  }
}

/// These tests would see a worker that starts to compute without having waited for its message.
TEST(HeterogeneousModel, TheMeanTellsWaitingFromNoWaiting) {
  const Campaign read = parse_campaign(
      campaign("1", "workers = 5\nwork = 2\nplatform = \"configuration\"\n" + kPlatform), "campaign.toml");
  const nlohmann::ordered_json replay = prepared(read)->replay(0);

  double without_waiting = 0;
  const auto& optimal = replay["strategies"][0];
  for (std::size_t w = 0; w < 5; ++w) {
    const double share = optimal["shares"][w];
    const double time = share / replay["workers"][w]["speed"].get<double>();
    without_waiting += share * std::max(0.0, 1 - replay["workers"][w]["kappa"].get<double>() * time);
  }

  EXPECT_GT(without_waiting - optimal["expected_work"].get<double>(), 2 * kTolerance);
}

TEST(HeterogeneousModel, RatiosLieBetweenNothingAndAll) {
  for (const char* deployment : {"forced", "optional"}) {
    const Rows rows = run_rows(
        campaign("3000", "workers = 6\nwork = 4\ndeployment = \"" + std::string(deployment) + "\"\n" + kPlatform));

    for (const auto& row : rows.ratio)
      for (const double ratio : row) {
        ASSERT_GE(ratio, 0);
        ASSERT_LE(ratio, 1);
      }
    for (const double reference : rows.reference) ASSERT_LE(reference, 4);
  }
}

TEST(HeterogeneousModel, PlatformsAreNewForEachInstanceUnlessOneIsAskedFor) {
  const Campaign each = parse_campaign(campaign("2", "workers = 3\nwork = 1\n" + kPlatform), "campaign.toml");
  const Campaign one = parse_campaign(
      campaign("2", "workers = 3\nwork = 1\nplatform = \"configuration\"\n" + kPlatform), "campaign.toml");

  const auto speeds = [](const Campaign& read, std::uint64_t instance) {
    return prepared(read)->replay(instance)["workers"][0]["speed"].get<double>();
  };

  EXPECT_NE(speeds(each, 0), speeds(each, 1));
  EXPECT_EQ(speeds(one, 0), speeds(one, 1));
  EXPECT_TRUE(std::isnan(prepared(each)->facts()[0].expected));
}

TEST(HeterogeneousModel, PrintedTheorem4LosesToTheCorrectedOne) {
  const Campaign read = parse_campaign(
      campaign("1", "workers = 20\nwork = 1\nplatform = \"configuration\"\nbandwidth = \"uniform(low=0.5, high=8)\"\n",
               "strategies = [\"optimal\", \"printed-theorem-4\"]\n"),
      "campaign.toml");

  const std::vector<StrategyFacts> facts = prepared(read)->facts();

  EXPECT_LT(facts[1].expected, facts[0].expected);
}

TEST(HeterogeneousModel, InstancesHaveIdentity) {
  expect_instances_have_identity(campaign("600", "workers = 4\nwork = [1, 3]\n" + kPlatform));
  expect_instances_have_identity(campaign("600", "workers = 4\nwork = 1\nplatform = \"configuration\"\n" + kPlatform));
  expect_instances_have_identity(
      campaign("300", "workers = 3\nwork = 1\npieces = 4\nstartup = 0.05\n" + kPlatform, kReplicated));
}

TEST(HeterogeneousModel, TheSameLawWrittenDifferentlyIsTheSameConfiguration) {
  const auto identity = [](const std::string& law) {
    return parse_campaign(campaign("1", "workers = 2\nwork = 1\nspeed = \"" + law + "\"\n"), "campaign.toml")
        .configurations[0]
        .identity;
  };

  EXPECT_EQ(identity("uniform(low=.5, high=2)"), identity("uniform(high=2.0, low=1/2)"));
  EXPECT_NE(identity("uniform(low=.5, high=2)"), identity("log-uniform(low=.5, high=2)"));
}

TEST(HeterogeneousModel, RefusesWhatIsNoPlatform) {
  const auto with = [](const std::string& grid, const std::string& strategies = kAll) {
    return refusal(campaign("1", grid, strategies));
  };

  EXPECT_EQ(with("workers = 2\nwork = 1\n"), "");
  EXPECT_EQ(with("workers = 2\nwork = 1\nbandwidth = \"constant(value=inf)\"\n"), "");
  EXPECT_THAT(with("workers = 0\nwork = 1\n"), HasSubstr("workers must be a whole number from 1 to 100000, not 0"));
  EXPECT_THAT(with("workers = 2\nwork = 0\n"), HasSubstr("work must be positive and finite, not 0"));
  EXPECT_THAT(with("workers = 2\nwork = 1\nspeed = \"uniform(low=2, high=1)\"\n"), HasSubstr("0 < low <= high"));
  EXPECT_THAT(with("workers = 2\nwork = 1\nspeed = \"unifrom(low=1, high=2)\"\n"),
              HasSubstr("did you mean \"uniform\"?"));
  EXPECT_THAT(with("workers = 2\nwork = 1\nkappa = \"constant(value=inf)\"\n"), HasSubstr("finite values"));
  EXPECT_THAT(with("workers = 2\nwork = 1\nkappa = \"constant(value=-1)\"\n"), HasSubstr("above 0, not -1"));
  EXPECT_THAT(with("workers = 2\nwork = 1\ndeployment = \"force\"\n"), HasSubstr("did you mean \"forced\"?"));
  EXPECT_THAT(with("workers = 2\nwork = 1\nstartup = -1\n"), HasSubstr("startup must be finite and not negative"));
  EXPECT_THAT(with("workers = 2\nwork = 1\nrounds = \"two\"\n"), HasSubstr("rounds must be \"one\" or \"several\""));
  EXPECT_THAT(with("workers = 2\nwork = 1\npieces = \"auto-paper\"\n"), HasSubstr("pieces per unit of work"));
  EXPECT_THAT(with("workers = 2\nwork = 2000\npieces = 1\n", kReplicated), HasSubstr("at most 1000 pieces"));
  EXPECT_THAT(with("workers = 2000\nwork = 1\n", kReplicated), HasSubstr("at most 1000 for replicated"));
  EXPECT_THAT(with("workers = 2\nwork = 1\n" + kPlatform, "strategies = [\"printed-theorem-4\"]\n"),
              HasSubstr("differ only in bandwidth"));
}

}  // namespace
}  // namespace coterie::sim
