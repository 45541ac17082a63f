#pragma once

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/results/part_files.hpp"
#include "sim/results/result_store.hpp"

namespace coterie::sim {

/// Rows that are in no file yet, and when it is time to save them.
class UnsavedRows {
 public:
  explicit UnsavedRows(double save_seconds);

  void add(std::vector<ResultRow> rows) { rows_.add(std::move(rows)); }
  const MemoryRows& rows() const { return rows_; }
  /// Whether the last time is `save_seconds` ago, or there are more than memory should hold.
  bool due() const;
  /// Forgets them: they are in a file now.
  void saved();

 private:
  MemoryRows rows_;
  std::chrono::steady_clock::duration interval_;
  std::chrono::steady_clock::time_point next_save_;
};

/// What a run does about results that are there already.
enum class Existing { kRefuse, kReplace, kResume };

/// All that is known of the results of a campaign (or a shard of it): an earlier result file, the parts in FILE.parts,
/// and rows that came in just now. From these the result file is made, the same whatever was where.
class CampaignResults {
 public:
  /// `save_seconds`: how often rows that came in are written to a part. Throws InputError where there are results that
  /// `existing` says to refuse, or that are of another campaign or program (with the differences); RuntimeError where
  /// they are damaged.
  CampaignResults(const std::string& path, const Campaign& campaign, const Shard& shard, Existing existing,
                  double save_seconds);

  /// What nobody has computed yet, in the order of the campaign. With `precision`: what has to be known next, and when
  /// those rows are in, there may be more.
  std::vector<MissingRows> missing();
  /// Instances that the shard needs, over its configurations; with `precision`, as far as is known by now.
  std::uint64_t wanted() const;
  /// How far each configuration goes, once nothing is missing.
  ResultExtent extent() const;
  /// Whether the result file is there, of this very campaign, with nothing missing; parts are not needed any more then.
  bool up_to_date();
  const PartFolder& folder() const { return folder_; }

  /// Takes rows in; writes a part when that is due.
  void add(std::vector<ResultRow> rows);
  /// Writes what is not on disk yet to a part.
  void save();
  /// Takes in parts that others wrote to the folder since.
  void take_new_parts();
  /// Makes the folder now, in which others will write parts; `lane` is where this one does.
  void open_folder(const PartLane& lane);
  /// Makes the result file and removes the parts.
  void publish(const RunNote& note, int threads);

 private:
  void take_result();
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
  bool same_campaign_ = false;             ///< the result file is of this very campaign
  std::optional<PrecisionSearch> search_;  ///< of a campaign with `precision`
  UnsavedRows unsaved_;
};

}  // namespace coterie::sim
