#pragma once

#include "heuristics/ceilings/listening_problem.hpp"

namespace coterie::heuristics {

/// What no policy that listens can exceed in expected work, among those whose chunks are on the grid. Each worker has a
/// clock of its own, which the controller advances by a chunk at will; it learns at once whether the worker survived.
/// With independent lives and no deadline such a controller can imitate every policy that listens: it samples what the
/// policy would see, in the policy's order. So its optimum is a ceiling, and proven one:
///   V(alive, t, R) = the greatest of 0 and, over workers j alive and sizes x,
///                    q (x + V(alive, t + (x + eps) e_j, R - x)) + (1 - q) V(alive without j, t, R),
///   q = P(T_j >= t_j + x + eps | T_j >= t_j).
/// In units of work. O(m^p n^2 p) for W = n steps and lives of m steps: for two or three workers. Throws as
/// ListeningProblem::validate(), and InputError where there are more than 2e8 states.
double own_clocks_optimum(const ListeningProblem& problem);

}  // namespace coterie::heuristics
