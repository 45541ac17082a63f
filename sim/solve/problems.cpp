#include "sim/solve/problems.hpp"

#include "sim/solve/now_problem.hpp"
#include "sim/solve/return_messages_problem.hpp"
#include "sim/solve/background_problem.hpp"

namespace coterie::sim {

const std::vector<SolvableProblem>& solvable_problems() {
  static const std::vector<SolvableProblem> table = {
      {"now", "a network of workstations: work in a lifespan, or the lifespan for a work", solve_now},
      {"return-messages", "a star whose workers return results: orders, shares and throughput", solve_return_messages},
      {"background", "a tree of processors and links slowed by background jobs: finish time and shares",
       solve_background},
  };
  return table;
}

}  // namespace coterie::sim
