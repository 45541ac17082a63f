#pragma once

#include <optional>

#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Each worker runs the list() of this tangent of WorkerCeiling, of at most W together; chunks, or lists as a whole,
/// are placed one after another where most work is expected to be still undone. If lives are short compared with
/// start-up costs, little of W gets done, copies hardly ever coincide, and no schedule can expect much more. Nothing if
/// all workers are alike and W is enough for all lists side by side (single-optimal is then as good), or if there are
/// too many pieces. Beyond worksharing-2013.
std::optional<Plan> overlapping_lists_plan(const WorksharingProblem& problem, std::size_t tangent, SliceCache& memory);

}  // namespace coterie::heuristics
