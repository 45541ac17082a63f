#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "core/schedule.hpp"

namespace coterie::heuristics {

/// The longest list of chunks that is written out.
inline constexpr std::int64_t kMostChunks = 10'000'000;

/// Work for one worker that may be interrupted, cut into at most `chunks` chunks, each preceded by a start-up cost.
/// Units: work = time at full speed.
struct OneWorkerProblem {
  double work = 0;                     ///< W >= 0, may be infinite
  std::optional<std::int64_t> chunks;  ///< n >= 1; nothing: as many as help
  double startup = 0;                  ///< eps >= 0
  RiskPtr risk;
};

struct OneWorkerSolution {
  std::vector<double> chunk_sizes;  ///< in order of execution, > 0
  double startup = 0;
  double deployed_work = 0;
  double expected_work = 0;
  double upper_bound = 0;  ///< integral of 1 - Pr over [0, W], which no schedule exceeds
  std::string method;
  bool exact = false;  ///< proven optimal by a theorem or an exact search
};

/// Best chunks under linear risk without start-up cost:
///   n equal chunks of D = min(W, n X / (n + 1)), E = D - (n + 1) kappa D^2 / (2 n).
/// [worksharing-2013, Theorem 2]
OneWorkerSolution free_linear_chunks(double work, std::int64_t chunks, double kappa);

/// Best chunks under linear risk with start-up cost eps: m = min(n, n1, n2), n1 the greatest m with
/// m (m + 1) eps < 2 X, n2 the greatest with m (m - 1) eps < 2 W, sizes falling by eps. If equality makes the last
/// chunk empty, it is dropped; eps >= X or W = 0 gives nothing; eps = 0 is Theorem 2.
/// [worksharing-2013, Theorem 4; errata B4]
OneWorkerSolution charged_linear_chunks(double work, std::int64_t chunks, double startup, double kappa);

/// All of W in n equal chunks: only asymptotically optimal, at most (W/n)(Pr(W) - Pr(0)) below the bound if the
/// start-up cost is 0. [worksharing-2013, Theorem 3; errata B9]
OneWorkerSolution equal_chunks(const OneWorkerProblem& problem);

/// Best chunks under any risk: Theorem 2 or 4 for a linear risk, an exact dynamic programme for an empirical one,
/// otherwise a numeric search. Throws InputError if no finite number of chunks is best, or if the best number is too
/// large to be searched for.
OneWorkerSolution optimal_chunks(const OneWorkerProblem& problem);

/// Integral of 1 - Pr(t) over [0, W], W perhaps infinite; infinite if it has no end (or lies beyond all doubles). Exact
/// for an empirical or linear risk, by quadrature for others, which for more than 1000 jumps is good to some 1e-6.
/// [worksharing-2013, Theorem 3]
double survival_integral(double work, const Risk& risk);

/// The solution as a schedule of one worker, for the exact evaluator and the simulation.
Schedule to_schedule(const OneWorkerSolution& solution);

}  // namespace coterie::heuristics
