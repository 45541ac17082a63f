#pragma once

#include <cstddef>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Work in whole tasks: their number, the last of which may be shorter.
std::size_t count_of_tasks(double work, double task);
/// Their sizes.
std::vector<double> task_sizes(double work, double task);

/// The schedule in whole tasks of this size: a worker runs, one by one, those whose middle is in what it ran. Each
/// starts with the start-up cost.
Schedule in_whole_tasks(const Schedule& schedule, double work, double task, double startup_cost);
/// The same of a plan with a fixed schedule; what is expected of it is not known then.
Plan in_whole_tasks(Plan plan, double work, double task, double startup_cost);

}  // namespace coterie::heuristics
