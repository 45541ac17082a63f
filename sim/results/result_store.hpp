#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/provenance.hpp"
#include "sim/engine/rows.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/hdf5_file.hpp"
#include "sim/results/result_chunks.hpp"
#include "sim/results/result_format.hpp"
#include "sim/results/totals_tables.hpp"
#include "sim/statistics/control_variates.hpp"
#include "sim/statistics/precision.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// What is known of one configuration when all of its instances are done.
struct ConfigurationRecord {
  std::vector<Summary> summaries;           ///< by strategy
  std::vector<StrategyFacts> facts;         ///< by strategy
  std::vector<MeanEstimate> replicates;     ///< by strategy, of Sobol points; else none
  std::vector<MeanEstimate> controlled;     ///< by strategy, where means are controlled; else none
  Controls::Means known;                    ///< where means are controlled
  std::vector<BoundedNumber> exact;         ///< by strategy, where exact means are asked for; else none
  std::vector<double> ceilings;             ///< by the model's ceilings()
  double reference_mean = 0;                ///< where statistics are kept; so is the next
  std::vector<MeanEstimate> differences{};  ///< strategy x strategy
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
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Each chunk once; some megabytes together begin their way to the disk. With them, bit by bit, goes the description
  /// of all that is in the file: it takes as long as to write ten million values, and other threads are busy meanwhile.
  void write(const ResultChunk& chunk);
  /// Of the next configurations, where statistics are kept.
  void write(const std::vector<RatioTotals>& totals) { totals_->add(totals); }
  /// Ratios of what was written: strategy x instance.
  std::vector<double> read_ratios(std::size_t configuration, std::uint64_t first, std::uint64_t instances) const;
  void records(std::vector<ConfigurationRecord> records) { records_ = std::move(records); }  ///< by configuration
  void finish();

 private:
  /// What a dataset is called, and what it says of itself.
  struct Named {
    std::string name;
    std::string long_name;
    std::optional<std::string> units;
  };
  void create(const Named& named, const Hdf5Layout& layout, const std::vector<std::string>& dimensions);
  void label(const Named& named, const std::vector<std::string>& dimensions);
  void describe(double share);  ///< of `to_describe_`
  template <class TextOf>
  void write_texts(const Named& named, const TextOf& text_of);
  void write_numbers(const Named& named, const std::vector<double>& values);
  void write_axis(const Axis& axis);
  void create_column(const ResultColumn& column);
  void create_controls();
  void create_ceiling(const Ceiling& ceiling);
  void create_statistics();
  void write_attributes();
  void write_columns();
  void write_controls();
  void write_ceilings();
  void write_statistics();

  std::string path_;
  std::string partial_;
  const Campaign& campaign_;
  Shard shard_;
  ResultExtent extent_;
  RunNote note_;
  RemovedUnlessPublished guard_;  // goes after the file is closed
  Hdf5File file_;
  std::vector<std::function<void()>> to_describe_;
  std::size_t described_ = 0;  ///< of them
  double chunks_ = 0;
  double written_ = 0;         ///< of them
  std::size_t unflushed_ = 0;  ///< bytes of these
  std::vector<ConfigurationRecord> records_;
  std::optional<TotalsWriter> totals_;
};

}  // namespace coterie::sim
