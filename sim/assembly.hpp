#pragma once

#include "sim/result_rows.hpp"
#include "sim/result_store.hpp"

namespace coterie::sim {

/// Writes all rows of the sources into a result file, with their summaries: a pure function of the rows, whichever
/// source they are in. What no source has stays NaN.
void assemble(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
              ResultStore& store, int threads);

}  // namespace coterie::sim
