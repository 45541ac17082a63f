#pragma once

#include <string>
#include <vector>

#include "sim/campaign.hpp"
#include "sim/control_variates.hpp"
#include "sim/hdf5_file.hpp"
#include "sim/precision.hpp"
#include "sim/provenance.hpp"
#include "sim/result_rows.hpp"
#include "sim/statistics.hpp"

namespace coterie::sim {

/// What is known of one configuration when all of its instances are done.
struct ConfigurationRecord {
  std::vector<Summary> summaries;        ///< by strategy
  std::vector<StrategyFacts> facts;      ///< by strategy
  std::vector<MeanEstimate> replicates;  ///< by strategy, of Sobol points; else none
  std::vector<MeanEstimate> controlled;  ///< by strategy, where means are controlled; else none
  Controls::Means known;                 ///< where means are controlled
};

/// What a result file says of the run that wrote it.
struct RunNote {
  std::string command_line;
  std::string started = utc_now();

  static std::string utc_now();  ///< "2026-01-31T23:59:59Z"
};

/// Writes a result file: an HDF5 file that is netCDF-4 as well. All goes into FILE.partial, which becomes FILE when
/// finish() is reached; until then an existing FILE is untouched, and an error removes the partial file. The file of a
/// shard has the shape of the whole, NaN where other shards work, complete = 0 and the attribute `shard`.
class ResultStore {
 public:
  /// Throws RuntimeError where FILE.partial cannot be written.
  ResultStore(const std::string& path, const Campaign& campaign, const Shard& shard, ResultExtent extent,
              const RunNote& note);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Whole chunks, or up to the end of the result, are written best.
  void write(const ResultBatch& batch);
  /// Configurations and instances of a chunk.
  struct Chunk {
    std::uint64_t configurations;
    std::uint64_t instances;
  };
  const Chunk& chunk() const { return chunk_; }
  std::vector<double> read_row(std::size_t configuration, std::size_t strategy) const;
  void records(std::vector<ConfigurationRecord> records) { records_ = std::move(records); }  ///< by configuration
  void finish();

 private:
  void write_axes();
  void write_records();
  void write_controls();
  void write_attributes(const RunNote& note);

  std::string path_;
  std::string partial_;
  const Campaign& campaign_;
  Shard shard_;
  ResultExtent extent_;
  Chunk chunk_;
  Hdf5File file_;
  std::vector<ConfigurationRecord> records_;
  bool finished_ = false;
};

/// An existing result, read.
class ResultFile {
 public:
  /// Throws RuntimeError for a file that is no result of coterie, or of a newer major format. The names in its campaign
  /// are looked up in the catalogue, which must outlive this.
  explicit ResultFile(const std::string& path, const Catalogue& catalogue = Catalogue::own());

  const Hdf5File& file() const { return file_; }
  const std::string& path() const { return path_; }
  const Catalogue& catalogue() const { return *catalogue_; }
  const std::vector<std::string>& strategies() const { return strategies_; }
  std::size_t configurations() const { return shape_[0]; }
  std::size_t instances() const { return shape_[2]; }
  bool complete() const;
  /// By configuration, how many instances were run of those that the file has room for.
  std::vector<std::uint64_t> instances_done() const;
  Provenance provenance() const;
  /// The campaign again, with the overrides it was run with.
  Campaign campaign() const;
  std::vector<double> ratios(std::size_t configuration, std::size_t strategy) const;
  Sampling sampling() const;
  bool controlled() const { return file_.has("control_mean"); }
  /// By configuration, of a file whose means are controlled.
  std::vector<Controls::Means> known_means() const;
  /// How many independent instances one that was run was worth, for the mean of each strategy over all configurations;
  /// empty for independent instances whose means are not controlled.
  std::vector<double> worth() const;

 private:
  std::string path_;
  const Catalogue* catalogue_;
  Hdf5File file_;
  std::vector<std::string> strategies_;
  std::vector<hsize_t> shape_;
};

}  // namespace coterie::sim
