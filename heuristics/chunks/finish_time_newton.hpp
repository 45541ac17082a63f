#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

struct NewtonResult {
  std::vector<double> finish_times;
  bool converged = false;
};

/// Newton's method for the finish times t_1 < ... < t_n of one worker's chunks, from a good start:
///   dE/dt_i = G(t_i) - w_i f(t_i) - G(t_{i+1}) = 0,  w_i = t_i - t_{i-1} - eps,  G(t_{n+1}) = 0,
/// subject to t_n <= W + n eps; G = 1 - Pr, f its density. The Hessian is tridiagonal, so a step costs O(n); steps
/// are halved until E does not fall. [of E of worksharing-2013, Section 2.2.3]
NewtonResult polish_finish_times(std::vector<double> start, double work, double startup, const Risk& risk);

}  // namespace coterie::heuristics
