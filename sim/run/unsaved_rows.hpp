#pragma once

#include <chrono>

#include "sim/engine/rows.hpp"

namespace coterie::sim {

/// Rows that are in no file yet, and when it is time to save them.
class UnsavedRows {
 public:
  explicit UnsavedRows(double save_seconds);

  void add(std::vector<ResultRow> rows) { rows_.add(std::move(rows)); }
  const MemoryRows& rows() const { return rows_; }
  /// Whether the last time is `save_seconds` ago, or there are more than memory should hold.
  bool due() const;
  /// Forgets them: they are in a file now.
  void saved();

 private:
  MemoryRows rows_;
  std::chrono::steady_clock::duration interval_;
  std::chrono::steady_clock::time_point next_save_;
};

}  // namespace coterie::sim
