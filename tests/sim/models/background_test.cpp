#include "sim/models/background.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/sim/models/trial_testing.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;

const std::string kAll =
    "\"simulation-based\", \"iterative\", \"before-correction\", \"no-background\", \"sample-average\", "
    "\"control-alone\"";

std::string campaign(const std::string& instances, const std::string& grid, const std::string& strategies = kAll) {
  return "model = \"background\"\nseed = 2019\ninstances = " + instances + "\nstrategies = [" + strategies +
         "]\n[grid]\ntrials = 50\n" + grid;
}

/// Links are slower one after the other and share their jobs: no division finishes before the clairvoyant one.
TEST(BackgroundModel, NoFixedSplitBeatsTheClairvoyant) {
  for (const char* varying : {"workers", "all"}) {
    const Rows rows =
        run_rows(campaign("300", "processors = 5\nrates = \"slot\"\nvarying = \"" + std::string(varying) + "\"\n"));

    for (const auto& row : rows.ratio) {
      ASSERT_GE(*std::min_element(row.begin(), row.end()), 1 - 1e-9);
      EXPECT_GT(*std::max_element(row.begin(), row.end()), 1.01);
    }
  }
}

/// Table II: without background jobs every plan finishes at 1.4070 (E2), the control processor alone at W Tcp = 4.
TEST(BackgroundModel, WithoutJobsAllPlansAreTable2) {
  for (const char* evaluation : {"predicted", "realised"}) {
    const Rows rows = run_rows(campaign("5", "processors = 4\njobs = \"mm1(arrival=0, service=1)\"\nevaluation = \"" +
                                                 std::string(evaluation) + "\"\n"));

    for (std::size_t i = 0; i < 5; ++i) {
      ASSERT_NEAR(rows.reference[i], 1.4070, 5e-5);
      for (std::size_t s = 0; s < 5; ++s) ASSERT_NEAR(rows.ratio[s][i], 1, 1e-9);
      ASSERT_NEAR(rows.ratio[5][i] * rows.reference[i], 4, 1e-12);
    }
  }
}

/// What a method predicts is its trials' finishing times, the same in all instances that stand for the same trial.
TEST(BackgroundModel, PredictionsRepeatWithTheTrials) {
  const Rows rows = run_rows(campaign("120", "processors = 4\nrates = \"slot\"\nevaluation = \"predicted\"\n"));
  const auto predicted = [&](std::size_t s, std::size_t i) { return rows.ratio[s][i] * rows.reference[i]; };

  for (std::size_t i = 0; i + 50 < 120; ++i)
    for (std::size_t s = 0; s < 5; ++s) ASSERT_NEAR(predicted(s, i), predicted(s, i + 50), 1e-12);
  EXPECT_GT(std::abs(predicted(0, 0) - predicted(0, 1)), 1e-6);
  for (std::size_t i = 1; i < 120; ++i) {
    ASSERT_NEAR(predicted(2, i), predicted(2, 0), 1e-12);
    ASSERT_NEAR(predicted(3, i), 1.4070, 5e-5);
  }
}

/// Plans come from other backgrounds than the instances: the trials' finishing times are not the clairvoyant's.
TEST(BackgroundModel, PlansDoNotSeeTheInstances) {
  const Rows rows = run_rows(campaign("50", "processors = 4\nrates = \"slot\"\nevaluation = \"predicted\"\n"));

  int equal = 0;
  for (const double ratio : rows.ratio[0]) equal += std::abs(ratio - 1) < 1e-9 ? 1 : 0;

  EXPECT_LT(equal, 25);
}

