#pragma once

#include <string>
#include <vector>

#include "sim/campaign.hpp"
#include "sim/hdf5_file.hpp"
#include "sim/statistics.hpp"

namespace coterie::sim {

/// The result of some consecutive configurations, all instances of each.
struct ResultBatch {
  std::size_t first_configuration = 0;
  std::size_t configurations = 0;
  std::uint64_t first_instance = 0;
  std::uint64_t instances = 0;
  std::vector<double> ratio;      ///< configuration x strategy x instance
  std::vector<double> reference;  ///< configuration x instance
};

/// What is known of one configuration when all of its instances are done.
struct ConfigurationRecord {
  std::vector<Summary> summaries;    ///< by strategy
  std::vector<StrategyFacts> facts;  ///< by strategy
};

/// Writes a result file as interface.md lays it out. All goes into FILE.partial, which becomes FILE when finish() is
/// reached; until then an existing FILE is untouched, and an error removes the partial file.
class ResultStore {
 public:
  enum class IfExists { kRefuse, kReplace };
  /// Throws InputError where `path` exists and may not be replaced, RuntimeError where it cannot be written.
  ResultStore(const std::string& path, const Campaign& campaign, const std::string& command_line, IfExists if_exists);
  ~ResultStore();
  ResultStore(const ResultStore&) = delete;
  ResultStore& operator=(const ResultStore&) = delete;

  void write(const ResultBatch& batch);
  std::vector<double> read_row(std::size_t configuration, std::size_t strategy) const;
  void record(std::size_t configuration, ConfigurationRecord record) { records_[configuration] = std::move(record); }
  void finish();

 private:
  void write_axes();
  void write_records();
  void write_attributes(const std::string& command_line);

  std::string path_;
  std::string partial_;
  const Campaign& campaign_;
  Hdf5File file_;
  std::vector<ConfigurationRecord> records_;
  bool finished_ = false;
};

/// An existing result, read.
class ResultFile {
 public:
  /// Throws RuntimeError for a file that is no result of coterie, or of a newer major format.
  explicit ResultFile(const std::string& path);

  const Hdf5File& file() const { return file_; }
  const std::string& path() const { return path_; }
  const std::vector<std::string>& strategies() const { return strategies_; }
  std::size_t configurations() const { return shape_[0]; }
  std::size_t instances() const { return shape_[2]; }
  bool complete() const;
  /// The campaign again, with the overrides it was run with.
  Campaign campaign() const;
  std::vector<double> ratios(std::size_t configuration, std::size_t strategy) const;

 private:
  std::string path_;
  Hdf5File file_;
  std::vector<std::string> strategies_;
  std::vector<hsize_t> shape_;
};

}  // namespace coterie::sim
