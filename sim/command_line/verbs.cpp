#include "sim/command_line/verbs.hpp"

namespace coterie::sim {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {
      {"charts", "group charts of one coterie: how good they are, and Table 4 of worksharing-2013", charts_verb},
      {"solve", "one explicit platform: optimal shares, order, expected work, throughput or finish time", solve_verb},
  };
  return table;
}

}  // namespace coterie::sim
