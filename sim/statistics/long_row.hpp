#pragma once

#include <span>

#include "sim/statistics/order_statistics.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// The summary of a row that is too long for memory, to the last bit the one of summarise(): the row is read in pieces,
/// in order, and again as long as wants_pass().
class LongRow {
 public:
  /// At most `most_held` values are held.
  explicit LongRow(std::size_t most_held) : order_(most_held) {}

  bool wants_pass() const { return pass_ < 2 || !order_.known(); }
  void take(std::span<const double> values);
  void end_pass();
  Summary summary() const;  ///< when no further pass is wanted

 private:
  int pass_ = 0;
  RowMoments moments_;
  OrderStatistics order_;
};

}  // namespace coterie::sim
