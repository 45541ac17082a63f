#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/files/hdf5_file.hpp"
#include "sim/totals/ratio_totals.hpp"

namespace coterie::sim {

// How totals lie in files, in parts and results alike:
//   node          node x (configuration, first block, blocks): the nodes of all trees, by configuration and block
//   node_moments  node x series x moment, by TotalSeries
//   histogram     configuration x strategy x cell: counts of RatioHistogram

inline constexpr const char* kNodes = "node";
inline constexpr const char* kNodeMoments = "node_moments";
inline constexpr const char* kHistograms = "histogram";
inline constexpr std::size_t kNodeFields = 3;

/// The members of ValueMoments, in order.
const std::vector<std::string>& moment_names();

/// Writes the totals, configuration after configuration.
class TotalsWriter {
 public:
  /// Creates the tables. `nodes`: total number in all trees.
  TotalsWriter(Hdf5File& file, std::size_t configurations, std::size_t strategies, std::uint64_t nodes);
  /// Throws std::logic_error if there are more nodes than announced.
  void add(const std::vector<RatioTotals>& totals);

 private:
  Hdf5File& file_;
  TotalSeries series_;
  std::uint64_t nodes_;
  std::size_t written_ = 0;          // configurations
  std::uint64_t nodes_written_ = 0;  // nodes
};

/// Writes all configurations of a part.
void write_totals(Hdf5File& file, const std::vector<RatioTotals>& totals, std::size_t strategies);

/// How many nodes a tree of blocks [first, last) has.
std::uint64_t aligned_nodes(std::uint64_t first, std::uint64_t last);

/// Reads the totals.
class TotalsTables {
 public:
  static bool are_in(const Hdf5File& file) { return file.has(kNodes); }
  /// Throws RuntimeError, naming `path`, if they are damaged. The file must outlive this.
  TotalsTables(const Hdf5File& file, std::string path);
  /// The totals of a configuration of the file; empty if nothing of it was run.
  RatioTotals of(std::size_t configuration) const;

 private:
  [[noreturn]] void damaged(const std::string& what) const;

  const Hdf5File& file_;
  std::string path_;
  std::size_t strategies_;
  std::vector<double> nodes_;
  std::vector<std::size_t> begins_;  ///< by configuration, its first node; then the end
};

}  // namespace coterie::sim
