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
#include "sim/results/result_format.hpp"
#include "sim/results/totals_tables.hpp"
#include "sim/statistics/precision.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// What is known about one configuration when all of its instances are done.
struct ConfigurationRecord {
  std::vector<Summary> summaries;           ///< by strategy
  std::vector<StrategyFacts> facts;         ///< by strategy
  std::vector<BoundedNumber> exact;         ///< mean by strategy; NaN if it is not known, or not asked for
  std::vector<double> ceilings;             ///< by the model's ceilings()
  double reference_mean = 0;                ///< if statistics are kept; so is the next
  std::vector<MeanEstimate> differences{};  ///< strategy x strategy
};

/// What a result file says about the run that wrote it.
struct RunNote {
  std::string command_line;
  std::string started = utc_now();

  static std::string utc_now();  ///< "2026-01-31T23:59:59Z"
};

/// Configurations and instances that are stored together in a file: the ratios of all strategies of a configuration, or
/// a part of them, and those of several if they are few.
struct StoredTogether {
  std::uint64_t configurations;
  std::uint64_t instances;

  static StoredTogether of(const Campaign& campaign, std::uint64_t instances);
};

/// Writes a result file: an HDF5 file that is also netCDF-4. Everything goes into a temporary file, which becomes FILE
/// in finish(); until then an existing FILE is unchanged. The file of a shard has the shape of the whole result, with
/// NaN for other shards, complete = 0 and the attribute `shard`.
class ResultStore {
 public:
  /// Throws RuntimeError if it cannot be written.
  ResultStore(const std::string& path, const Campaign& campaign, const Shard& shard, ResultExtent extent,
              const RunNote& note);
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  /// Writes the values of one column; slices begin where what is stored together does. Every few megabytes are sent to
  /// the disk. The description of everything in the file is written along with them, step by step: it takes as long as
  /// ten million values, and other threads work meanwhile.
  void write(const ResultSlice& slice, const InstanceColumn& column);
  /// Writes the next configurations, if statistics are kept.
  void write(const std::vector<RatioTotals>& totals) { totals_->add(totals); }
  /// Ratios that were written: strategy x instance.
  std::vector<double> read_ratios(std::size_t configuration, std::uint64_t first, std::uint64_t instances) const;
  void records(std::vector<ConfigurationRecord> records) { records_ = std::move(records); }  ///< by configuration
  void finish();

 private:
  /// The name of a dataset, and its description.
  struct Named {
    std::string name;
    std::string long_name;
    std::optional<std::string> units;
  };
  void create(const Named& named, const Hdf5Layout& layout, const std::vector<std::string>& dimensions);
  void label(const Named& named, const std::vector<std::string>& dimensions);
  void describe_more();  ///< one of `to_describe_`
  template <class TextOf>
  void write_texts(const Named& named, const TextOf& text_of);
  void write_numbers(const Named& named, const std::vector<double>& values);
  void write_axis(const Axis& axis);
  void create_column(const ResultColumn& column);
  void create_ceiling(const Ceiling& ceiling);
  void create_statistics();
  void write_attributes();
  void write_columns();
  void write_ceilings();
  void write_statistics();

  const Campaign& campaign_;
  Metric metric_;  ///< what its ratios compare
  Shard shard_;
  ResultExtent extent_;
  RunNote note_;
  TemporaryFile temporary_;  // goes after the file is closed
  Hdf5File file_;
  std::vector<std::function<void()>> to_describe_;
  std::size_t described_ = 0;  ///< of them
  std::size_t unflushed_ = 0;  ///< values
  std::vector<ConfigurationRecord> records_;
  std::optional<TotalsWriter> totals_;
};

}  // namespace coterie::sim
