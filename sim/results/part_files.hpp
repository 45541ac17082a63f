#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/campaign/provenance.hpp"
#include "sim/engine/rows.hpp"
#include "sim/files/hdf5_file.hpp"

namespace coterie::sim {

/// What manifest.json says.
struct PartManifest {
  Provenance provenance;
  bool extends_result = false;  ///< the rows of FILE belong to it; otherwise FILE, if there, will be replaced
};

/// Which numbers the part files of one of several writers have: those that leave `index` when divided by `count`.
struct PartLane {
  unsigned long index = 0;
  unsigned long count = 1;
};

/// The folder FILE.parts beside a result that is being computed: manifest.json says of which campaign and program,
/// part-NNNNNN.h5 hold finished rows. Each file gets its name when it is whole and on disk, and is never changed.
///
/// A part file has the texts `configuration` (keys of Configuration) and `strategy` (names; the reference's too), the
/// table `row` (configuration, strategy, first instance, instances, and what the strategy chose: chunks, chunk_size,
/// expected), and the rows' `value`s one after the other, of a row all of one kind, then all of the next; where
/// statistics are kept, totals by configuration in their place (totals_tables.hpp).
class PartFolder {
 public:
  explicit PartFolder(const std::string& result_path) : path_(result_path + ".parts") {}

  const std::string& path() const { return path_; }
  bool exists() const;
  /// Nothing where there is no manifest; RuntimeError where there is one that cannot be read.
  std::optional<PartManifest> manifest() const;
  void write_manifest(const PartManifest& manifest) const;
  /// Paths of the part files, in ascending order.
  std::vector<std::string> parts() const;
  /// Writes the next part of a writer; returns its path. Nothing of it is left behind where that fails.
  std::string write(const Campaign& campaign, const MemoryRows& rows, const PartLane& lane = {}) const;
  /// Removes the files that were left unfinished by a kill.
  void sweep() const;
  /// Removes all that is ours, and the folder if nothing else is in it.
  void remove() const;

 private:
  std::string path_;
};

/// Index from keys of configurations and names of strategies to their places in a campaign.
class CampaignIndex {
 public:
  explicit CampaignIndex(const Campaign& campaign);
  /// Nothing where the campaign does not have it.
  std::optional<std::size_t> configuration(const std::string& key) const;
  std::optional<std::size_t> column(const std::string& name) const;
  const Catalogue& catalogue() const { return *catalogue_; }
  /// Of values, in the rows of a column.
  std::size_t kinds(std::size_t column) const {
    return column == kReferenceColumn ? std::min<std::size_t>(1, kinds_) : kinds_;
  }

 private:
  const Catalogue* catalogue_;
  std::size_t kinds_;  // of strategies; none where statistics are kept
  std::unordered_map<std::string, std::size_t> configurations_;
  std::unordered_map<std::string, std::size_t> columns_;
};

/// The rows of a part file.
class PartRows final : public RowSource {
 public:
  /// Throws RuntimeError where the file is damaged or holds what the campaign does not have.
  PartRows(const std::string& path, const CampaignIndex& index);
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
