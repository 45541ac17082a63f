#pragma once

#include <vector>

#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// The most workers for which a scenario is solved in exact arithmetic, and by the dense simplex in doubles.
inline constexpr std::size_t kExactScenarioWorkers = 20;
inline constexpr std::size_t kDenseScenarioWorkers = 40;
/// In doubles, workers that would add less than this part of the greatest throughput of one alone may be left out.
constexpr double scenario_tolerance(std::size_t workers) { return workers > kDenseScenarioWorkers ? 1e-9 : 1e-11; }

/// The best shares for given orders: the linear program of [Beaumont, Marchal, Robert 2005, Section 2.2]
///   maximise sum a_i   subject to, for each enrolled worker i,
///   sum_{j sent no later than i} c_j a_j + w_i a_i + sum_{j returned no earlier than i} d_j a_j <= 1,   a_i >= 0,
/// and with one port sum (c_j + d_j) a_j <= 1. Enrolled workers may get share 0; the answer's orders leave
/// them out. Rational: exact, at most kExactScenarioWorkers enrolled (time grows fast; InputError beyond).
/// Doubles: the dense simplex for few workers, CLP on a sparse form (prefix sums as variables) beyond; the throughput
/// may be too low by scenario_tolerance for each worker. Throws InputError for an invalid platform or scenario,
/// RuntimeError if CLP fails.
template <class Number>
StarSharing<Number> solve_scenario(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports);

/// The rows of that program over the enrolled workers (in the send order), row by row; with one port, one more row.
template <class Number>
std::vector<Number> scenario_rows(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports);

/// The same for one scenario after another, reusing memory.
template <class Number>
class ScenarioRows {
 public:
  const std::vector<Number>& of(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports);

 private:
  std::vector<Number> rows_;
  std::vector<std::size_t> returned_;  // place of each worker in the return order
};

/// The same by CLP for any number of workers.
StarSharing<double> solve_scenario_with_clp(const StarPlatform<double>& platform, const Scenario& scenario,
                                            Ports ports);

}  // namespace coterie::heuristics
