#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/engine/rows.hpp"
#include "sim/results/result_store.hpp"

namespace coterie::sim {

/// Makes a result file of all rows of the sources, with their summaries: a pure function of the rows, whichever source
/// they are in. What no source has stays NaN. `open` begins the file, in this thread, while others are busy with the
/// first rows.
void assemble(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
              const std::function<std::unique_ptr<ResultStore>()>& open, int threads);

/// All configurations, those with like workers (`Axis::of_worker`) one after the other: models remember what they found
/// of such workers, but not of all workers of a large campaign.
std::vector<std::size_t> like_workers_together(const Campaign& campaign);

}  // namespace coterie::sim
