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
  const Number* next = coefficients.data();
  Number* into = tableau_.data();
  for (std::size_t i = 0; i < rows_; ++i) {
    into = std::copy(next, next + columns_, into);
    next += columns_;
    *into++ = Number(1);
  }
  std::fill_n(into, columns_, Number(1));
  if constexpr (std::is_same_v<Number, double>) scale_columns();
}

template <class Number>
void PackingSolver<Number>::scale_columns() {
  scale_.assign(columns_, Number(0));
  Number* const scale = scale_.data();
  for (std::size_t i = 0; i < rows_; ++i) {
    const Number* const row = &cell(i, 0);
    for (std::size_t j = 0; j < columns_; ++j) scale[j] = std::max(scale[j], row[j]);
  }
  unit_ = *std::min_element(scale_.begin(), scale_.end());
  if (!(unit_ > 0)) throw InputError("the throughput is unbounded: a worker takes no time");
  for (std::size_t i = 0; i < rows_; ++i) {
    Number* const row = &cell(i, 0);
    for (std::size_t j = 0; j < columns_; ++j) row[j] /= scale[j];
  }
  for (std::size_t j = 0; j < columns_; ++j) cell(rows_, j) = unit_ / scale[j];
}

template <class Number>
std::size_t PackingSolver<Number>::entering(bool first_of_all) {
  std::size_t best = kNone;
  const Number* const costs = &cell(rows_, 0);
  for (std::size_t j = 0; j < columns_; ++j) {
    if (!positive(costs[j])) continue;
    if (first_of_all) {  // Bland's rule: the lowest-numbered variable
      if (best == kNone || nonbasic_[j] < nonbasic_[best]) best = j;
    } else if (best == kNone || costs[j] > costs[best]) {
      best = j;
    }
  }
  return best;
}

template <class Number>
std::size_t PackingSolver<Number>::leaving(std::size_t column) {
  std::size_t best = kNone;
  Number least = 0;
  const Number* row = tableau_.data();
  for (std::size_t i = 0; i < rows_; ++i, row += columns_ + 1) {
    if (!positive(row[column])) continue;
    const Number ratio = row[columns_] / row[column];
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
  const std::size_t width = columns_ + 1;
  Number* const pivots = &cell(row, 0);
  const Number inverse = Number(1) / pivots[column];
  for (std::size_t j = 0; j < width; ++j) pivots[j] *= inverse;
  for (std::size_t i = 0; i <= rows_; ++i) {
    Number* const others = &cell(i, 0);
    const Number factor = others[column];
    if (i == row || factor == 0) continue;
    for (std::size_t j = 0; j < width; ++j)
      if (std::is_same_v<Number, double> || pivots[j] != 0) others[j] -= factor * pivots[j];
    others[column] = -factor * inverse;
  }
  pivots[column] = inverse;
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
    if (row == kNone) throw InputError("the throughput is unbounded: a worker takes no time");
    pivot(row, column);
  }
  read_solution();
  return std::accumulate(solution_.begin(), solution_.end(), Number(0));
}

template class PackingSolver<double>;
template class PackingSolver<Rational>;

}  // namespace coterie::heuristics
