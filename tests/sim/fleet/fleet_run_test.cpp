#include "sim/fleet/fleet_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"

namespace coterie::sim {
namespace {

RiskPtr law_of(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }
RiskPtr always(double time) { return std::make_shared<EmpiricalRisk>(std::vector{time}, "always"); }

FleetGroup machines(std::size_t count, RiskPtr life = nullptr, RiskPtr down = nullptr) {
  FleetGroup group;
  group.name = "machines";
  group.count = count;
  group.life = std::move(life);
  group.down = std::move(down);
  return group;
}

std::vector<FleetOutcome> run(const Fleet& fleet, const std::string& policy, std::uint64_t runs = 1) {
  return run_fleet(fleet, FleetPolicies(fleet, 1).make(policy), 1, 0, runs);
}

struct Mean {
  double value = 0;
  double error = 0;
};
template <class Of>
Mean mean(const std::vector<FleetOutcome>& runs, const Of& of) {
  double sum = 0, squares = 0;
  for (const FleetOutcome& one : runs) {
    sum += of(one);
    squares += of(one) * of(one);
  }
  const auto n = static_cast<double>(runs.size());
  return {sum / n, std::sqrt((squares / n - sum * sum / n / n) / n)};
}

/// Fails by chance with probability 2e-9 if the mean is nearly normal.
void expect_near(const Mean& mean, double expected) { EXPECT_NEAR(mean.value, expected, 6 * mean.error); }

TEST(FleetRun, SureMachinesOfTwoSpeedsRunEqualLists) {
  Fleet fleet;
  fleet.work = 7200;
  fleet.groups = {machines(2), machines(1)};
  fleet.groups[1].speed = 2;
  fleet.groups[0].price = 0.5;
  fleet.groups[0].billed = 1000;

  const FleetOutcome one = run(fleet, "no-replication").front();

  EXPECT_NEAR(one.finish, 2400, 1e-9);
  EXPECT_NEAR(one.machine_time[0], 4800, 1e-9);
  EXPECT_NEAR(one.machine_time[1], 1200, 1e-9);
  EXPECT_NEAR(one.rented_time[1], 1200, 1e-9);
  EXPECT_NEAR(one.cost[0], 3000, 1e-9);
  EXPECT_EQ(one.interruptions, 0u);
}

TEST(FleetRun, AQueueHandsTasksToWhomeverIsFree) {
  Fleet fleet;
  fleet.work = 19;
  fleet.task = 2;  // nine of 2, one of 1
  fleet.checkpoint = 0.5;
  fleet.groups = {machines(1), machines(2)};
  fleet.groups[0].speed = 4;
  fleet.groups[0].restart = 1;

  const FleetOutcome one = run(fleet, "central").front();

  // The fast one begins at 1 and takes 1 for a task, the others 2.5. At 5 all three are free; the fast one gets the
  // last of 2, the next one that of 1, and copies of what is sure to be done are worth nothing.
  EXPECT_NEAR(one.finish, 6.5, 1e-12);
  EXPECT_NEAR(one.work_done, 19, 1e-12);
  EXPECT_NEAR(one.rented_time[0] + one.rented_time[1], 3 * 6.5, 1e-12);
}

TEST(FleetRun, ListsAreCutBetweenTasksOnly) {
  for (const double task : {3.0, 7.0, 0.1, 50.0}) {
    Fleet fleet;
    fleet.work = 120;
    fleet.task = task;
    fleet.checkpoint = 0.1;
    fleet.groups = {machines(7, law_of("exponential(rate=0.1)"), law_of("exponential(rate=2)"))};
    for (const char* name : {"no-replication", "greedy", "help"}) {
      SCOPED_TRACE(name);
      const FleetPolicy policy = FleetPolicies(fleet, 1).make(name);
      if (policy.plan) {
        const auto sizes = policy.plan->schedule->piece_sizes();
        ASSERT_EQ(sizes.size(), static_cast<std::size_t>(std::ceil(120 / task - 1e-9)));
        for (std::size_t i = 0; i + 1 < sizes.size(); ++i) EXPECT_NEAR(sizes[i], task / 120, 1e-12);
        EXPECT_NEAR(policy.plan->schedule->deployed_work(), 1, 1e-12);
      }
      for (const FleetOutcome& one : run_fleet(fleet, policy, 1, 0, 5)) EXPECT_NEAR(one.work_done, 120, 1e-9);
    }
  }
}

TEST(FleetRun, ListsOfUnequalSpeedsTakeExactlyTheirTime) {
  Fleet fleet;
  fleet.work = 100;
  fleet.checkpoint = 1;
  fleet.groups = {machines(1), machines(1)};
  fleet.groups[0].speed = 0.5;
  FleetPolicies policies(fleet, 1, Catalogue::own(), 1, nullptr, {heuristics::Granularity::Kind::kPerUnit, 2, nullptr});

  const FleetOutcome one = run_fleet(fleet, policies.make("no-replication"), 1, 0, 1).front();

  EXPECT_NEAR(one.finish, 101, 1e-9);
  EXPECT_NEAR(one.machine_time[0], 101, 1e-9);
  EXPECT_NEAR(one.machine_time[1], 51, 1e-9);
}

TEST(FleetRun, AMachineThatWaitsInVainIsRentedUntilItIsInterrupted) {
  Fleet fleet;
  fleet.work = 5;
  fleet.task = 1;
  fleet.groups = {machines(1, always(1.5)), machines(1, always(9.5))};
  fleet.groups[0].speed = 0.25;  // it ends nothing
  fleet.groups[1].speed = 0.5;
  fleet.tries = 1;

  const FleetOutcome one = run(fleet, "central").front();

  // The second one ends four tasks at 2, 4, 6 and 8, the first and the last task fail when their machines are lost.
  EXPECT_EQ(one.finish, kInfinity);
  EXPECT_NEAR(one.work_done, 4, 1e-9);
  EXPECT_EQ(one.failed_tasks, 1u);
  EXPECT_EQ(one.interruptions, 1u);
  EXPECT_NEAR(one.rented_time[0], 1.5, 1e-9);
  EXPECT_NEAR(one.rented_time[1], 8, 1e-9);
}

TEST(FleetRun, OneTaskOnAMachineThatIsReplacedAtOnceTakesTheKnownTime) {
  const double rate = 2, length = 1.5;
  Fleet fleet;
  fleet.work = fleet.task = length;
  fleet.groups = {machines(1, law_of("exponential(rate=2)"), always(0))};

  for (const char* policy : {"central", "no-replication", "help", "skip(greedy)"}) {
    SCOPED_TRACE(policy);
    const std::vector<FleetOutcome> runs = run(fleet, policy, 20'000);
    const auto finish = [](const FleetOutcome& one) { return one.finish; };

    expect_near(mean(runs, finish), std::expm1(rate * length) / rate);
    for (const FleetOutcome& one : runs) {
      EXPECT_NEAR(one.machine_time[0], one.wasted + length, 1e-9);
      EXPECT_NEAR(one.machine_time[0], one.finish, 1e-6);  // ends of spells count as equal up to 1e-12
    }
    expect_near(mean(runs, [](const FleetOutcome& one) { return static_cast<double>(one.interruptions); }),
                std::expm1(rate * length));
  }
}

TEST(FleetRun, ATaskThatIsLostTooOftenFailsOrFallsBack) {
  Fleet fleet;
  fleet.work = 3;
  fleet.task = 1;
  fleet.tries = 2;
  fleet.groups = {machines(2, always(0.75), always(0.25))};

  const FleetOutcome alone = run(fleet, "central").front();
  fleet.groups.push_back(machines(1));
  fleet.groups[1].name = "on demand";
  fleet.groups[1].fallback = true;
  fleet.groups[1].speed = 2;
  fleet.groups[1].restart = 0.125;

  for (const char* policy : {"central", "no-replication", "help", "skip(greedy)"}) {
    SCOPED_TRACE(policy);
    const FleetOutcome one = run(fleet, policy).front();
    EXPECT_EQ(one.failed_tasks, 0u);
    EXPECT_TRUE(std::isfinite(one.finish));
    EXPECT_NEAR(one.machine_time[1], one.rented_time[1], 1e-12);
    EXPECT_GE(one.rented_time[1], 3 * 0.5 + 0.125 - 1e-12);
    EXPECT_LE(one.rented_time[1], 3 * 0.5 + 3 * 0.125 + 1e-12);
  }
  EXPECT_EQ(alone.failed_tasks, 3u);
  EXPECT_EQ(alone.finish, kInfinity);
  EXPECT_EQ(alone.work_done, 0);
}

TEST(FleetRun, AWarningSavesWhatIsDone) {
  Fleet fleet;
  fleet.work = 10;
  fleet.checkpoint = 0.5;
  fleet.groups = {machines(1, always(3.5), always(1))};
  fleet.groups[0].speed = 2;
  for (const char* policy : {"no-replication", "skip(no-replication)"}) {
    SCOPED_TRACE(policy);
    FleetPolicies policies(fleet, 1, Catalogue::own(), 1, nullptr,
                           {heuristics::Granularity::Kind::kPerUnit, 1, nullptr});
    const FleetPolicy one_chunk = policies.make(policy);

    fleet.horizon = 100;
    fleet.warning = 0.25;
    const FleetOutcome late = run_fleet(fleet, one_chunk, 1, 0, 1).front();
    fleet.warning = 0.5;
    const FleetOutcome saved = run_fleet(fleet, one_chunk, 1, 0, 1).front();

    EXPECT_EQ(late.finish, kInfinity);
    EXPECT_EQ(late.work_done, 0);
    EXPECT_NEAR(saved.finish, 4.5 + 2 + 0.5, 1e-9);  // 6 of 10 in the first spell, then 4
    EXPECT_NEAR(saved.machine_time[0], 6, 1e-9);
    EXPECT_NEAR(saved.wasted, 0, 1e-9);
    fleet.warning = 0;
  }
}

TEST(FleetRun, ItIsRentedUntilInterruptedOrReleased) {
  Fleet fleet;
  fleet.work = 4;
  fleet.task = 1;
  fleet.groups = {machines(1, always(1.5), always(0.5))};
  fleet.groups[0].price = 3;
  fleet.groups[0].billed = 1;

  const FleetOutcome one = run(fleet, "no-replication").front();

  EXPECT_NEAR(one.finish, 7, 1e-9);  // one task in each spell of 1.5
  EXPECT_NEAR(one.rented_time[0], 3 * 1.5 + 1, 1e-9);
  EXPECT_NEAR(one.cost[0], 3 * (3 * 2 + 1), 1e-9);
  EXPECT_NEAR(one.wasted, 3 * 0.5, 1e-9);
  EXPECT_EQ(one.interruptions, 3u);
}

TEST(FleetRun, RunsDoNotDependOnThreadsOrOtherMachinesOrHowTheyAreSplit) {
  Fleet fleet;
  fleet.work = 20;
  fleet.checkpoint = 0.1;
  fleet.groups = {machines(5, law_of("weibull(shape=0.6, scale=3)"), law_of("exponential(rate=1)"))};
  fleet.groups[0].zones = {2, 0.4};
  const FleetPolicy policy = FleetPolicies(fleet, 1).make("central");

  const std::vector<FleetOutcome> all = run_fleet(fleet, policy, 1, 0, 70);
  const std::vector<FleetOutcome> some = run_fleet(fleet, policy, 1, 33, 5);

  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].finish, all[33 + i].finish);
    EXPECT_EQ(some[i].rented_time, all[33 + i].rented_time);
  }
}

