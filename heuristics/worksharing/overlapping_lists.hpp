#pragma once

#include <optional>

#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Each worker runs the list of chunks, of at most W together, that is worth most with this tangent of WorkerCeiling
/// (the first: that is best for it alone); chunks, or lists as a whole, are placed one after another where most is
/// expected to be still undone. Where lives are short beside start-up costs, little of W gets done and copies hardly
/// ever meet: then nothing is expected to do much more. Nothing where W is enough for all lists side by side
/// (single-optimal does as well then), and where there are too many pieces. Beyond worksharing-2013.
std::optional<Plan> overlapping_lists_plan(const WorksharingProblem& problem, std::size_t tangent, SliceCache& memory);

}  // namespace coterie::heuristics
