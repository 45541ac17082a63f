#pragma once

#include "heuristics/ceilings/listening_problem.hpp"

namespace coterie::heuristics {

/// An upper bound on the expected work of policies that listen, let every chunk that was begun run to its end, and
/// whose chunks begin and end on the grid, by the last time of ListeningProblem::survival. Each worker has its own
/// clock, which the controller may advance by a chunk, or by a step in which the worker is idle, at any time; it learns
/// at once whether the worker survived. With independent lives and no deadline such a controller can imitate every such
/// policy: it samples what the policy would see, in the policy's order. So its optimum is a proven ceiling, up to 1e-12
/// of the work for each worker (ListeningProblem::survival) and rounding:
///   V(alive, t, R) = the greatest of 0 and, over workers j alive and sizes x,
///                    q (x + V(alive, t + (x + eps) e_j, R - x)) + (1 - q) V(alive without j, t, R),
///   q = P(T_j >= t_j + x + eps | T_j >= t_j), and the same without work or start-up cost for an idle step.
/// In units of work. O(m^p n^2 p) for W = n steps and lives of m steps: for two or three workers. Throws as
/// ListeningProblem::validate(), and InputError for more than 2e8 states.
double own_clocks_optimum(const ListeningProblem& problem);

}  // namespace coterie::heuristics
