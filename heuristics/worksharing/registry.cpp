#include "heuristics/worksharing/registry.hpp"

#include "core/table.hpp"
#include "heuristics/worksharing/best_plan.hpp"
#include "heuristics/worksharing/brute.hpp"
#include "heuristics/worksharing/cyclic_replication.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "heuristics/worksharing/near_optimal_plans.hpp"
#include "heuristics/worksharing/no_replication.hpp"
#include "heuristics/worksharing/random_replication.hpp"
#include "heuristics/worksharing/single_optimal.hpp"

namespace coterie::heuristics {
namespace {

template <ChartBuilder chart>
Plan group(PlanCache& cache) {
  return group_plan(cache.problem(), cache.granularity(), chart);
}

}  // namespace

const std::vector<Strategy>& worksharing_strategies() {
  static const std::vector<Strategy> table = {
      {"greedy", "group schedule: the riskiest group of chunks goes first, row by row",
       "worksharing-2013, Sections 5.2.4 and 7.1", alone<greedy_plan>},
      {"refined", "the best of the six group schedules, improved by exchanges between groups",
       "beyond worksharing-2013, Section 5.2.4", refined_plan},
      {"best",
       "the greatest expected work over numbers of slices, charts, granularities and simpler strategies (above 20 "
       "million tasks, unless planned_risk is capacity, only these and refined)",
       "beyond worksharing-2013, Section 5", best_plan},
      {"optimal",
       "greedy's chunks in charts proven to cost least: where groups are complete, no other expects more (small "
       "charts)",
       "worksharing-2013, Table 3(g)", optimal_plan},
      {"group-cyclic", "group schedule: groups in the same order each time", "worksharing-2013, Section 5.2.4",
       group<cyclic_chart>},
      {"reverse", "group schedule: forwards once, then always backwards", "worksharing-2013, Section 5.2.4",
       group<reverse_chart>},
      {"mirror", "group schedule: the first half of the executions forwards, the others backwards",
       "worksharing-2013, Section 5.2.4", group<mirror_chart>},
      {"snake", "group schedule: forwards and backwards in turn", "worksharing-2013, Section 5.2.4",
       group<snake_chart>},
      {"fat-snake", "group schedule: forwards, then backwards at half the pace", "worksharing-2013, Section 5.2.4",
       group<fat_snake_chart>},
      {"brute", "every worker runs the whole workload in the same order", "worksharing-2013, Section 6.1",
       alone<brute_plan>},
      {"no-replication", "chunks dealt round-robin, each to one worker", "worksharing-2013, Section 6.1",
       alone<no_replication_plan>},
      {"cyclic-replication", "chunks dealt round-robin, starting over until every worker has its load",
       "worksharing-2013, Section 6.1", alone<cyclic_replication_plan>},
      {"random-replication", "every worker runs distinct random chunks in random order",
       "worksharing-2013, Section 6.1", alone<random_replication_plan>},
      {"single-optimal", "no replication; each worker's chunk sizes are the best for one worker",
       "worksharing-2013, Section 3", alone<single_optimal_plan>, require_single_optimal},
      {"two-workers", "two workers that share part of the work in opposite orders", "worksharing-2013, Section 4",
       alone<two_workers_plan>, require_two_workers},
  };
  return table;
}

const Strategy& worksharing_strategy(const std::string& name, const Place& place) {
  return find_row(worksharing_strategies(), name, "strategy", place);
}

}  // namespace coterie::heuristics
