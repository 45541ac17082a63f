#include "sim/solve/problems.hpp"

namespace coterie::sim {

const std::vector<SolvableProblem>& solvable_problems() {
  static const std::vector<SolvableProblem> table = {};
  return table;
}

}  // namespace coterie::sim
