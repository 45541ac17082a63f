#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "sim/results/segments.hpp"

namespace coterie::sim {

/// New rows of one process, which go to a part from time to time.
class PartWriter {
 public:
  PartWriter(const Campaign& campaign, const Shard& shard, const PartFolder& folder, double save_seconds,
             const PartLane& lane);

  void add(std::vector<ResultRow> rows) { rows_.add(std::move(rows)); }
  const MemoryRows& rows() const { return rows_; }  ///< not in a file yet
  /// Whether the last save was `save_seconds` ago, or there are more rows than memory should hold.
  bool due() const;
  void save();

 private:
  const Campaign& campaign_;
  std::string provenance_;
  PartFolder folder_;
  PartLane lane_;
  MemoryRows rows_;
  std::chrono::steady_clock::duration interval_;
  std::chrono::steady_clock::time_point next_save_;
};

/// What a run does about existing results.
enum class Existing { kRefuse, kReplace, kResume };

/// All known results of a campaign (or a shard of it): an earlier result file, the parts in FILE.parts, and new rows.
class CampaignResults {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// `save_seconds`: how often new rows are written to a part. Throws InputError if there are results that `existing`
  /// says to refuse, or that belong to another campaign or program (with the differences); RuntimeError if they are
  /// damaged. `warn` hears what else should be known of them. `lane`: if others write parts, too.
  CampaignResults(const std::string& path, const Campaign& campaign, const Shard& shard, Existing existing,
                  double save_seconds, const Warn& warn = {}, const PartLane& lane = {});

  std::vector<MissingRows> missing() { return segments_.missing(); }
  std::uint64_t wanted() const { return segments_.wanted(); }
  ResultExtent extent() const { return segments_.extent(); }
  /// Whether the result file of exactly this campaign exists, with nothing missing; parts are then no longer needed.
  bool up_to_date() { return same_campaign_ && missing().empty(); }
  const PartFolder& folder() const { return folder_; }

  /// Whether there were no rows at the beginning.
  bool empty() const { return segments_.empty(); }
  /// Adds rows; writes a part if one is due.
  void add(std::vector<ResultRow> rows);
  /// Writes rows that are not on disk yet to a part.
  void save();
  /// Adds parts that others have written to the folder since.
  void take_new_parts() { segments_.add_parts(folder_); }
  /// Creates the folder now, so that others can write parts in it.
  void open_folder();
  /// Makes the result file and removes the parts.
  void publish(const RunNote& note, int threads);

 private:
  void take_result(const Warn& warn);
  void require_same(const std::string& path, const Provenance& stored) const;

  std::string path_;
  const Campaign& campaign_;
  Shard shard_;
  Segments segments_;
  PartFolder folder_;
  bool manifest_written_ = false;
  bool extends_result_ = false;
  bool replaces_result_ = false;
  bool same_campaign_ = false;  ///< the result file is of exactly this campaign
  PartWriter unsaved_;
};

}  // namespace coterie::sim
