#include "sim/command_line/verbs.hpp"

namespace coterie::sim {

const std::vector<Verb>& verbs() {
  static const std::vector<Verb> table = {
      {"solve", "one explicit platform: optimal shares, order, expected work, throughput or finish time", solve_verb},
      {"trace", "availability traces: info, convert, fit", trace_verb},
  };
  return table;
}

}  // namespace coterie::sim
