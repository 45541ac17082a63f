#include "sim/models/return_messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "heuristics/return_messages/closed_forms.hpp"
#include "tests/sim/models/trial_testing.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;

std::string campaign(const std::string& instances, const std::string& strategies, const std::string& grid) {
  return "model = \"return-messages\"\nseed = 2005\ninstances = " + instances + "\nstrategies = [" + strategies +
         "]\n[grid]\n" + grid;
}

const std::string kFast = "\"opt-lifo\", \"fifo-inc-c\", \"fifo-inc-w\"";

/// No FIFO schedule beats the best one, and whatever is best over all orders beats everything.
TEST(ReturnMessagesModel, RatiosKeepTheirOrder) {
  for (const char* ports : {"two", "one"}) {
    const Rows rows =
        run_rows(campaign("60", kFast + ", \"best-pair\"",
                          "workers = 4\nz = 0.5\nwc_ratio = 2\nports = \"" + std::string(ports) + "\"\n"));

    for (std::size_t i = 0; i < rows.reference.size(); ++i) {
      ASSERT_LE(rows.ratio[1][i], 1 + 1e-12);
      ASSERT_LE(rows.ratio[2][i], 1 + 1e-12);
      for (std::size_t s = 0; s < 3; ++s) ASSERT_GE(rows.ratio[3][i], rows.ratio[s][i] - 1e-9);
      ASSERT_GE(rows.ratio[3][i], 1 - 1e-9);
    }
  }
}

/// End of Section 4: with z = 1 the order of the workers has no importance.
TEST(ReturnMessagesModel, WithEqualMessagesBothFifoHeuristicsAgree) {
  const Rows rows = run_rows(campaign("300", kFast, "workers = 30\nz = 1\nwc_ratio = 1\n"));

  for (std::size_t i = 0; i < rows.reference.size(); ++i) ASSERT_NEAR(rows.ratio[1][i], rows.ratio[2][i], 1e-9);
}

/// One worker: rho = 1 / (c + w + d), whatever the strategy.
TEST(ReturnMessagesModel, OneWorkerHasItsClosedForm) {
  const Campaign read = parse_campaign(campaign("20", kFast, "workers = 1\nz = 0.8\nwc_ratio = 3\n"), "campaign.toml");
  const auto trial = prepared(read);
  const Rows rows = run_rows(*trial, read);

  for (std::size_t i = 0; i < rows.reference.size(); ++i) {
    const nlohmann::ordered_json star = trial->replay(i)["star"][0];
    const double time = star["send"].get<double>() + star["compute"].get<double>() + star["return"].get<double>();
    ASSERT_NEAR(rows.reference[i], 1 / time, 1e-12);
    ASSERT_GE(star["send"].get<double>(), 0.5);
    ASSERT_LE(star["send"].get<double>(), 1.5);
    ASSERT_NEAR(star["return"].get<double>(), 0.8 * star["send"].get<double>(), 1e-15);
    ASSERT_GE(star["compute"].get<double>(), 1.5);
    ASSERT_LE(star["compute"].get<double>(), 4.5);
    for (const auto& row : rows.ratio) ASSERT_NEAR(row[i], 1, 1e-12);
  }
}

/// c is uniform on [0.5, 1.5]: the mean of n draws is further than t from 1 with probability at most 2 exp(-2 n t^2)
/// [Hoeffding 1963]; t = 0.03 at n = 20000 is 5e-16, and a law of [0.5, 1.6] would be found.
TEST(ReturnMessagesModel, StarsFollowTheirLaws) {
  const Campaign read = parse_campaign(campaign("200", kFast, "workers = 100\nwc_ratio = 1\n"), "campaign.toml");
  const auto trial = prepared(read);

  double send = 0;
  double compute = 0;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const nlohmann::ordered_json replay = trial->replay(i);
    for (const auto& worker : replay["star"]) {
      send += worker["send"].get<double>() / 20000;
      compute += worker["compute"].get<double>() / 20000;
    }
  }

  EXPECT_NEAR(send, 1, 0.03);
  EXPECT_NEAR(compute, 1, 0.03);
}

TEST(ReturnMessagesModel, EnrolledWorkersAreCounted) {
  const Rows few = run_rows(campaign("50", kFast, "workers = 20\nwc_ratio = 0.1\nmetric = \"enrolled\"\n"));
  const Rows many = run_rows(campaign("50", kFast, "workers = 20\nwc_ratio = 100\nmetric = \"enrolled\"\n"));

  for (std::size_t i = 0; i < 50; ++i) {
    ASSERT_EQ(few.reference[i], std::floor(few.reference[i]));
    ASSERT_LT(few.reference[i], 20);
    ASSERT_EQ(many.reference[i], 20);
    ASSERT_EQ(few.ratio[0][i] * few.reference[i], 20);  // LIFO enrols everyone: Theorem 1
  }
}

TEST(ReturnMessagesModel, WorkersWhoseSharesAreTooSmallForADoubleAreEnrolled) {
  const Rows rows = run_rows(campaign("2", kFast, "workers = 1000\nwc_ratio = 0.1\nmetric = \"enrolled\"\n"));
  for (std::size_t i = 0; i < 2; ++i) ASSERT_EQ(std::round(rows.ratio[0][i] * rows.reference[i]), 1000);
}

const std::string kInterrupted =
    "workers = 4\nrisk = \"exponential(rate=1)\"\nhazard = \"log-uniform(low=0.25, high=4)\"\n";

