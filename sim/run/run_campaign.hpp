#pragma once

#include <functional>
#include <string>

#include "sim/campaign/campaign.hpp"
#include "sim/engine/progress.hpp"
#include "sim/engine/stop.hpp"
#include "sim/run/campaign_results.hpp"

namespace coterie::sim {

/// What a run came to.
struct RunOutcome {
  enum class End {
    kComplete,   ///< the result file is there
    kUpToDate,   ///< it was there before, with nothing missing
    kStopped,    ///< to be resumed
    kOtherRank,  ///< of several ranks, one that has done its part: rank 0 knows the end
    kRankFailed  ///< of several ranks, one that has not; `RunSettings::warn` was told why, and rank 0 throws
  };
  End end = End::kComplete;
  std::string stopped_at{};  ///< "at 12.3 %"; "" where that takes long to know
  ResultExtent extent{};     ///< where a result is there: how far each configuration goes
};

/// How a campaign is run; nothing of it changes a ratio. The functions are called by any thread, one at a time, and
/// must not throw.
struct RunSettings {
  Shard shard{};                          ///< the part of the campaign that is run
  Existing existing = Existing::kRefuse;  ///< what to do about results that are there already
  int threads = 0;                        ///< 0: all cores
  double save_seconds = 10;               ///< how often finished rows go to FILE.parts; above 0, below 1e9
  RunNote note{};                         ///< what the file says of the run
  StopRule* stop = nullptr;               ///< when to stop before the end; null: never
  std::function<void(const ProgressState&)> progress{};       ///< how far it is, after each block
  std::function<void(const std::string&)> tell{};             ///< what is worth knowing before: traces, room, time
  std::function<void(const std::string&)> warn{};             ///< what went wrong on a rank, while others go on
  std::string go_on = "the same run with Existing::kResume";  ///< how to, for messages
  /// Ends the program, from another thread, when threads do not end although `stop` says so: calls the function that
  /// it is given, which saves what is finished (and throws where that fails), and must not return. Without it they are
  /// waited for. Not called where there are several ranks, which would be killed.
  std::function<void(const std::function<RunOutcome()>& save)> give_up{};
};

/// Runs a campaign, or what is missing of its results, into a result file. Where mpirun started several programs, all
/// call this with the same campaign and share the work (a program that does so more than once starts and ends MPI
/// itself). The result has the same bytes for any number of ranks, threads and interruptions. Stopping is no error:
/// what is finished by then is in FILE.parts, for Existing::kResume. Throws InputError for settings out of bounds,
/// results that are there and refused or of another campaign, and outputs that would replace an input; RuntimeError
/// where files cannot be read or written, another run has the output, or a rank failed. `campaign.configurations` must
/// not be empty.
RunOutcome run_campaign(const Campaign& campaign, const std::string& output, const RunSettings& settings = {});

/// The same for a campaign that is still to be read, at most once: by rank 0 first, so that what is wrong with it is
/// thrown there alone, and a stop meanwhile is a stop of the run.
RunOutcome run_campaign(const std::function<const Campaign&()>& read, const std::string& output,
                        const RunSettings& settings = {});

}  // namespace coterie::sim
