#include "sim/solve/problems.hpp"

#include "sim/solve/background_problem.hpp"

namespace coterie::sim {

const std::vector<SolvableProblem>& solvable_problems() {
  static const std::vector<SolvableProblem> table = {
      {"background", "a tree of processors and links slowed by background jobs: finish time and shares",
       solve_background},
  };
  return table;
}

}  // namespace coterie::sim
