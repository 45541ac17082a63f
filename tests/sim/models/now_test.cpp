#include "sim/models/now.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/text.hpp"
#include "tests/sim/models/trial_testing.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;

const std::string kAll = "\"lifo\", \"random-fifo\", \"random-orders\"";

std::string campaign(const std::string& instances, const std::string& grid, const std::string& strategies = kAll) {
  return "model = \"now\"\nseed = 2001\ninstances = " + instances + "\nstrategies = [" + strategies + "]\n[grid]\n" +
         grid;
}

/// Each cell of the crossover table: work = slope L - offset, and LIFO does more before the crossover, FIFO after it.
TEST(NowModel, CrossesOverWhereTheTableSays) {
  std::ifstream file(COTERIE_TEST_DATA "/now_crossover.json");
  const nlohmann::json cells = nlohmann::json::parse(file);
  const std::map<std::string, std::string> names = {
      {"1", "equal"}, {"(1+2^(i-n))/2", "doubling"}, {"1-1/(i+1)", "harmonic"}, {"1-2^-i", "halving"}};
  ASSERT_EQ(cells.size(), 72U);
  for (const auto& cell : cells) {
    const double crossover = cell["crossover"];
    const auto ratio = [&](double lifespan) {
      const std::string grid = "workers = " + cell["n"].dump() + "\nrates = \"" + names.at(cell["rates"]) +
                               "\"\ngrain = " + cell["grain"].dump() + "\npipelined = \"" +
                               (cell["pipelined"] ? "yes" : "no") + "\"\nlifespan = " + to_text(lifespan) + "\n";
      const Campaign read = parse_campaign(campaign("1", grid, "\"lifo\""), "campaign.toml");
      const auto trial = prepared(read);
      const Rows rows = run_rows(*trial, read);
      const double grains = lifespan / cell["grain"].get<double>();
      const double work = cell["slope_fifo"].get<double>() * grains - cell["offset_fifo"].get<double>();
      EXPECT_NEAR(rows.reference[0], work, 1e-9 * work);
      EXPECT_DOUBLE_EQ(trial->facts()[0].expected, rows.ratio[0][0] * rows.reference[0]);
      return rows.ratio[0][0];
    };

    if (crossover > 60) {
      EXPECT_GT(ratio(crossover / 2), 1) << cell;
    }
    EXPECT_LT(ratio(std::max(60.0, 2 * crossover)), 1) << cell;
  }
}

/// FIFO's slope depends on no order [now-2001], so in a long lifespan a random FIFO does the same work.
TEST(NowModel, FifoDoesNotMindTheOrderOfWorkers) {
  const Rows rows = run_rows(campaign("50", "workers = 6\nrates = \"halving\"\nlifespan = 1e9\n"));

  for (const double ratio : rows.ratio[1]) ASSERT_NEAR(ratio, 1, 1e-7);
}

/// A pair of orders that does not fit would count 0; where FIFO fits, all drawn ones did in all networks tried.
TEST(NowModel, DrawnOrdersCountWhereTheyFit) {
  const Campaign read = parse_campaign(
      campaign("200", "workers = 5\nrates = \"halving\"\ngrain = 0.001\npipelined = \"no\"\nlifespan = 10\n"),
      "campaign.toml");
  const auto trial = prepared(read);
  const Rows rows = run_rows(*trial, read);
  // Seconds: 10 set-ups, and the packaging and two packets of each unit of work.
  const auto messages = [](double work) { return 10 * 300e-6 + work * (10e-6 + 2 * 150e-6); };

  std::set<std::string> orders;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto row = trial->replay(i)["strategies"][2];
    orders.insert(row["start"].dump() + row["finish"].dump());
    double least = 1;
    double work = 0;
    for (const auto& share : row["shares"]) {
      least = std::min(least, share.get<double>());
      work += share.get<double>();
    }
    const bool fits = least >= 0 && messages(work) <= 10 * (1 + 1e-9);
    ASSERT_EQ(row["feasible"].get<bool>(), fits);
    ASSERT_EQ(rows.ratio[2][i] > 0, fits);
  }

  EXPECT_GT(orders.size(), 150U);
}

const std::string kInterrupted =
    "grain = 0.001\npipelined = \"no\"\nlifespan = 1\nmetric = \"returned\"\nrisk = \"exponential(rate=0.8)\"\n";

