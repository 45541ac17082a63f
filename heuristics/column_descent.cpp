#include "heuristics/column_descent.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

namespace coterie::heuristics {
namespace {

/// An exchange must narrow the gap by more than rounding could: sums of logs err by less.
constexpr double kRounding = 1e-11;
/// A pass over a pair of columns ends early once it has found an exchange that leaves this part of the gap.
constexpr double kEnough = 0.05;
constexpr std::size_t kFewColumns = 16;
/// Pairs looked at before the descent stops where it is, a second or so: reached by thousands of columns only.
constexpr std::size_t kMostPairs = 50'000'000;

}  // namespace

ColumnDescent::ColumnDescent(const GroupChart& chart, std::span<const double> log_risk,
                             std::span<const double> log_weights)
    : rows_(chart.executions), columns_(chart.groups), log_risk_(log_risk), log_weights_(log_weights) {
  close_ = columns_ > kFewColumns ? 3e-4 : 1e-6;
  stride_ = std::max<std::size_t>(1, rows_ / (columns_ > kFewColumns ? 16 : columns_ > 4 ? 32 : 100));
  steps_.resize(rows_ * columns_);
  logs_.resize(rows_ * columns_);
  log_terms_.resize(columns_);
  pairs_.resize(columns_);
  for (std::size_t a = 0; a < columns_; ++a) {
    for (std::size_t i = 0; i < rows_; ++i) steps_[a * rows_ + i] = chart.at(i, a);
    refresh(a);
  }
}

void ColumnDescent::refresh(std::size_t a) {
  std::uint32_t* const steps = steps_.data() + a * rows_;
  std::sort(steps, steps + rows_);
  double sum = log_weights_[a];
  for (std::size_t i = 0; i < rows_; ++i) sum += logs_[a * rows_ + i] = log_risk_[steps[i] - 1];
  log_terms_[a] = sum;
  pairs_[a].clear();
}

bool ColumnDescent::exchange_one(std::size_t a, std::size_t b) {
  if (log_terms_[a] < log_terms_[b]) std::swap(a, b);
  const double gap = log_terms_[a] - log_terms_[b];
  if (gap < close_) return false;
  const double half = gap / 2;
  const double* const in_a = logs_.data() + a * rows_;
  const double* const in_b = logs_.data() + b * rows_;
  double nearest = half - kRounding;
  std::size_t x = rows_;
  std::size_t y = 0;
  const double enough = half * kEnough;
  for (std::size_t i = 0, j = 0; i < rows_ && j < rows_ && nearest > enough;) {
    const double off = in_a[i] - in_b[j] - half;
    if (std::abs(off) < nearest) {
      nearest = std::abs(off);
      x = i;
      y = j;
    }
    if (off > 0) {
      ++j;
    } else {
      ++i;
    }
  }
  if (x == rows_) return false;
  std::swap(steps_[a * rows_ + x], steps_[b * rows_ + y]);
  refresh(a);
  refresh(b);
  return true;
}

std::vector<ColumnDescent::Pair> ColumnDescent::pairs_of(std::size_t a) const {
  const double* const logs = logs_.data() + a * rows_;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < rows_; i += stride_)
    for (std::size_t j = i + stride_; j < rows_; j += stride_)
      pairs.push_back({logs[i] + logs[j], static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)});
  std::sort(pairs.begin(), pairs.end(), [](const Pair& p, const Pair& q) { return p.sum < q.sum; });
  return pairs;
}

bool ColumnDescent::exchange_two(std::size_t a, std::size_t b) {
  if (log_terms_[a] < log_terms_[b]) std::swap(a, b);
  const double gap = log_terms_[a] - log_terms_[b];
  if (gap < close_) return false;
  for (const std::size_t c : {a, b})
    if (pairs_[c].empty()) pairs_[c] = pairs_of(c);
  const double half = gap / 2;
  double nearest = half - kRounding;
  const Pair* from_a = nullptr;
  const Pair* from_b = nullptr;
  const auto& in_a = pairs_[a];
  const auto& in_b = pairs_[b];
  const double enough = half * kEnough;
  for (std::size_t i = 0, j = 0; i < in_a.size() && j < in_b.size() && nearest > enough;) {
    const double off = in_a[i].sum - in_b[j].sum - half;
    if (std::abs(off) < nearest) {
      nearest = std::abs(off);
      from_a = &in_a[i];
      from_b = &in_b[j];
    }
    if (off > 0) {
      ++j;
    } else {
      ++i;
    }
  }
  if (from_a == nullptr) return false;
  std::swap(steps_[a * rows_ + from_a->first], steps_[b * rows_ + from_b->first]);
  std::swap(steps_[a * rows_ + from_a->second], steps_[b * rows_ + from_b->second]);
  refresh(a);
  refresh(b);
  return true;
}

template <typename Improve>
void ColumnDescent::until_none_helps(Improve improve) {
  std::vector<std::uint32_t> order(columns_);
  for (std::size_t a = 0; a < columns_; ++a) order[a] = static_cast<std::uint32_t>(a);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return log_terms_[a] > log_terms_[b]; });
  std::deque<std::uint32_t> changed(order.begin(), order.end());
  std::vector<char> waiting(columns_, 1);
  for (std::size_t pairs = 0; !changed.empty() && pairs < kMostPairs; pairs += columns_) {
    const std::uint32_t a = changed.front();
    changed.pop_front();
    waiting[a] = 0;
    for (std::uint32_t b = 0; b < columns_; ++b) {
      if (b == a || !improve(a, b)) continue;
      for (const std::uint32_t c : {a, b}) {
        if (waiting[c]) continue;
        waiting[c] = 1;
        changed.push_back(c);
      }
    }
  }
}

void ColumnDescent::descend() {
  until_none_helps([this](std::size_t a, std::size_t b) { return exchange_one(a, b); });
}

void ColumnDescent::descend_by_pairs() {
  until_none_helps([this](std::size_t a, std::size_t b) { return exchange_one(a, b) || exchange_two(a, b); });
}

GroupChart ColumnDescent::chart() const {
  GroupChart chart{rows_, columns_, std::vector<std::uint32_t>(rows_ * columns_)};
  for (std::size_t a = 0; a < columns_; ++a)
    for (std::size_t i = 0; i < rows_; ++i) chart.steps[i * columns_ + a] = steps_[a * rows_ + i];
  return chart;
}

}  // namespace coterie::heuristics
