#include "heuristics/charts/column_descent.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <utility>

#include "core/cancellation.hpp"

namespace coterie::heuristics {
namespace {

/// An exchange must narrow the gap by more than rounding could: sums of logs err by less.
constexpr double kRounding = 1e-11;
/// A pass over a pair of columns ends early once it has found an exchange that leaves this part of the gap.
constexpr double kEnough = 0.05;
constexpr std::size_t kFewColumns = 16;
/// With more columns than this, only selected pairs are examined.
constexpr std::size_t kManyColumns = 1000;
constexpr std::size_t kMostSweeps = 100;
/// The most pairs examined before the descent stops (about a second): reached only with 10^4 columns or more.
constexpr std::size_t kMostPairs = 50'000'000;

/// Which entry of a column and which of one whose sum is smaller by `gap` to exchange, so that least is left of the
/// gap; none if no exchange narrows it. Both ascend by `sum`.
template <typename Entries, typename Sum>
std::optional<std::pair<std::size_t, std::size_t>> best_exchange(const Entries& greater, const Entries& smaller,
                                                                 double gap, Sum sum) {
  const double half = gap / 2;
  const double enough = half * kEnough;
  double nearest = half - kRounding;
  std::optional<std::pair<std::size_t, std::size_t>> best;
  for (std::size_t i = 0, j = 0; i < greater.size() && j < smaller.size() && nearest > enough;) {
    const double off = sum(greater[i]) - sum(smaller[j]) - half;
    if (std::abs(off) < nearest) {
      nearest = std::abs(off);
      best = {i, j};
    }
    if (off > 0) {
      ++j;
    } else {
      ++i;
    }
  }
  return best;
}

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
  for (auto* numbers : {&different_, &changed_, &one_.tried, &two_.tried}) numbers->resize(columns_);
  for (std::size_t a = 0; a < columns_; ++a) {
    for (std::size_t i = 0; i < rows_; ++i) steps_[a * rows_ + i] = chart.at(i, a);
    refresh(a);
  }
}

void ColumnDescent::refresh(std::size_t a) {
  cancellation_point();
  std::uint32_t* const steps = steps_.data() + a * rows_;
  std::sort(steps, steps + rows_);
  double sum = log_weights_[a];
  for (std::size_t i = 0; i < rows_; ++i) sum += logs_[a * rows_ + i] = log_risk_[steps[i] - 1];
  log_terms_[a] = sum;
  different_[a] = rows_;
  const double* const logs = logs_.data() + a * rows_;
  while (different_[a] > 1 && logs[different_[a] - 2] == logs[different_[a] - 1]) --different_[a];
  pairs_[a].clear();
}

bool ColumnDescent::exchange_one(std::size_t a, std::size_t b) {
  const double gap = log_terms_[a] - log_terms_[b];
  const auto row = [](double log) { return log; };
  const auto logs_of = [&](std::size_t column) { return std::span(logs_).subspan(column * rows_, different_[column]); };
  const auto found = best_exchange(logs_of(a), logs_of(b), gap, row);
  if (!found) return false;
  std::swap(steps_[a * rows_ + found->first], steps_[b * rows_ + found->second]);
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
  const auto same_sum = [](const Pair& p, const Pair& q) { return p.sum == q.sum; };
  pairs.erase(std::unique(pairs.begin(), pairs.end(), same_sum), pairs.end());  // where risks are equal, as behind X
  return pairs;
}

bool ColumnDescent::exchange_two(std::size_t a, std::size_t b) {
  const double gap = log_terms_[a] - log_terms_[b];
  for (const std::size_t c : {a, b})
    if (pairs_[c].empty()) pairs_[c] = pairs_of(c);
  const auto found = best_exchange(std::span<const Pair>(pairs_[a]), std::span<const Pair>(pairs_[b]), gap,
                                   [](const Pair& pair) { return pair.sum; });
  if (!found) return false;
  const Pair from_a = pairs_[a][found->first];
  const Pair from_b = pairs_[b][found->second];
  std::swap(steps_[a * rows_ + from_a.first], steps_[b * rows_ + from_b.first]);
  std::swap(steps_[a * rows_ + from_a.second], steps_[b * rows_ + from_b.second]);
  refresh(a);
  refresh(b);
  return true;
}

bool ColumnDescent::improve(std::span<const Move* const> moves, std::size_t a, std::size_t b) {
  cancellation_point();
  if (std::abs(log_terms_[a] - log_terms_[b]) < close_) return false;
  if (log_terms_[a] < log_terms_[b]) std::swap(a, b);
  const std::size_t changed = std::max(changed_[a], changed_[b]);
  for (const Move* move : moves) {
    if (changed < std::max(move->tried[a], move->tried[b]) || !(this->*move->exchange)(a, b)) continue;
    changed_[a] = changed_[b] = ++exchanges_;
    return true;
  }
  return false;
}

void ColumnDescent::sweep(std::span<const Move* const> moves) {
  std::vector<std::pair<double, std::uint32_t>> order(columns_);
  std::size_t pairs = 0;
  std::size_t idle = 0;  // sweeps since the last exchange
  for (std::size_t sweeps = 0; sweeps < kMostSweeps && idle < rows_ && pairs < kMostPairs; ++sweeps) {
    const std::size_t row = sweeps % rows_;
    for (std::uint32_t a = 0; a < columns_; ++a) order[a] = {logs_[a * rows_ + row], a};
    std::sort(order.begin(), order.end());
    const std::size_t before = exchanges_;
    for (std::size_t stride = columns_ / 2; stride > 0; stride /= 2) {
      for (std::size_t k = stride; k < columns_; ++k) improve(moves, order[k - stride].second, order[k].second);
      pairs += columns_ - stride;
    }
    idle = exchanges_ == before ? idle + 1 : 0;
  }
}

void ColumnDescent::until_none_helps(std::span<Move* const> moves) {
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
    const std::size_t begin = exchanges_ + 1;  // later than any change so far
    for (std::uint32_t b = 0; b < columns_; ++b) {
      if (b == a || !improve(moves, a, b)) continue;
      for (const std::uint32_t c : {a, b}) {
        if (waiting[c]) continue;
        waiting[c] = 1;
        changed.push_back(c);
      }
    }
    for (Move* move : moves) move->tried[a] = begin;
  }
}

void ColumnDescent::descend() { run(std::array{&one_}); }

void ColumnDescent::descend_by_pairs() { run(std::array{&one_, &two_}); }

void ColumnDescent::run(std::span<Move* const> moves) {
  if (columns_ > kManyColumns) {
    sweep(moves);
  } else {
    until_none_helps(moves);
  }
}

GroupChart ColumnDescent::chart() const {
  GroupChart chart{rows_, columns_, std::vector<std::uint32_t>(rows_ * columns_)};
  for (std::size_t a = 0; a < columns_; ++a)
    for (std::size_t i = 0; i < rows_; ++i) chart.steps[i * columns_ + a] = steps_[a * rows_ + i];
  return chart;
}

}  // namespace coterie::heuristics
