#include "heuristics/worksharing/worker_exchanges.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "heuristics/worksharing/group_schedule.hpp"
#include "random_worksharing.hpp"

namespace coterie::heuristics {
namespace {

RiskPtr linear(double kappa) { return make_linear_risk(kappa); }

Schedule greedy_schedule(const WorksharingProblem& problem, std::size_t chunks) {
  return *greedy_plan(problem, {Granularity::Kind::kPerSlice, chunks}).schedule;
}

/// How often each piece is run, and how many chunks a worker has at most.
std::map<std::uint32_t, std::size_t> copies(const Schedule& schedule) {
  std::map<std::uint32_t, std::size_t> count;
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (const Task& task : schedule.tasks(w).tasks) ++count[task.first_piece];
  return count;
}

// Two coteries, of two who stay and of two who leave at once: one of each in each is best. With Pr = t/4 or 1 from the
// start, each half is then done with the chance of one worker, in place of that of two and of none.
TEST(WorkerExchanges, PutsOneWhoStaysIntoEachCoterie) {
  const std::vector<RiskPtr> risks = {linear(0.25), linear(0.25), linear(1e9), linear(1e9)};
  const WorksharingProblem problem{4, 2, 0, linear(0.25), 1.0, 2, risks};
  const Schedule before = greedy_schedule(problem, 1);
  const Schedule after = with_exchanges(before, risks);

  EXPECT_NEAR(expected_work(before, risks), 1 - 0.25 * 0.25, 1e-6);
  EXPECT_NEAR(expected_work(after, risks), 2 * (1 - 0.25), 1e-6);
}

// One worker runs two equal chunks twice as safely as the other: the chunk that the weak one has first, the strong one
// has last. Orders AB of both become AB and BA. By enumeration of the two relative orders.
TEST(WorkerExchanges, PutsChunksInOppositeOrders) {
  const std::vector<RiskPtr> risks = {linear(0.5), linear(1)};
  TaskLists lists;
  for (int w = 0; w < 2; ++w) {
    lists.add({0, 1});
    lists.add({1, 1});
    lists.close(std::vector{0.5, 1.0});
  }
  const Schedule same({0, 0.5, 1}, std::move(lists));

  EXPECT_NEAR(expected_work(same, risks), 0.5 * (1 - 0.25 * 0.5) + 0.5 * (1 - 0.5 * 1), 1e-15);
  EXPECT_NEAR(expected_work(with_exchanges(same, risks), risks), 0.5 * (1 - 0.25 * 1) + 0.5 * (1 - 0.5 * 0.5), 1e-15);
}

TEST(WorkerExchanges, NeverLoseAndKeepCopiesAndTimes) {
  RandomWorksharing random("exchanges");
  int gained = 0;
  for (int k = 0; k < 20; ++k) {
    const RandomCase one = random.unlike();
    SCOPED_TRACE(one.text);
    const Schedule before = greedy_schedule(one.problem, 1 + one.problem.workers * 3 / 2);
    const Schedule after = with_exchanges(before, one.problem.risks());
    const double was = expected_work(before, one.problem.risks());
    const double is = expected_work(after, one.problem.risks());

    EXPECT_GE(is, was * (1 - 1e-12));
    EXPECT_EQ(copies(after), copies(before));
    EXPECT_EQ(after.boundaries(), before.boundaries());
    EXPECT_EQ(last_finish(after), last_finish(before));
    if (is > was * 1.0001) ++gained;
  }
  EXPECT_GT(gained, 0);
}

TEST(WorkerExchanges, StopAfterSoManySteps) {
  const std::vector<RiskPtr> risks = {linear(0.25), linear(0.25), linear(1e9), linear(1e9)};
  const WorksharingProblem problem{4, 2, 0, linear(0.25), 1.0, 2, risks};
  const Schedule before = greedy_schedule(problem, 1);

  EXPECT_EQ(expected_work(with_exchanges(before, risks, 0), risks), expected_work(before, risks));
}

}  // namespace
}  // namespace coterie::heuristics
