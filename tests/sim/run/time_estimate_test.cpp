#include "sim/run/time_estimate.hpp"

#include <gtest/gtest.h>

#include "sim/campaign/shard.hpp"

namespace coterie::sim {
namespace {

Campaign campaign(const std::string& workers) {
  return parse_campaign("seed = 1\ninstances = 1000\nstrategies = [\"greedy\"]\n[grid]\nworkers = [" + workers +
                            "]\nwork = 1\nchunks = 4\nstartup = 0.1\n",
                        "./c.toml");
}

TEST(TimeEstimate, MeasuresEachTaskOnceAtMostAndOneAtLeast) {
  const Campaign three = campaign("1, 2, 3");
  const auto missing = missing_rows(three, {}, {});

  EXPECT_EQ(estimate_time(three, missing, 0)->measured, 1u);
  const auto all = estimate_time(three, missing, 1e9);
  EXPECT_EQ(all->measured, 3u);
  EXPECT_GT(all->seconds, 0);
  EXPECT_FALSE(estimate_time(three, {}, 1e9));
}

TEST(TimeEstimate, PassesOnWhatPreparingRefuses) {
  Campaign broken = campaign("3");
  broken.strategies = {"two-workers"};
  EXPECT_THROW(estimate_time(broken, missing_rows(broken, {}, {}), 0), InputError);
}

// Refining a chart of so many chunks takes minutes.
TEST(TimeEstimate, WaitsForNoConfigurationThatTakesLong) {
  const Campaign slow = parse_campaign(
      "seed = 1\ninstances = 1000\nstrategies = [\"refined\"]\n[grid]\nworkers = 10\nwork = 3\nchunks = 1000000\n"
      "startup = 1e-7\n",
      "./c.toml");
  EXPECT_EQ(time_text(slow, missing_rows(slow, {}, {}), 1), "not known: measuring it takes more than 2 s");
}

}  // namespace
}  // namespace coterie::sim