/// Sampled against exact. The mean of n works in [0, W] is further than W sqrt(ln(2 / a) / (2 n)) from its expectation
/// with probability at most a [Hoeffding 1963]; a = 1e-10 for each of the 6 means, n = 25000. An expectation that took
/// all results to be back only at the end of the lifespan must be found out.
TEST(NowModel, SampledReturnsAgreeWithTheirExpectation) {
  constexpr double kInstances = 25000;
  bool found_out = false;
  for (const char* rates : {"equal", "doubling", "halving"}) {
    const Campaign read =
        parse_campaign(campaign("25000", "workers = 5\nrates = \"" + std::string(rates) + "\"\n" + kInterrupted,
                                "\"lifo\", \"best-expected\""),
                       "campaign.toml");
    const auto trial = prepared(read);
    const Rows rows = run_rows(*trial, read);
    const auto replay = trial->replay(0);

    for (std::size_t s = 0; s < 2; ++s) {
      const auto& row = replay["strategies"][s];
      double whole = 0;
      for (const auto& share : row["shares"]) whole += share.get<double>();
      double mean = 0;
      for (const double ratio : rows.ratio[s]) mean += ratio * rows.reference[0] / kInstances;
      const double bound = whole * std::sqrt(std::log(2 / 1e-10) / (2 * kInstances));
      const double expected = trial->facts()[s].expected;

      EXPECT_NEAR(mean, expected, bound) << rates << ' ' << row["name"];
      EXPECT_DOUBLE_EQ(row["expected"].get<double>(), expected);
      found_out |= std::abs(mean - whole * std::exp(-0.8)) > bound;
    }
    EXPECT_GE(trial->facts()[1].expected, trial->facts()[0].expected * (1 - 1e-12));
    EXPECT_GE(trial->facts()[1].expected, rows.reference[0] * (1 - 1e-12));
  }
  EXPECT_TRUE(found_out);
}

/// Who was interrupted before the end of its message counts for nothing, everyone else in full.
TEST(NowModel, ReplayTellsWhatCameBack) {
  const Campaign read =
      parse_campaign(campaign("50", "workers = 4\nrates = \"halving\"\n" + kInterrupted, kAll), "campaign.toml");
  const auto trial = prepared(read);
  for (std::uint64_t i = 0; i < 50; ++i) {
    const auto replay = trial->replay(i);
    for (const auto& row : replay["strategies"]) {
      double returned = 0;
      for (std::size_t w = 0; w < 4; ++w)
        if (replay["interruptions"][w].get<double>() >= row["return_times"][w].get<double>())
          returned += row["shares"][w].get<double>();
      if (!row["feasible"].get<bool>()) returned = 0;
      ASSERT_DOUBLE_EQ(row["work"].get<double>(), returned) << i;
    }
  }
}

TEST(NowModel, InterruptedInstancesHaveIdentity) {
  expect_instances_have_identity(campaign("600", "workers = 4\nrates = \"halving\"\n" + kInterrupted, kAll));
}

/// FIFO and LIFO have closed forms.
TEST(NowModel, TakesManyWorkstations) {
  const Rows rows = run_rows(
      campaign("1", "workers = 100000\nrates = \"equal\"\ngrain = 10\nlifespan = 1e6\n", "\"lifo\", \"random-fifo\""));

  EXPECT_GT(rows.reference[0], 0);
  EXPECT_NEAR(rows.ratio[1][0], 1, 1e-6);
}

TEST(NowModel, InstancesHaveIdentity) {
  expect_instances_have_identity(campaign("600", "workers = [4, 5]\nrates = \"doubling\"\nlifespan = 100\n"));
}

TEST(NowModel, RefusesWhatIsNoNetwork) {
  const auto with = [](const std::string& grid) { return refusal(campaign("1", grid)); };

  EXPECT_EQ(with("workers = 2\nlifespan = 10\n"), "");
  EXPECT_THAT(with("workers = 0\nlifespan = 10\n"), HasSubstr("workers must be a whole number from 1 to 100000"));
  EXPECT_THAT(with("workers = 2\nlifespan = 0\n"), HasSubstr("lifespan must be positive and finite"));
  EXPECT_THAT(with("workers = 2\nlifespan = 1e-4\n"), HasSubstr("lifespan must be long enough for FIFO"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\nrates = \"harmonics\"\n"), HasSubstr("did you mean \"harmonic\"?"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\npipelined = \"maybe\"\n"), HasSubstr("\"yes\" or \"no\""));
  EXPECT_THAT(with("workers = 1001\nlifespan = 1e5\n"), HasSubstr("at most 1000 with random-orders"));
  const auto risky = [](const std::string& grid) {
    return refusal(campaign("1", "workers = 6\nlifespan = 10\n" + grid, "\"best-expected\""));
  };
  EXPECT_THAT(risky("metric = \"returned\"\nrisk = \"linear(kappa=0.01)\"\n"),
              HasSubstr("at most 5 with best-expected"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\nrisk = \"linear\"\n"), HasSubstr("none unless metric is returned"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\nmetric = \"returned\"\n"), HasSubstr("a risk function"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\nmetric = \"returned\"\nrisk = \"linear\"\n"),
              HasSubstr("may survive for the lifespan"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\nmetric = \"returned\"\nrisk = \"mix(1 : exponential(rate=1), 1 : "
                   "exponential(rate=2))\"\n"),
              HasSubstr("one risk for all workers"));
}

}  // namespace
}  // namespace coterie::sim
