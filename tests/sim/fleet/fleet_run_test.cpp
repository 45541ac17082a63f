#include "sim/fleet/fleet_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coterie::sim {
namespace {

FleetGroup machines(std::size_t count, RiskPtr life = nullptr, RiskPtr down = nullptr) {
  FleetGroup group;
  group.name = "machines";
  group.count = count;
  group.life = std::move(life);
  group.down = std::move(down);
  return group;
}

TEST(FleetRun, SureMachinesOfTwoSpeedsShareAQueueExactly) {
  Fleet fleet;
  fleet.work = 7200;
  fleet.groups = {machines(2), machines(1)};
  fleet.groups[1].speed = 2;
  fleet.groups[0].price = 0.5;
  const FleetPolicy policy = make_policy("no-replication", fleet, 1);

  const std::vector<FleetOutcome> runs = run_fleet(fleet, policy, 1, 0, 2);

  for (const FleetOutcome& run : runs) {
    EXPECT_NEAR(run.finish, 2400, 1e-9);  // equal parts: those of speed 1 end last
    EXPECT_NEAR(run.machine_time[0], 4800, 1e-9);
    EXPECT_NEAR(run.machine_time[1], 1200, 1e-9);
    EXPECT_NEAR(run.rented_time[1], 1200, 1e-9);
    EXPECT_NEAR(run.cost[0], 2400, 1e-9);
    EXPECT_EQ(run.interruptions, 0u);
  }
}

TEST(FleetRun, AMachineThatIsReplacedGoesOnInItsList) {
  Fleet fleet;
  fleet.work = 100;
  fleet.checkpoint = 1;
  fleet.groups = {machines(4, make_parametric_risk(Expression::parse("exponential(rate=0.02)")),
                           make_parametric_risk(Expression::parse("exponential(rate=0.1)")))};
  for (const char* name : {"no-replication", "skip(greedy)", "help", "central"}) {
    const FleetPolicy policy = make_policy(name, fleet, 1);

    for (const FleetOutcome& run : run_fleet(fleet, policy, 1, 0, 64)) {
      EXPECT_TRUE(std::isfinite(run.finish)) << name;
      EXPECT_NEAR(run.work_done, 100, 1e-9) << name;
      EXPECT_GE(run.rented_time[0], run.machine_time[0] - 1e-9) << name;
    }
  }
}

}  // namespace
}  // namespace coterie::sim
