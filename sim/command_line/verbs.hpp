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

int list_verb(const std::vector<std::string>& arguments);
int merge_verb(const std::vector<std::string>& arguments);
int plan_verb(const std::vector<std::string>& arguments);
int replay_verb(const std::vector<std::string>& arguments);
int report_verb(const std::vector<std::string>& arguments);
int run_verb(const std::vector<std::string>& arguments);
int schedule_verb(const std::vector<std::string>& arguments);
int show_verb(const std::vector<std::string>& arguments);
int charts_verb(const std::vector<std::string>& arguments);
int solve_verb(const std::vector<std::string>& arguments);
int status_verb(const std::vector<std::string>& arguments);
int trace_verb(const std::vector<std::string>& arguments);
int validate_verb(const std::vector<std::string>& arguments);

}  // namespace coterie::sim
