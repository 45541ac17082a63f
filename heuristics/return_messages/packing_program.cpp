#include "heuristics/return_messages/packing_program.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "core/cancellation.hpp"
#include "core/errors.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// What counts as positive. For doubles the columns are scaled to a greatest entry of 1, so this is relative.
template <class Number>
bool positive(const Number& value) {
  if constexpr (std::is_same_v<Number, double>) {
    return value > 1e-11;
  } else {
    return value > 0;
  }
}

}  // namespace

template <class Number>
void PackingSolver<Number>::load(const std::vector<Number>& coefficients) {
  tableau_.assign((rows_ + 1) * (columns_ + 1), Number(0));
  basic_.resize(rows_);
  nonbasic_.resize(columns_);
  std::iota(nonbasic_.begin(), nonbasic_.end(), std::size_t{0});
  std::iota(basic_.begin(), basic_.end(), columns_);
  for (std::size_t i = 0; i < rows_; ++i) {
    for (std::size_t j = 0; j < columns_; ++j) cell(i, j) = coefficients[i * columns_ + j];
    cell(i, columns_) = Number(1);
  }
  for (std::size_t j = 0; j < columns_; ++j) cell(rows_, j) = Number(1);
  if constexpr (std::is_same_v<Number, double>) scale_columns();
}

template <class Number>
void PackingSolver<Number>::scale_columns() {
  scale_.assign(columns_, Number(0));
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < columns_; ++j) scale_[j] = std::max(scale_[j], cell(i, j));
  unit_ = *std::min_element(scale_.begin(), scale_.end());
  if (!(unit_ > 0)) throw InputError("the throughput is unbounded: a worker costs no time");
  for (std::size_t j = 0; j < columns_; ++j) {
    for (std::size_t i = 0; i < rows_; ++i) cell(i, j) /= scale_[j];
    cell(rows_, j) = unit_ / scale_[j];
  }
}

template <class Number>
std::size_t PackingSolver<Number>::entering(bool first_of_all) {
  std::size_t best = kNone;
  for (std::size_t j = 0; j < columns_; ++j) {
    if (!positive(cell(rows_, j))) continue;
    if (first_of_all) {  // Bland's rule: the lowest-numbered variable
      if (best == kNone || nonbasic_[j] < nonbasic_[best]) best = j;
    } else if (best == kNone || cell(rows_, j) > cell(rows_, best)) {
      best = j;
    }
  }
  return best;
}

template <class Number>
std::size_t PackingSolver<Number>::leaving(std::size_t column) {
  std::size_t best = kNone;
  Number least = 0;
  for (std::size_t i = 0; i < rows_; ++i) {
    if (!positive(cell(i, column))) continue;
    const Number ratio = cell(i, columns_) / cell(i, column);
    if (best == kNone || ratio < least || (ratio == least && basic_[i] < basic_[best])) {
      best = i;
      least = ratio;
    }
  }
  return best;
}

template <class Number>
void PackingSolver<Number>::pivot(std::size_t row, std::size_t column) {
  cancellation_point();
  const Number inverse = Number(1) / cell(row, column);
  for (std::size_t j = 0; j <= columns_; ++j)
    if (j != column) cell(row, j) *= inverse;
  for (std::size_t i = 0; i <= rows_; ++i) {
    if (i == row) continue;
    const Number factor = cell(i, column);
    if (factor == 0) continue;
    for (std::size_t j = 0; j <= columns_; ++j)
      if (j != column && cell(row, j) != 0) cell(i, j) -= factor * cell(row, j);
    cell(i, column) = -factor * inverse;
  }
  cell(row, column) = inverse;
  std::swap(basic_[row], nonbasic_[column]);
}

template <class Number>
void PackingSolver<Number>::read_solution() {
  solution_.assign(columns_, Number(0));
  multipliers_.assign(rows_, Number(0));
  for (std::size_t i = 0; i < rows_; ++i)
    if (basic_[i] < columns_) solution_[basic_[i]] = std::max(Number(0), cell(i, columns_));
  for (std::size_t j = 0; j < columns_; ++j)
    if (nonbasic_[j] >= columns_) multipliers_[nonbasic_[j] - columns_] = std::max(Number(0), Number(-cell(rows_, j)));
  if constexpr (std::is_same_v<Number, double>) {
    for (std::size_t j = 0; j < columns_; ++j) solution_[j] /= scale_[j];
    for (Number& multiplier : multipliers_) multiplier /= unit_;
  }
}

template <class Number>
Number PackingSolver<Number>::maximise(const std::vector<Number>& coefficients, std::size_t rows, std::size_t columns) {
  rows_ = rows;
  columns_ = columns;
  load(coefficients);
  // The steepest column is quick but may cycle where rows tie; Bland's rule cannot, and takes over when it has been
  // long.
  const std::size_t patience = 4 * (rows + columns);
  for (std::size_t step = 0;; ++step) {
    if (step > 1000 * (rows + columns)) throw RuntimeError("the linear program did not converge");
    const std::size_t column = entering(step > patience);
    if (column == kNone) break;
    const std::size_t row = leaving(column);
    if (row == kNone) throw InputError("the throughput is unbounded: a worker costs no time");
    pivot(row, column);
  }
  read_solution();
  return std::accumulate(solution_.begin(), solution_.end(), Number(0));
}

template class PackingSolver<double>;
template class PackingSolver<Rational>;

}  // namespace coterie::heuristics