/// The trials of the simulation-based method and the clairvoyant's instances have the same law. Two samples of n = 2000
/// differ in distribution by more than d with probability at most 2 exp(-n d^2 / 2) or so [Dvoretzky, Kiefer, Wolfowitz
/// on each half: 4 exp(-2 n (d/2)^2)]: 4e-9 at d = 0.145.
TEST(BackgroundModel, PredictionsHaveTheLawOfTheReference) {
  const Campaign read = parse_campaign(
      "model = \"background\"\nseed = 2019\ninstances = 2000\nstrategies = [\"simulation-based\"]\n[grid]\n"
      "trials = 2000\nprocessors = 4\nrates = \"slot\"\nevaluation = \"predicted\"\n",
      "campaign.toml");
  const Rows rows = run_rows(*prepared(read), read);
  std::vector<double> predicted;
  for (std::size_t i = 0; i < 2000; ++i) predicted.push_back(rows.ratio[0][i] * rows.reference[i]);
  std::vector<double> reference = rows.reference;
  std::sort(predicted.begin(), predicted.end());
  std::sort(reference.begin(), reference.end());

  double distance = 0;
  for (std::size_t i = 0; i < 2000; ++i) {
    const auto below = std::lower_bound(reference.begin(), reference.end(), predicted[i] * (1 - 1e-9));
    const auto above = std::upper_bound(reference.begin(), reference.end(), predicted[i] * (1 + 1e-9));
    const double least = static_cast<double>(below - reference.begin()) / 2000;
    const double most = static_cast<double>(above - reference.begin()) / 2000;
    const double own = static_cast<double>(i) / 2000;
    const bool first = i == 0 || predicted[i] > predicted[i - 1] * (1 + 1e-9);
    if (first) distance = std::max({distance, own - most, least - own});
  }

  EXPECT_LT(distance, 0.145);
}

/// Jobs in pairs, Section 4.1: 40 jobs slow four processors down, and without any there is Table II.
TEST(BackgroundModel, PairsOfTimesMakeSection4) {
  const std::string strategies = "\"no-background\", \"control-alone\"";
  const Rows none = run_rows(campaign("3", "processors = 4\njobs = \"pairs(jobs=0)\"\n", strategies));
  const Rows some = run_rows(campaign("200", "processors = 4\njobs = \"pairs(jobs=40)\"\n", strategies));
  const double mean = std::accumulate(some.reference.begin(), some.reference.end(), 0.0) / 200;

  EXPECT_NEAR(none.reference[0], 1.4070, 5e-5);
  EXPECT_GT(mean, 1.5);
  for (std::size_t i = 0; i < 200; ++i) {
    ASSERT_GT(some.reference[i], 1.4070 - 5e-5);
    ASSERT_LT(some.reference[i], 4);
    ASSERT_NEAR(some.ratio[1][i] * some.reference[i], 4, 1e-9);  // the speedup times the finishing time
  }
}

TEST(BackgroundModel, InstancesHaveIdentity) {
  for (const char* evaluation : {"predicted", "realised"})
    expect_instances_have_identity(
        campaign("300", "processors = [4, 3]\nvarying = \"all\"\nevaluation = \"" + std::string(evaluation) + "\"\n"));
  expect_instances_have_identity(
      campaign("300", "processors = 4\njobs = \"pairs(jobs=10)\"\n", "\"no-background\", \"control-alone\""));
}

TEST(BackgroundModel, RefusesWhatIsNoTree) {
  const auto with = [](const std::string& grid) { return refusal(campaign("1", grid)); };

  EXPECT_EQ(with("processors = 2\n"), "");
  EXPECT_THAT(with("processors = 1\n"), HasSubstr("processors must be a whole number from 2 to 100000, not 1"));
  EXPECT_THAT(with("processors = 2\nw = 0\n"), HasSubstr("w must be positive and finite"));
  EXPECT_THAT(with("processors = 2\nvarying = \"links\"\n"), HasSubstr("varying must be \"workers\" or \"all\""));
  EXPECT_THAT(with("processors = 2\njobs = \"mm1(arrival=1, service=1)\"\n"), HasSubstr("needs an equilibrium"));
  EXPECT_THAT(with("processors = 2\njobs = \"mm1(arrival=1)\"\n"), HasSubstr("\"service\" is missing"));
  EXPECT_THAT(with("processors = 2\njobs = \"mm1(arrival=1, service=0)\"\n"), HasSubstr("service must be a positive"));
  EXPECT_THAT(with("processors = 2\njobs = \"mm1(arrival=1, service=2, departures=none)\"\n"),
              HasSubstr("departures must be full or shared"));
  EXPECT_THAT(with("processors = 2\njobs = \"pairs(jobs=4)\"\n"), HasSubstr("an mm1(...) for the strategy"));
  EXPECT_THAT(with("processors = 2\njobs = \"pairs(jobs=1.5)\"\n"), HasSubstr("jobs must be a whole number"));
  EXPECT_THAT(with("processors = 2\njobs = \"pairs(jobs=4)\"\nrates = \"slot\"\n"),
              HasSubstr("rates must be time-unit"));
  EXPECT_THAT(with("processors = 2\njobs = \"pair(jobs=4)\"\n"), HasSubstr("did you mean \"pairs\"?"));
}

}  // namespace
}  // namespace coterie::sim
