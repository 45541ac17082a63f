#pragma once

#include <vector>

#include "heuristics/ceilings/listening_problem.hpp"

namespace coterie::heuristics {

/// The expected work if the workers are run one after another, in the order of `risks`, each by a policy that knows
/// what those before it completed. With R work left for the last k workers, U_0(R) = 0, and for the worker before them
///   J(t, R) = the greatest of U_{k-1}(R) (stop) and, over sizes x,
///             q (x + J(t + x + eps, R - x)) + (1 - q) U_{k-1}(R),  q = P(T >= t + x + eps | T >= t),
///   U_k(R) = J(0, R).
/// values[k][i] = U_k(i step), in units of work, for k = 0, ..., p: the optimum of such policies on the grid, up to
/// rounding. O(p n^2 m) for W = n steps and lives of m steps. Throws as ListeningProblem::validate() and survival().
///
/// No static schedule of chunks on this grid expects more, up to 1e-12 of the work for each worker: a sequence of
/// workers can run the same lists and skip what is done. It is not a ceiling for policies that run workers at the same
/// time and listen (RESULTS.md has an example); own_clocks.hpp has one.
std::vector<std::vector<double>> sequential_values(const ListeningProblem& problem);
/// U_p(W).
double sequential_value(const ListeningProblem& problem);

}  // namespace coterie::heuristics
