#pragma once

#include <string>
#include <vector>

#include "sim/terminal/verb.hpp"

namespace coterie::sim {

const std::vector<Verb>& verbs();
/// Throws InputError where there is none; the message suggests the nearest of all verbs and options.
const Verb& find_verb(const std::string& program, std::string_view name);

int backtest_verb(const Call& call);
int charts_verb(const Call& call);
int completion_verb(const Call& call);
int diff_verb(const Call& call);
int help_verb(const Call& call);
int list_verb(const Call& call);
int manual_verb(const Call& call);
int merge_verb(const Call& call);
int replay_verb(const Call& call);
int report_verb(const Call& call);
int run_verb(const Call& call);
int schedule_verb(const Call& call);
int show_verb(const Call& call);
int solve_verb(const Call& call);
int status_verb(const Call& call);
int trace_verb(const Call& call);
int validate_verb(const Call& call);

}  // namespace coterie::sim
