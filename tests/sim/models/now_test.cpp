#include "sim/models/now.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
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

/// A pair of orders with a negative share does nothing; every other does, and is never far from FIFO.
TEST(NowModel, ProtocolsThatCannotBeCarriedOutDoNothing) {
  const Campaign read = parse_campaign(
      campaign("200", "workers = 5\nrates = \"halving\"\ngrain = 0.0001\npipelined = \"no\"\nlifespan = 10\n"),
      "campaign.toml");
  const auto trial = prepared(read);
  const Rows rows = run_rows(*trial, read);

  int nothing = 0;
  std::set<std::string> orders;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const auto row = trial->replay(i)["strategies"][2];
    orders.insert(row["start"].dump() + row["finish"].dump());
    double least = 1;
    for (const auto& share : row["shares"]) least = std::min(least, share.get<double>());
    ASSERT_EQ(row["feasible"].get<bool>(), least >= 0);
    ASSERT_EQ(rows.ratio[2][i] > 0, least >= 0);
    nothing += least < 0 ? 1 : 0;
  }

  EXPECT_GT(nothing, 0);
  EXPECT_LT(nothing, 200);
  EXPECT_GT(orders.size(), 150U);
}

TEST(NowModel, InstancesHaveIdentity) {
  expect_instances_have_identity(campaign("600", "workers = [4, 5]\nrates = \"doubling\"\nlifespan = 100\n"));
}

TEST(NowModel, RefusesWhatIsNoNetwork) {
  const auto with = [](const std::string& grid) { return refusal(campaign("1", grid)); };

  EXPECT_EQ(with("workers = 2\nlifespan = 10\n"), "");
  EXPECT_THAT(with("workers = 0\nlifespan = 10\n"), HasSubstr("workers must be a whole number from 1 to 1000"));
  EXPECT_THAT(with("workers = 2\nlifespan = 0\n"), HasSubstr("lifespan must be positive and finite"));
  EXPECT_THAT(with("workers = 2\nlifespan = 1e-4\n"), HasSubstr("lifespan must be long enough for FIFO"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\nrates = \"harmonics\"\n"), HasSubstr("did you mean \"harmonic\"?"));
  EXPECT_THAT(with("workers = 2\nlifespan = 10\npipelined = \"maybe\"\n"), HasSubstr("\"yes\" or \"no\""));
}

}  // namespace
}  // namespace coterie::sim
