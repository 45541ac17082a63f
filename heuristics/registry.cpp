#include "heuristics/registry.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "heuristics/brute.hpp"
#include "heuristics/cyclic_replication.hpp"
#include "heuristics/group_schedule.hpp"
#include "heuristics/no_replication.hpp"
#include "heuristics/random_replication.hpp"

namespace coterie::heuristics {
namespace {

template <ChartBuilder chart>
Plan group(const WorksharingProblem& problem, const Granularity& granularity) {
  return group_plan(problem, granularity, chart);
}

}  // namespace

const std::vector<Strategy>& worksharing_strategies() {
  static const std::vector<Strategy> table = {
      {"greedy", "group schedule: the riskiest group of chunks goes first, row by row",
       "worksharing-2013, Sections 5.2.4 and 7.1", group<greedy_chart>},
      {"group-cyclic", "group schedule: groups in the same order each time", "worksharing-2013, Section 5.2.4",
       group<cyclic_chart>},
      {"reverse", "group schedule: once forwards, then always backwards", "worksharing-2013, Section 5.2.4",
       group<reverse_chart>},
      {"mirror", "group schedule: the first half of the executions forwards, the others backwards",
       "worksharing-2013, Section 5.2.4", group<mirror_chart>},
      {"snake", "group schedule: forwards and backwards in turn", "worksharing-2013, Section 5.2.4",
       group<snake_chart>},
      {"fat-snake", "group schedule: forwards, then backwards at half the pace", "worksharing-2013, Section 5.2.4",
       group<fat_snake_chart>},
      {"brute", "every worker runs the whole workload in the same order", "worksharing-2013, Section 6.1", brute_plan},
      {"no-replication", "chunks dealt round-robin, each to one worker", "worksharing-2013, Section 6.1",
       no_replication_plan},
      {"cyclic-replication", "chunks dealt round-robin, again from the first until every worker is loaded",
       "worksharing-2013, Section 6.1", cyclic_replication_plan},
      {"random-replication", "every worker runs distinct random chunks in random order",
       "worksharing-2013, Section 6.1", random_replication_plan},
  };
  return table;
}

const Strategy& worksharing_strategy(const std::string& name, const Place& place) {
  std::vector<std::string> names;
  for (const Strategy& strategy : worksharing_strategies()) {
    if (strategy.name == name) return strategy;
    names.push_back(strategy.name);
  }
  throw InputError(
      place, fmt::format("unknown strategy \"{}\"{}; known are {}", name, suggestion(name, names), quoted_list(names)));
}

}  // namespace coterie::heuristics
