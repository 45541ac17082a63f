#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/campaign/provenance.hpp"
#include "sim/engine/rows.hpp"
#include "sim/files/hdf5_file.hpp"

namespace coterie::sim {

/// The content of manifest.json.
struct PartManifest {
  Provenance provenance;
  bool extends_result = false;  ///< the rows of FILE belong to it; otherwise FILE, if it exists, will be replaced
  bool replaces_result = true;  ///< FILE existed when the parts were begun
};

/// The numbers of the part files of one of several writers: those with remainder `index` when divided by `count`.
struct PartLane {
  unsigned long index = 0;
  unsigned long count = 1;
};

/// The folder FILE.parts beside a result that is being computed: manifest.json identifies the campaign and the program,
/// and the files part-NNNNNN.h5 hold finished rows. Each file gets its name when it is complete and on disk, and never
/// changes.
///
/// A part file has the texts `configuration` (keys of Configuration) and `strategy` (names; the reference's too), the
/// table `row` (configuration, strategy, first instance, instances, and what the strategy chose: chunks, chunk_size,
/// expected), and the `value`s of the rows one after the other, for each row kind by kind; if statistics are kept,
/// totals by configuration instead (totals_tables.hpp). The attribute `provenance` is that of its run, as in the
/// manifest: a part of another campaign is refused.
class PartFolder {
 public:
  explicit PartFolder(const std::string& result_path) : path_(result_path + ".parts") {}

  const std::string& path() const { return path_; }
  bool exists() const;
  /// Nothing if there is no manifest; throws RuntimeError if it cannot be read.
  std::optional<PartManifest> manifest() const;
  void write_manifest(const PartManifest& manifest) const;
  /// Paths of the part files, in ascending order.
  std::vector<std::string> parts() const;
  /// Writes the next part of a writer and returns its path. On failure nothing of it is left behind.
  std::string write(const Campaign& campaign, const std::string& provenance, const MemoryRows& rows,
                    const PartLane& lane = {}) const;
  /// Removes unfinished files left by a killed run.
  void sweep() const;
  /// Removes all our files, and the folder if it is then empty. Throws InputError if a file has the name of a part, but
  /// does not look like one.
  void remove() const;
  /// The same of a folder without a manifest, where a run was killed while it began or removed the folder. Throws
  /// InputError if it holds parts all the same: nobody knows whose.
  void remove_remains() const;

 private:
  std::string path_;
};

/// Index from keys of configurations and names of strategies to their places in a campaign, or a shard of it.
class CampaignIndex {
 public:
  explicit CampaignIndex(const Campaign& campaign, const Shard& shard = {});
  const std::string& provenance() const { return provenance_; }  ///< of what is computed now, as text
  /// Throws InputError, with the differences, if what was made under this provenance cannot be used.
  void require_usable(const std::string& provenance, const std::string& path) const;
  /// Nothing if the campaign does not have it.
  std::optional<std::size_t> configuration(const std::string& key) const;
  std::optional<std::size_t> column(const std::string& name) const;
  const Catalogue& catalogue() const { return *campaign_->catalogue; }
  const std::string& campaign_path() const { return campaign_->path; }
  /// Of values, in the rows of a column.
  std::size_t kinds(std::size_t column) const {
    return column == kReferenceColumn ? std::min<std::size_t>(1, kinds_) : kinds_;
  }

 private:
  const Campaign* campaign_;
  Shard shard_;
  std::string provenance_;
  mutable std::set<std::string> usable_;  // provenances that were compared
  std::size_t kinds_;                     // of strategies; none where statistics are kept
  std::unordered_map<std::string, std::size_t> configurations_;
  std::unordered_map<std::string, std::size_t> columns_;
};

/// The rows of a part file.
class PartRows final : public RowSource {
 public:
  /// Throws RuntimeError if the file is damaged or holds something that the campaign does not have, InputError if it
  /// belongs to another campaign.
  PartRows(const std::string& path, const CampaignIndex& index, Hdf5File::Mode mode = Hdf5File::Mode::kRead);
  const std::vector<RowSpan>& spans() const override { return spans_; }
  void fill(ResultSlice& slice) const override;
  void add_to(TotalsSlice& slice) const override;

 private:
  void read_spans(const Hdf5File& file, const CampaignIndex& index);
  std::uint64_t values_of(std::size_t span) const { return kinds_[span] * spans_[span].instances; }

  std::string path_;
  std::vector<RowSpan> spans_;
  std::vector<std::uint64_t> offsets_;                 ///< where the values of each span begin in `value`
  std::vector<std::size_t> kinds_;                     ///< how many each has
  std::vector<std::optional<std::size_t>> positions_;  ///< in the campaign, of the configurations of the file
};

}  // namespace coterie::sim
