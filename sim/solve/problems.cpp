#include "sim/solve/problems.hpp"

#include "sim/solve/background_problem.hpp"
#include "sim/solve/heterogeneous_problem.hpp"
#include "sim/solve/now_problem.hpp"
#include "sim/solve/one_worker_problem.hpp"
#include "sim/solve/return_messages_problem.hpp"
#include "sim/solve/two_workers_problem.hpp"

namespace coterie::sim {

const std::vector<SolvableProblem>& solvable_problems() {
  static const std::vector<SolvableProblem> table = {
      {"now", "a network of workstations: work in a lifespan, or the lifespan for a work", solve_now, draw_now},
      {"return-messages", "a star whose workers return results: orders, shares and throughput", solve_return_messages,
       draw_return_messages},
      {"background", "a tree of processors and links slowed by background jobs: finish time and shares",
       solve_background},
      {"heterogeneous", "order and shares for workers that differ in speed, bandwidth and risk [heterogeneous-2011]",
       solve_heterogeneous},
      {"one-worker", "best chunks for one worker under any risk [worksharing-2013, Section 3]", solve_one_worker},
      {"two-workers", "shared and exclusive chunks for two workers [worksharing-2013, Section 4]", solve_two_workers},
  };
  return table;
}

}  // namespace coterie::sim
