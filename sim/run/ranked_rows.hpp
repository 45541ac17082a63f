#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/engine.hpp"
#include "sim/results/part_files.hpp"
#include "sim/run/campaign_results.hpp"
#include "sim/run/ranks.hpp"

namespace coterie::sim {

/// How the work of several ranks ended; the greatest value counts.
enum class RankOutcome { kDone = 0, kStopped = 1, kFailed = 2 };

/// Collective: the rows that rank 0 wants computed.
std::vector<MissingRows> broadcast_missing(const Ranks& ranks, const std::vector<MissingRows>& missing);

/// How many pieces of work a rank takes at once: some ten seconds of them, as far as the last ones tell, or ten times
/// as long as the trials of a configuration take to prepare.
class PiecesAtOnce {
 public:
  /// At least 1; more than that, at most `most`.
  std::uint64_t next(std::uint64_t most) const;
  /// What the last ones took. `preparing`: until the first block was computed; nothing if none was.
  void took(std::uint64_t pieces, double seconds, std::optional<double> preparing);

 private:
  double a_second_ = 0;  ///< pieces
  double preparing_ = 0;
};

/// Collective: computes missing rows, which are the same on all ranks. Each takes its next work from a shared counter,
/// some seconds of it and less towards the end, so that all finish at the same time. `control.keep` receives the rows
/// of this rank. A rank that fails reports the reason to `warn`. Once one fails or is stopped, the others take no more
/// work; what they finished is kept.
RankOutcome compute_rows_on_ranks(const Ranks& ranks, const Campaign& campaign, const std::vector<MissingRows>& missing,
                                  const RunControl& control, Progress& progress,
                                  const std::function<void(const std::string&)>& warn);

/// Writes the rows of a rank other than 0, which owns only its part files.
class RankParts {
 public:
  RankParts(const Ranks& ranks, const Campaign& campaign, const Shard& shard, const PartFolder& folder,
            double save_seconds);
  void add(std::vector<ResultRow> rows);
  void save();

 private:
  const Campaign& campaign_;
  std::string provenance_;
  PartFolder folder_;
  PartLane lane_;
  UnsavedRows unsaved_;
};

}  // namespace coterie::sim
