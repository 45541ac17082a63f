#pragma once

#include <string>
#include <vector>

namespace coterie::sim {

/// What the program does for `coterie NAME ...`: one row a verb.
struct Verb {
  std::string name;
  std::string summary;
  int (*run)(const std::vector<std::string>& arguments);  ///< returns the exit code; throws what main reports
};

const std::vector<Verb>& verbs();

int charts_verb(const std::vector<std::string>& arguments);
int solve_verb(const std::vector<std::string>& arguments);

}  // namespace coterie::sim
