#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// Columns of logarithms, each ascending, with equally many entries, whose sum of weight * exp(sum of entries) is
/// reduced by exchanges between pairs of columns until none of those below helps. [RESULTS.md, "The best group
/// schedules"]
///
/// Exchanging x of column a for y of column b turns the logarithms of the two terms s_a > s_b into s_a - d, s_b + d
/// with d = log x - log y; their sum is proportional to cosh((s_a - s_b) / 2 - d), so the best exchange has d nearest
/// to (s_a - s_b) / 2: one pass over both sorted columns finds it. A pair is examined again only after one of its
/// columns has changed. Pairs within `close_` of each other are skipped: they cannot gain close_^2 / 8 of their sum.
///
/// Above 1000 columns there are more than n log n helpful exchanges. Then sweeps take the columns in the order of their
/// smallest entries, second smallest entries and so on in turn, and examine only pairs that are columns / 2, / 4, ...,
/// 1 places apart, so that late exchanges are between nearly equal entries. They end when none helps, and after 100
/// sweeps or 5e7 pairs.
class ColumnDescent {
 public:
  /// Entries are steps from 1, log_risk[s - 1] their logarithms (finite, not decreasing), log_weights one per column.
  ColumnDescent(const GroupChart& chart, std::span<const double> log_risk, std::span<const double> log_weights);

  /// Exchanges of one entry for one.
  void descend();
  /// Exchanges of one for one and of two for two; among many rows only evenly spaced ones are taken two at a time.
  void descend_by_pairs();

  /// The chart with columns ascending.
  GroupChart chart() const;

 private:
  /// Two entries of a column and the sum of their logarithms.
  struct Pair {
    double sum;
    std::uint32_t first;
    std::uint32_t second;
  };

  /// A way to exchange entries of two columns, the first with the greater sum, and for each column the number of the
  /// next exchange when it was last tried with all others.
  struct Move {
    bool (ColumnDescent::*exchange)(std::size_t a, std::size_t b);
    std::vector<std::size_t> tried;
  };

  bool exchange_one(std::size_t a, std::size_t b);
  bool exchange_two(std::size_t a, std::size_t b);
  /// Whether one of these moves helps; known results are not tried again.
  bool improve(std::span<const Move* const> moves, std::size_t a, std::size_t b);
  std::vector<Pair> pairs_of(std::size_t column) const;
  void refresh(std::size_t column);
  void run(std::span<Move* const> moves);
  void until_none_helps(std::span<Move* const> moves);
  void sweep(std::span<const Move* const> moves);

  std::size_t rows_;
  std::size_t columns_;
  double close_;        ///< 1e-6 for few columns, 3e-4 for many, where it saves most of the time
  std::size_t stride_;  ///< of the rows taken two at a time
  std::span<const double> log_risk_;
  std::span<const double> log_weights_;
  std::vector<std::uint32_t> steps_;  ///< column by column, ascending in each
  std::vector<double> logs_;
  std::vector<std::size_t> different_;    ///< how many logs of a column are left but for repetitions of the last
  std::vector<double> log_terms_;         ///< log weight + sum of logs of each column
  std::vector<std::vector<Pair>> pairs_;  ///< of each column, with different sums, ascending; empty: not built yet
  std::size_t exchanges_ = 0;
  std::vector<std::size_t> changed_;  ///< by which exchange each column last changed
  Move one_{&ColumnDescent::exchange_one, {}};
  Move two_{&ColumnDescent::exchange_two, {}};
};

}  // namespace coterie::heuristics
