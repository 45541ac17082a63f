#pragma once

#include <functional>
#include <vector>

#include "sim/engine/progress.hpp"
#include "sim/engine/rows.hpp"
#include "sim/engine/stop.hpp"

namespace coterie::sim {

/// How a run uses the machine; none of this changes a result.
struct RunControl {
  int threads = 0;                                    ///< 0: all cores
  std::function<bool()> stop = [] { return false; };  ///< asked before each block, by one thread at a time
  std::function<void(std::vector<ResultRow>)> keep;   ///< receives finished rows, from one thread at a time
  double keep_seconds = 1;                            ///< how often it is called, at most
  /// Ends the program, from another thread, if threads do not stop although `rule` says so: calls the function that it
  /// is given, which keeps finished work, and must not return.
  std::function<void(const std::function<void()>& keep_finished)> give_up{};
  StopRule* rule = nullptr;  ///< present with `give_up`
};

/// Computes missing rows of a campaign. Work is handed to the threads in blocks of 250 consecutive instances of
/// one configuration; what a block computes depends only on its configuration and instances, so the rows hold the same
/// bytes for any number of threads and any order. Memory hardly grows with the campaign: by some 60 bytes,
/// and 8 for each strategy, for every configuration and every 4 million values of it (of statistics: 4 million
/// instances).
/// Returns false if `stop` or the CancellationScope of the calling thread ended it early; all finished blocks have then
/// been kept, and blocks in progress count as not run. If threads do not stop then, `give_up` is called.
bool compute_rows(const Campaign& campaign, const std::vector<MissingRows>& missing, const RunControl& control,
                  Progress& progress);

}  // namespace coterie::sim
