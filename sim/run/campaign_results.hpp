#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/results/part_files.hpp"
#include "sim/results/result_store.hpp"

namespace coterie::sim {

/// Rows that are not in a file yet, and when to save them.
class UnsavedRows {
 public:
  explicit UnsavedRows(double save_seconds);

  void add(std::vector<ResultRow> rows) { rows_.add(std::move(rows)); }
  const MemoryRows& rows() const { return rows_; }
  /// Whether the last save was `save_seconds` ago, or there are more rows than memory should hold.
  bool due() const;
  /// Drops them, because they are now in a file.
  void saved();

 private:
  MemoryRows rows_;
  std::chrono::steady_clock::duration interval_;
  std::chrono::steady_clock::time_point next_save_;
};

/// What a run does about existing results.
enum class Existing { kRefuse, kReplace, kResume };

/// All known results of a campaign (or a shard of it): an earlier result file, the parts in FILE.parts, and new rows.
/// The result file is made from these, and is the same wherever each row came from.
class CampaignResults {
 public:
  using Warn = std::function<void(const std::string&)>;

  /// `save_seconds`: how often new rows are written to a part. Throws InputError if there are results that `existing`
  /// says to refuse, or that belong to another campaign or program (with the differences); RuntimeError if they are
  /// damaged. `warn` hears what else should be known of them.
  CampaignResults(const std::string& path, const Campaign& campaign, const Shard& shard, Existing existing,
                  double save_seconds, const Warn& warn = {});

  /// Rows not computed yet, in the order of the campaign. With `precision`: those needed next; once they are there,
  /// more may be missing.
  std::vector<MissingRows> missing();
  /// Instances that the shard needs, over its configurations; with `precision`, as far as known so far.
  std::uint64_t wanted() const;
  /// How far each configuration goes, when nothing is missing.
  ResultExtent extent() const;
  /// Whether the result file of exactly this campaign exists, with nothing missing; parts are then no longer needed.
  bool up_to_date();
  const PartFolder& folder() const { return folder_; }

  /// Whether there are no rows yet.
  bool empty() const { return sources_.empty(); }
  /// Adds rows; writes a part if one is due.
  void add(std::vector<ResultRow> rows);
  /// Writes rows that are not on disk yet to a part.
  void save();
  /// Adds parts that others have written to the folder since.
  void take_new_parts();
  /// Creates the folder now, so that others can write parts in it; `lane` is that of this writer.
  void open_folder(const PartLane& lane);
  /// Makes the result file and removes the parts.
  void publish(const RunNote& note, int threads);

 private:
  void take_result(const Warn& warn);
  void take_parts(const Provenance& stored);
  std::vector<const RowSource*> sources() const;

  std::string path_;
  const Campaign& campaign_;
  Shard shard_;
  CampaignIndex index_;
  PartFolder folder_;
  std::vector<std::unique_ptr<RowSource>> sources_;
  std::set<std::string> known_parts_;
  PartLane lane_;
  bool manifest_written_ = false;
  bool extends_result_ = false;
  bool replaces_result_ = false;
  bool same_campaign_ = false;             ///< the result file is of exactly this campaign
  std::optional<PrecisionSearch> search_;  ///< of a campaign with `precision`
  UnsavedRows unsaved_;
};

}  // namespace coterie::sim