TEST(FleetRun, AHorizonEndsEverything) {
  Fleet fleet;
  fleet.work = 100;
  fleet.checkpoint = 0.1;
  fleet.horizon = 10;
  fleet.groups = {machines(4, law_of("exponential(rate=0.3)"), law_of("exponential(rate=1)"))};
  for (const char* policy : {"no-replication", "central", "help"}) {
    SCOPED_TRACE(policy);
    for (const FleetOutcome& one : run(fleet, policy, 20)) {
      EXPECT_EQ(one.finish, kInfinity);
      EXPECT_LE(one.work_done, 40);
      EXPECT_LE(one.rented_time[0], 40 + 1e-9);
      EXPECT_GE(one.rented_time[0], one.machine_time[0] - 1e-9);
    }
  }
}

TEST(FleetRun, WhatIsOutsideItsDomainIsRefused) {
  const auto refused = [](auto change) {
    Fleet fleet;
    fleet.groups = {machines(1)};
    change(fleet);
    EXPECT_THROW(fleet.validate(), InputError);
  };
  refused([](Fleet& fleet) { fleet.work = 0; });
  refused([](Fleet& fleet) { fleet.tries = 1; });
  refused([](Fleet& fleet) { fleet.warning = -1; });
  refused([](Fleet& fleet) { fleet.groups[0].speed = 0; });
  refused([](Fleet& fleet) { fleet.groups[0].fallback = true; });
  refused([](Fleet& fleet) { fleet.groups[0].zones.common = 2; });
  Fleet endless;
  endless.work = endless.task = 1;
  endless.groups = {machines(1, always(0.5), always(0))};
  EXPECT_THROW(run(endless, "central"), InputError);
  EXPECT_THROW(FleetPolicies(endless, 1).make("adaptive"), InputError);
  EXPECT_THROW(FleetPolicies(endless, 1).make("no-such"), InputError);
}

}  // namespace
}  // namespace coterie::sim
