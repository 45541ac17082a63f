#pragma once

#include <functional>
#include <string>

#include "sim/campaign/campaign.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/stop.hpp"
#include "sim/run/campaign_results.hpp"

namespace coterie::sim {

/// How a run ended.
struct RunOutcome {
  enum class End {
    kComplete,  ///< the result file is complete
    kUpToDate,  ///< it was already complete before
    kStopped,   ///< can be resumed
    kOtherRank  ///< one of several ranks, whose own failure `RunSettings::warn` was told: rank 0 knows the outcome
  };
  End end = End::kComplete;
  std::string stopped_at{};  ///< "at 12.3 %"; "" if that takes long to determine
  ResultExtent extent{};     ///< if there is a result: how far each configuration goes
  bool begun = true;         ///< false: stopped before the first block
};

/// How a campaign is run; none of this changes a ratio. The functions may be called from any thread, one at a time, and
/// must not throw.
struct RunSettings {
  Shard shard{};                          ///< the part of the campaign that is run
  Existing existing = Existing::kRefuse;  ///< what to do about existing results
  int threads = 0;                        ///< 0: all cores
  double save_seconds = 10;               ///< how often finished rows go to FILE.parts; above 0, below 1e9
  RunNote note{};                         ///< what the file says of the run
  StopRule* stop = nullptr;               ///< when to stop before the end; null: never
  std::function<void(const ProgressState&)> progress{};  ///< progress, after each block
  std::function<void(const std::string&)> tell{};        ///< useful information in advance: traces, disk space, time
  std::function<void(const std::string&)> warn{};        ///< what goes on in spite of it, as a failure of a rank
  std::string go_on = "the same run with Existing::kResume";  ///< how to continue, for messages
  /// Ends the program, from another thread, if threads do not stop although `stop` says so: calls the function that it
  /// is given, which saves finished work (and throws if that fails), and must not return. Without it, the run waits for
  /// the threads. Not called if there are several ranks, because they would be killed.
  std::function<void(const std::function<RunOutcome()>& save)> give_up{};
};

/// Runs a campaign, or the missing part of its results, into a result file. If mpirun started several processes, all
/// call this with the same campaign and share the work (a program that does so more than once must start and end MPI
/// itself). The result's datasets have the same bytes for any number of ranks, threads and interruptions. Stopping is
/// not an error: finished work is then in FILE.parts, for Existing::kResume. Throws InputError for settings out of
/// bounds, existing results that are refused or belong to another campaign, and outputs that would replace an input;
/// RuntimeError if files cannot be read or written, another run has the output, or a rank failed.
/// `campaign.configurations` must not be empty.
RunOutcome run_campaign(const Campaign& campaign, const std::string& output, const RunSettings& settings = {});

/// The same for a campaign that still has to be read. It is read at most once per rank, by rank 0 first, so that only
/// rank 0 throws its errors; a stop meanwhile stops the run.
RunOutcome run_campaign(const std::function<const Campaign&()>& read, const std::string& output,
                        const RunSettings& settings = {});

}  // namespace coterie::sim
