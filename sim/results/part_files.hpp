#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/provenance.hpp"
#include "sim/engine/rows.hpp"

namespace coterie::sim {

/// The content of manifest.json.
struct PartManifest {
  Provenance provenance;
  bool extends_result = false;  ///< the rows of FILE belong to it; otherwise FILE, if it exists, will be replaced
  bool replaces_result = true;  ///< FILE existed when the parts were begun
};

inline constexpr const char* kPartType = "coterie-part";  ///< the attribute `filetype`
inline constexpr std::size_t kPartColumns = 7;            ///< of the table `row`

/// The numbers of the part files of one of several writers: those with remainder `index` when divided by `count`.
struct PartLane {
  unsigned long index = 0;
  unsigned long count = 1;
};

/// The folder FILE.parts beside a result that is being computed: manifest.json identifies the campaign and the program,
/// and the files part-NNNNNN.h5 hold finished rows. Each file gets its name when it is complete and on disk, and never
/// changes.
///
/// A part file has the table `row` (configuration, column, first instance, instances, and what the strategy chose:
/// chunks, chunk_size, expected), and the `value`s of the rows one after the other, for each row kind by kind; if
/// statistics are kept, totals by configuration instead (totals_tables.hpp). The attribute `provenance` is that of its
/// run, whose campaign the numbers refer to, as in the manifest: a part of another campaign is refused.
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

}  // namespace coterie::sim
