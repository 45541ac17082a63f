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

  /// Configurations and instances that lie together in the file.
  struct ChunkShape {
    std::uint64_t configurations;
    std::uint64_t instances;
  };
  const ChunkShape& chunk_shape() const { return chunk_; }
  /// A piece of a dataset, ready to be written.
  struct Chunk {
    std::string dataset;
    std::vector<hsize_t> offset;
    std::vector<std::byte> bytes;
  };
  /// How many chunks there are in a batch, which begins at whole ones and ends so, or with the result.
  std::size_t chunks(const ResultBatch& batch) const;
  /// Makes one of them; by any thread.
  void make_chunk(const ResultBatch& batch, std::size_t index, Chunk& chunk) const;
  void write(const Chunk& chunk);
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
  ChunkShape chunk_;
  Hdf5File file_;
  std::vector<ConfigurationRecord> records_;
  bool finished_ = false;
};

}  // namespace coterie::sim
