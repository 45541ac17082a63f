#pragma once

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// What no static schedule of problem.work on these workers can exceed in expected work: whatever its chunks (of any
/// sizes, overlapping in any way), orders and waiting. In units of work, at most problem.work. For any risk; `lambda`
/// and `coteries` do not matter.
///
/// Work that ends at times f_j on workers j gets done with probability 1 - exp(-L), L = sum of l_j, l_j = -ln Pr(f_j).
/// 1 - exp(-L) is concave and at most 1, so for every s > 0 it is at most
///   a + sum of c(f_j),  a = 1 - (1 + s) e^-s,  c(f) = e^-s min(l, 1 + s),
/// and it is at most sum of c(f_j) with c(f) = 1 - Pr(f), a = 0. Summed over all work W, with p workers alike,
///   E <= a W + p V,  V = max over the chunks of one worker of the sum of w_k c(f_k),
///   V <= mu W + max of the sum of w_k (c(f_k) - mu) for every mu >= 0, as one worker runs W at most.
/// The last maximum is a dynamic programme over ends of chunks. Ends are rounded up to a grid, where c is taken just
/// behind the point before: since c does not increase, the sum of (f_k - f_{k-1} - eps) c_k does not fall by that
/// (summed by parts). E is the least over some a, c and mu. Not in worksharing-2013.
double static_ceiling(const WorksharingProblem& problem);

}  // namespace coterie::heuristics
