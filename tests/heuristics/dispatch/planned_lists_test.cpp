#include "heuristics/dispatch/planned_lists.hpp"

#include <gtest/gtest.h>

#include "core/infinity.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/heuristics/worksharing/random_worksharing.hpp"

namespace coterie::heuristics {
namespace {

/// Whatever is heard, and however late: what nobody hears of is the schedule itself, and to hear of more never hurts
/// a worker that only leaves out what is complete.
TEST(PlannedLists, AreTheScheduleWhereNothingIsHeardAndNeverLessWhereSomethingIs) {
  RandomWorksharing cases("planned lists");
  sim::Dice dice("lives of planned lists");
  std::size_t more = 0;
  for (int round = 0; round < 30; ++round) {
    const RandomCase one = round % 2 == 0 ? cases.alike() : cases.unlike();
    const WorksharingProblem& problem = one.problem;
    for (const char* name : {"greedy", "cyclic-replication", "brute", "no-replication"}) {
      const Schedule schedule = *worksharing_strategy(name).build(problem, one.granularity).schedule;
      PlannedLists lists(schedule);
      const auto run = [&](const Listening& listening) {
        return DispatchRun("lists", problem.workers, problem.work, problem.startup_cost, problem.risks(), listening);
      };
      DispatchRun deaf = run({kInfinity, kInfinity, 1, true});
      DispatchRun late = run({0.1, kInfinity, 0, dice.coin()});
      DispatchRun soon = run({0, 0, 1, true});
      for (int instance = 0; instance < 5; ++instance) {
        std::vector<double> lives(problem.workers);
        for (std::size_t w = 0; w < lives.size(); ++w)
          lives[w] = just_after(problem.risks()[problem.risks().size() == 1 ? 0 : w]->quantile(dice.real(0, 1)));

        const double alone = deaf(lists, lives).completed;
        const double heard_late = late(lists, lives).completed;
        const double heard_soon = soon(lists, lives).completed;

        ASSERT_NEAR(alone, completed_work(schedule, lives), 1e-9 * problem.work) << name << ", " << one.text;
        ASSERT_GE(heard_late, alone - 1e-9 * problem.work) << name << ", " << one.text;
        ASSERT_GE(heard_soon, alone - 1e-9 * problem.work) << name << ", " << one.text;
        more += heard_soon > heard_late && heard_late > alone ? 1 : 0;
      }
    }
  }
  EXPECT_GT(more, 10u) << "cases in which it matters";
}

}  // namespace
}  // namespace coterie::heuristics
