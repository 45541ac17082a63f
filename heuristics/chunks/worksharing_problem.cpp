#include "heuristics/chunks/worksharing_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rational.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {

void WorksharingProblem::validate() const {
  if (workers < 1 || workers > kMostWorkers)
    throw InputError(fmt::format("workers must be a whole number from 1 to {}, not {}", kMostWorkers, workers));
  if (!(work > 0) || !std::isfinite(work))
    throw InputError(fmt::format("work must be positive and finite, not {}", to_text(work)));
  if (work < kLeastWork)
    throw InputError(
        fmt::format("work must be at least {}, not {}; take a smaller unit", to_text(kLeastWork), to_text(work)));
  if (!(startup_cost >= 0))
    throw InputError(fmt::format("startup must not be negative, not {}", to_text(startup_cost)));
  if (startup_cost > kMostStartup)
    throw InputError(fmt::format("startup must be at most {}, not {}", to_text(kMostStartup), to_text(startup_cost)));
  if (!(lambda > 0 && lambda <= 1))
    throw InputError(fmt::format("lambda must be above 0 and at most 1, not {}", to_text(lambda)));
  if (coteries > workers)
    throw InputError(fmt::format("{} coteries need at least as many workers, not {}", coteries, workers));
  if (worker_risks.size() > 1 && worker_risks.size() != workers)
    throw InputError(
        fmt::format("{} risks for {} workers: give one for each, or one for all", worker_risks.size(), workers));
  if (!(max_slice() > 0))
    throw InputError(lambda < 1
                         ? fmt::format("lambda = {} leaves no work: the risk reaches it at once", to_text(lambda))
                         : "no work can be done: every worker is interrupted at once");
}

WorksharingProblem WorksharingProblem::for_any_lambda() const {
  WorksharingProblem problem = *this;
  problem.lambda = 1;
  return problem;
}

double WorksharingProblem::max_slice() const {
  const double slice = risk->quantile(lambda);
  if (lambda >= 1) return slice;
  // Sums of weights round: where the law reaches lambda by a jump, that may seem to miss it.
  const double reached = risk->quantile(lambda * (1 - 1e-12));
  if (!(reached < slice * (1 - 1e-9))) return slice;
  const std::vector<double> breaks = risk->breaks();
  const auto jump = std::lower_bound(breaks.begin(), breaks.end(), reached * (1 - 1e-9));
  return jump != breaks.end() && *jump <= reached * (1 + 1e-9) ? reached : slice;
}

double WorksharingProblem::local_load() const {
  const double slice = max_slice();
  if (std::isfinite(slice)) return slice;
  const double horizon = risk->effective_horizon();
  return horizon > startup_cost ? horizon : work;  // an interrupted worker completes nothing
}

Granularity Granularity::parse(const std::string& text, const Place& place) {
  if (text == "auto") return {Kind::kAuto, 0};
  if (text == "auto-paper") return {Kind::kAutoPaper, 0};
  const auto count = parse_whole(text);
  if (!count || *count < 1)
    throw InputError(place,
                     fmt::format("chunks must be a whole number of at least 1, \"auto\" or \"auto-paper\", not {}",
                                 parse_number(text) ? text : '"' + text + '"'));
  return {Kind::kPerUnit, static_cast<std::size_t>(*count)};
}

}  // namespace coterie::heuristics
