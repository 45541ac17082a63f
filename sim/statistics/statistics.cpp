#include "sim/statistics/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "core/contract.hpp"

namespace coterie::sim {

double quantile_of_sorted(std::span<const double> sorted, double probability) {
  COTERIE_REQUIRE(!sorted.empty() && probability >= 0 && probability <= 1);
  return quantile_of(sorted.size(), probability, [&](std::uint64_t position) { return sorted[position]; });
}

std::vector<std::uint64_t> quantile_positions(std::uint64_t count) {
  std::vector<std::uint64_t> positions;
  for (const double probability : kProbabilities) {
    positions.push_back(static_cast<std::uint64_t>(probability * static_cast<double>(count - 1)));
    positions.push_back(std::min(positions.back() + 1, count - 1));
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

namespace {

/// Of values[first..last): the middle position first, which halves the rest.
void sort_at(std::span<double> values, std::span<const std::size_t> positions, std::size_t first, std::size_t last) {
  if (positions.empty()) return;
  const std::size_t middle = positions.size() / 2;
  const std::size_t at = positions[middle];
  const auto begin = values.begin();
  const auto offset = [](std::size_t position) { return static_cast<std::ptrdiff_t>(position); };
  std::nth_element(begin + offset(first), begin + offset(at), begin + offset(last));
  sort_at(values, positions.first(middle), first, at);
  sort_at(values, positions.subspan(middle + 1), at + 1, last);
}

}  // namespace

void sort_at(std::span<double> values, std::span<const std::size_t> positions) {
  sort_at(values, positions, 0, values.size());
}

namespace {

constexpr std::size_t kBuckets = 256;
using BucketBegins = std::array<std::size_t, kBuckets + 1>;  // position of the first value of each, then of the end

/// Puts values into buckets that span equal parts of their range, in ascending order of the buckets. Nothing depends on
/// a comparison, which a processor would guess wrong half of the time.
BucketBegins put_into_buckets(std::vector<double>& values) {
  BucketBegins begins{};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  const double from = *least;
  const double per_unit = kBuckets / (*greatest - from);
  if (!(per_unit > 0 && std::isfinite(per_unit))) {  // all alike, or infinitely apart
    std::fill(begins.begin() + 1, begins.end(), values.size());
    return begins;
  }
  std::vector<std::uint8_t> bucket_of(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double bucket = std::min((values[i] - from) * per_unit, static_cast<double>(kBuckets - 1));
    ++begins[1 + (bucket_of[i] = static_cast<std::uint8_t>(bucket))];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  BucketBegins next = begins;
  std::vector<double> apart(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) apart[next[bucket_of[i]]++] = values[i];
  values.swap(apart);
  return begins;
}

/// Puts in place what a sort would where the quantiles are: several times cheaper.
void sort_for_quantiles(std::vector<double>& values) {
  const std::vector<std::uint64_t> positions = quantile_positions(values.size());
  const BucketBegins begins = put_into_buckets(values);
  for (auto position = positions.begin(); position != positions.end();) {
    const auto bucket_end = std::upper_bound(begins.begin(), begins.end(), *position);
    const auto others = std::lower_bound(position, positions.end(), *bucket_end);
    sort_at(values, {position, others}, bucket_end[-1], *bucket_end);
    position = others;
  }
}

}  // namespace

double standard_error(const ValueMoments& values) {
  if (values.count < 2) return std::numeric_limits<double>::quiet_NaN();
  if (values.greatest - values.least <= kRounding * std::max(1.0, std::abs(values.greatest))) return 0;
  return std::sqrt(values.squares / (values.count - 1) / values.count);
}

void RowMoments::sum(double value) {
  if (std::isnan(value)) return;
  ++count_;
  sum_ += value;
  moments_.least = std::min(moments_.least, value);
  moments_.greatest = std::max(moments_.greatest, value);
}

void RowMoments::end_of_sum() {
  moments_.count = static_cast<double>(count_);
  moments_.mean = sum_ / moments_.count;
}

void RowMoments::deviate(double value) {
  if (std::isnan(value)) return;
  const double deviation = value - moments_.mean;
  moments_.squares += deviation * deviation;
}

Summary summary_of(const ValueMoments& moments) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<double, 5> kNone = {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
  if (moments.count == 0) return {kUnknown, 0, kUnknown, kUnknown, kUnknown, kUnknown, kNone};
  const double n = moments.count;
  return {moments.mean,
          n,
          n > 1 ? std::sqrt(moments.squares / (n - 1)) : kUnknown,
          standard_error(moments),
          moments.least,
          moments.greatest,
          kNone};
}

Summary summarise(std::span<const double> row) {
  RowMoments moments;
  std::vector<double> sorted;
  sorted.reserve(row.size());
  for (const double value : row) {
    if (std::isnan(value)) continue;
    sorted.push_back(value);
    moments.sum(value);
  }
  moments.end_of_sum();
  for (const double value : sorted) moments.deviate(value);
  Summary summary = summary_of(moments.moments());
  if (sorted.empty()) return summary;
  sort_for_quantiles(sorted);
  for (std::size_t i = 0; i < kProbabilities.size(); ++i)
    summary.quantiles[i] = quantile_of_sorted(sorted, kProbabilities[i]);
  return summary;
}

bool MeanEstimate::is_exact() const { return std::isinf(freedom); }

double MeanEstimate::half_width() const {
  if (standard_error == 0) return bound;
  if (!(freedom > 0)) return std::numeric_limits<double>::quiet_NaN();
  return student_quantile(freedom) * standard_error + bound;
}

double student_quantile(double freedom) {
  COTERIE_REQUIRE(freedom > 0);
  const auto quantile = [](double of) {
    return boost::math::quantile(boost::math::students_t(std::min(of, 1e9)), 0.975);
  };
  if (freedom != std::floor(freedom)) return quantile(freedom);
  // Most rows have equally many values.
  static thread_local double last_freedom = 0;
  static thread_local double last = 0;
  if (freedom != last_freedom) {
    last = quantile(freedom);
    last_freedom = freedom;
  }
  return last;
}

}  // namespace coterie::sim
