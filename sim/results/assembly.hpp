#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/engine/rows.hpp"
#include "sim/results/result_store.hpp"

namespace coterie::sim {

/// Makes a result file from all rows of the sources, with their summaries: a pure function of the rows, whichever
/// source they are in. Rows that no source has stay NaN. `open` creates the file, in this thread, while others process
/// the first rows.
void assemble(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
              const std::function<std::unique_ptr<ResultStore>()>& open, int threads);

/// All configurations, those with the same workers (`Axis::of_worker`) one after the other: models cache findings about
/// such workers, but not for all workers of a large campaign.
std::vector<std::size_t> like_workers_together(const Campaign& campaign);

}  // namespace coterie::sim
