#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// How the instances of a configuration are read: all, or as many as memory holds, in whole chunks of the file.
struct InstancePieces {
  static constexpr std::size_t kValues = 2'000'000;  ///< of a dataset together

  explicit InstancePieces(const ResultFile& result);
  std::size_t count() const { return (instances + step - 1) / step; }
  std::size_t size(std::size_t piece) const;

  std::size_t instances;
  std::size_t step;
};

/// Rows of a dataset, read many configurations at a time, or a piece of one: reading each row separately would take
/// minutes if there are many.
class RowReader {
 public:
  /// `rows`: per configuration; 0 for a dataset with one row and no dimension for it.
  RowReader(const ResultFile& result, std::string dataset, std::size_t rows);

  /// A piece of a row, valid until another configuration or another piece is requested.
  std::span<const double> row(std::size_t configuration, std::size_t piece, std::size_t number = 0);

 private:
  const ResultFile& result_;
  std::string dataset_;
  InstancePieces pieces_;
  std::size_t rows_, batch_;
  std::size_t first_ = 0, count_ = 0, piece_ = 0;
  std::vector<double> values_;
};

}  // namespace coterie::sim
