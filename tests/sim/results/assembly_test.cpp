#include "sim/results/assembly.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace coterie::sim {
namespace {

// Whatever the axes before and behind them.
TEST(Assembly, GoesThroughLikeWorkersTogether) {
  const Campaign campaign = parse_campaign(R"toml(
seed = 1
instances = 1
strategies = ["no-replication"]
[grid]
workers = [2, 3]
work = [1, 2, 3]
startup = [0.1, 0.01, 0.2]
risk = ["linear", "exponential(rate=1)"]
chunks = [2, 3]
)toml",
                                           "c.toml");
  const std::vector<std::size_t> order = like_workers_together(campaign);
  ASSERT_EQ(order.size(), 72U);
  EXPECT_EQ(std::set<std::size_t>(order.begin(), order.end()).size(), order.size());
  std::set<std::pair<std::string, double>> seen;
  std::pair<std::string, double> last;
  for (const std::size_t c : order) {
    const Configuration& configuration = campaign.configurations.at(c);
    const std::pair<std::string, double> now{configuration.text("risk"), configuration.number("startup")};
    EXPECT_EQ(seen.insert(now).second, now != last);
    last = now;
  }
  EXPECT_EQ(seen.size(), 6U);
}

TEST(Assembly, NeedsNoneOfTheseAxes) {
  const Campaign campaign = parse_campaign(R"toml(
model = "now"
seed = 1
instances = 1
strategies = ["lifo"]
[grid]
workers = [8, 4]
rates = "equal"
grain = 1
pipelined = "yes"
lifespan = 60
)toml",
                                           "c.toml");
  EXPECT_EQ(like_workers_together(campaign), (std::vector<std::size_t>{0, 1}));
}

}  // namespace
}  // namespace coterie::sim
