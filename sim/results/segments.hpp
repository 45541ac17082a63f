#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/results/part_files.hpp"
#include "sim/results/result_file.hpp"
#include "sim/results/result_store.hpp"

namespace coterie::sim {

/// Where the configurations and columns of stored rows are in a campaign now; nothing if it does not have them.
struct Places {
  std::vector<std::optional<std::size_t>> configurations;
  std::vector<std::optional<std::size_t>> columns;
};

/// All known rows of a campaign, or a shard of it: those of results, parts and memory. To merge shards, to resume a run
/// and to extend a result is the same: collect segments, compute the missing rows, assemble all of them in a result.
class Segments {
 public:
  Segments(const Campaign& campaign, const Shard& shard);

  /// All rows of a result, or those of its shard, that the campaign has. Throws RuntimeError if it is damaged, or its
  /// stored campaign no longer gives the stored identities (an input file changed).
  void add(ResultFile result);
  /// Parts of the folder that were not added before. Throws RuntimeError for a damaged one, InputError for one of
  /// another campaign.
  void add_parts(const PartFolder& folder, Hdf5File::Mode mode = Hdf5File::Mode::kRead);
  void add(const RowSource& rows) { list_.push_back(&rows); }  ///< which may change
  bool empty() const { return owned_.empty(); }                ///< whether no file was added

  /// Rows not computed yet, in the order of the campaign. With `precision`: those needed next; once they are there,
  /// more may be missing.
  std::vector<MissingRows> missing();
  /// Instances that the shard needs, over its configurations; with `precision`, as far as known by the last missing().
  std::uint64_t wanted() const;
  /// How far each configuration goes, when nothing is missing.
  ResultExtent extent() const;
  /// Configurations of which the last missing() could not tell that.
  std::size_t unfinished() const { return search_ ? search_->unfinished() : 0; }
  /// Makes the result file, the same wherever each row came from.
  void assemble(const std::string& path, const RunNote& note, int threads) const;

 private:
  Places places_of(const Campaign& stored) const;
  const Places& places_of(const std::string& provenance, const std::string& path);

  const Campaign& campaign_;
  Shard shard_;
  std::map<std::string, Places> places_;  ///< by provenance
  std::vector<std::unique_ptr<RowSource>> owned_;
  std::vector<const RowSource*> list_;  ///< these, and others
  std::set<std::string> parts_;         ///< that were added
  std::optional<PrecisionSearch> search_;
};

/// Whether FILE.h5 is what its parts, if there are any, were computed for. If not, it is the result of before, which a
/// run would replace or extend at its end.
bool is_finished(const std::string& path, const std::optional<PartManifest>& parts);

}  // namespace coterie::sim
