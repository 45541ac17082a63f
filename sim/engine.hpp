#pragma once

#include "sim/campaign.hpp"
#include "sim/progress.hpp"
#include "sim/result_store.hpp"

namespace coterie::sim {

/// Runs all instances of all configurations of a campaign and hands the results to the store, batch by batch, so that
/// memory does not grow with the campaign. Work is dealt to `threads` threads (0: all cores) in blocks of 250
/// consecutive instances of one configuration; what a block computes depends on nothing but its configuration and
/// instances, so the results are the same bytes for any number of threads.
void run_campaign(const Campaign& campaign, ResultStore& store, int threads, Progress& progress);

}  // namespace coterie::sim