/// Sampled against exact, on random stars: returned - expected has mean 0 given the star and lies in an interval as
/// long as the whole work W of that star, so that the mean of (returned - expected) / W over n stars is further than
/// sqrt(ln(2 / a) / (2 n)) from 0 with probability at most a [Hoeffding 1963]; a = 1e-10 for each of the 3 means, n =
/// 6300. Samples that counted a worker's work although it was interrupted during its return message must be found out.
TEST(ReturnMessagesModel, SampledReturnsAgreeWithTheirExpectation) {
  constexpr std::size_t kStars = 6300;
  const Campaign read =
      parse_campaign(campaign("1", kFast, kInterrupted + "wc_ratio = 1\nmetric = \"returned\"\n"), "campaign.toml");
  const auto trial = prepared(read);
  std::vector<double> excess(3, 0.0);
  double early = 0;
  for (std::uint64_t i = 0; i < kStars; ++i) {
    const auto replay = trial->replay(i);
    for (std::size_t s = 0; s < 3; ++s) {
      const auto& row = replay["strategies"][s];
      const double whole = row["throughput"];
      excess[s] += (row["returned"].get<double>() - row["expected"].get<double>()) / whole / kStars;
      if (s > 0) continue;
      double counted = 0;
      for (std::size_t w = 0; w < 4; ++w) {
        const double load = row["shares"][w];
        const double begin = row["return_times"][w].get<double>() - load * replay["star"][w]["return"].get<double>();
        if (replay["star"][w]["interruption"].get<double>() >= begin) counted += load;
      }
      early += (counted - row["expected"].get<double>()) / whole / kStars;
    }
  }

  const double bound = std::sqrt(std::log(2 / 1e-10) / (2.0 * kStars));
  for (const double value : excess) EXPECT_NEAR(value, 0, bound);
  EXPECT_GT(std::abs(early), bound);
}

/// The exact expectation of the orders that know the risks is the greatest; the sampled metric is that of the replay.
TEST(ReturnMessagesModel, KnowingTheRisksIsBest) {
  const std::string strategies = kFast + ", \"best-expected\"";
  const Rows exact = run_rows(campaign("60", strategies, kInterrupted + "wc_ratio = [1]\nmetric = \"expected\"\n"));
  for (std::size_t i = 0; i < 60; ++i) {
    for (std::size_t s = 0; s < 3; ++s) ASSERT_GE(exact.ratio[3][i], exact.ratio[s][i] - 1e-9);
    ASSERT_GE(exact.ratio[3][i], 1 - 1e-9);
  }

  const Campaign read = parse_campaign(
      campaign("60", strategies, kInterrupted + "wc_ratio = 1\nmetric = \"returned\"\n"), "campaign.toml");
  const auto trial = prepared(read);
  const Rows sampled = run_rows(*trial, read);
  for (std::uint64_t i = 0; i < 60; ++i) {
    const auto replay = trial->replay(i);
    for (std::size_t s = 0; s < 4; ++s)
      ASSERT_DOUBLE_EQ(sampled.ratio[s][i] * sampled.reference[i], replay["strategies"][s]["returned"].get<double>());
  }
}

TEST(ReturnMessagesModel, InterruptedInstancesHaveIdentity) {
  expect_instances_have_identity(campaign("300", kFast, kInterrupted + "wc_ratio = [1, 10]\nmetric = \"returned\"\n"));
}

TEST(ReturnMessagesModel, InstancesHaveIdentity) {
  expect_instances_have_identity(campaign("600", kFast, "workers = 10\nwc_ratio = [1, 10]\n"));
}

TEST(ReturnMessagesModel, RefusesWhatIsNoStar) {
  const auto with = [](const std::string& grid, const std::string& strategies = kFast) {
    return refusal(campaign("1", strategies, grid));
  };

  EXPECT_EQ(with("workers = 2\n"), "");
  EXPECT_THAT(with("workers = 2\nz = -1\n"), HasSubstr("z must be finite and not negative, not -1"));
  EXPECT_THAT(with("workers = 2\nwc_ratio = 0\n"), HasSubstr("wc_ratio must be positive"));
  EXPECT_THAT(with("workers = 2\nports = \"three\"\n"), HasSubstr("ports must be \"two\" or \"one\""));
  EXPECT_THAT(with("workers = 2\nsend = \"constant(value=inf)\"\n"), HasSubstr("finite values"));
  EXPECT_THAT(with("workers = 8\n", "\"best-pair\""), HasSubstr("workers must be at most 7 with best-pair"));
  EXPECT_THAT(with("workers = 2\n", "\"opt-fifo\""), HasSubstr("it is the reference"));
  EXPECT_THAT(with("workers = 2\n", "\"best-expected\""), HasSubstr("returned or expected with best-expected"));
  EXPECT_THAT(with("workers = 2\nrisk = \"linear\"\n"), HasSubstr("none unless metric is returned or expected"));
  EXPECT_THAT(with("workers = 2\nlifespan = 2\n"), HasSubstr("left out unless metric is returned or expected"));
  EXPECT_THAT(with("workers = 2\nmetric = \"returned\"\n"), HasSubstr("a risk function with this metric"));
  EXPECT_THAT(with("workers = 2\nmetric = \"returned\"\nrisk = \"linear\"\n"),
              HasSubstr("may survive for the lifespan"));
  EXPECT_THAT(
      with("workers = 2\nmetric = \"returned\"\nrisk = \"mix(1 : exponential(rate=1), 1 : exponential(rate=2))\"\n"),
      HasSubstr("one risk for all workers"));
  EXPECT_THAT(with("workers = 6\nmetric = \"returned\"\nrisk = \"exponential(rate=1)\"\n", "\"best-expected\""),
              HasSubstr("at most 5 with best-expected"));
}

}  // namespace
}  // namespace coterie::sim
