#pragma once

#include <cstddef>
#include <vector>

#include "core/rational.hpp"

namespace coterie::heuristics {

/// The linear program: maximise x_1 + ... + x_n subject to A x <= 1, x >= 0, where A >= 0 and no column is zero.
/// A condensed dense simplex (one tableau of rows x columns, without the identity), because the searches over orders
/// solve millions of programs with few variables (CLP takes 71 times as long for 4 workers, 25 times for 20, and less
/// time from 80 on), and because no library offers exact rational ones; large programs go to CLP. Number is double or
/// Rational; with Rational the answer is exactly optimal. Not thread-safe: it keeps its tableau between calls to avoid
/// allocations.
template <class Number>
class PackingSolver {
 public:
  /// `coefficients`: A row by row, `rows` x `columns`. Returns the optimal value.
  Number maximise(const std::vector<Number>& coefficients, std::size_t rows, std::size_t columns);

  /// The solution x of the last call.
  const std::vector<Number>& solution() const { return solution_; }
  /// The multipliers y >= 0 of the rows of the last call: y A >= 1, sum y = value. They prove that the value is
  /// optimal.
  const std::vector<Number>& multipliers() const { return multipliers_; }

 private:
  Number& cell(std::size_t row, std::size_t column) { return tableau_[row * (columns_ + 1) + column]; }
  void load(const std::vector<Number>& coefficients);
  void scale_columns();
  std::size_t entering(bool first_of_all);
  std::size_t leaving(std::size_t column);
  void pivot(std::size_t row, std::size_t column);
  void read_solution();

  std::size_t rows_ = 0;
  std::size_t columns_ = 0;
  std::vector<Number> tableau_;     // rows_ + 1 rows (the last: reduced costs), columns_ + 1 columns (the last: sides)
  std::vector<std::size_t> basic_;  // what each row stands for: a variable below columns_, otherwise a slack
  std::vector<std::size_t> nonbasic_;  // what each column stands for
  std::vector<Number> scale_;          // doubles only: what each column was divided by
  Number unit_{};                      // and the objective was multiplied by
  std::vector<Number> solution_;
  std::vector<Number> multipliers_;
};

extern template class PackingSolver<double>;
extern template class PackingSolver<Rational>;

}  // namespace coterie::heuristics
