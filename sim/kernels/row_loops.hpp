#pragma once

// Rows of results, gone through once they are computed. Part of lane_loops_body.hpp: local to the including file,
// nothing of the standard library.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kParts = kSumLanes / kWidth;

struct LaneSums {
  Reals part[kParts];

  void put(double* lanes) const {
    for (std::size_t i = 0; i < kParts; ++i) __builtin_memcpy(lanes + i * kWidth, &part[i], sizeof part[i]);
  }
};

inline LaneSums all_of(double value) {
  LaneSums lanes;
  for (Reals& part : lanes.part) part = (Reals{} + 1) * value;
  return lanes;
}

template <bool kDifference>
inline Reals values_at(const SeriesView& series, std::size_t i) {
  if constexpr (kDifference)
    return reals_at(series.row + i) - reals_at(series.other + i);
  else
    return reals_at(series.row + i);
}

template <bool kDifference>
inline double value_at(const SeriesView& series, std::size_t i) {
  if constexpr (kDifference)
    return series.row[i] - series.other[i];
  else
    return series.row[i];
}

template <bool kDifference>
void sum_of_series(const SeriesView& series, double* sum, double* least, double* greatest) {
  const std::size_t whole = series.count - series.count % kSumLanes;
  const double first = value_at<kDifference>(series, 0);
  LaneSums sums = {};
  LaneSums low = all_of(first);
  LaneSums high = all_of(first);
  for (std::size_t i = 0; i < whole; i += kSumLanes)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      const Reals values = values_at<kDifference>(series, i + part * kWidth);
      sums.part[part] += values;
      low.part[part] = values < low.part[part] ? values : low.part[part];
      high.part[part] = values > high.part[part] ? values : high.part[part];
    }
  sums.put(sum);
  low.put(least);
  high.put(greatest);
  for (std::size_t i = whole; i < series.count; ++i) {
    const std::size_t lane = i - whole;
    const double value = value_at<kDifference>(series, i);
    sum[lane] += value;
    least[lane] = value < least[lane] ? value : least[lane];
    greatest[lane] = value > greatest[lane] ? value : greatest[lane];
  }
}

template <bool kDifference>
void deviations_of_series(const SeriesView& series, double mean, double* squares) {
  const std::size_t whole = series.count - series.count % kSumLanes;
  LaneSums square_sums = {};
  for (std::size_t i = 0; i < whole; i += kSumLanes)
#pragma GCC unroll 4
    for (std::size_t part = 0; part < kParts; ++part) {
      const Reals deviation = values_at<kDifference>(series, i + part * kWidth) - mean;
      square_sums.part[part] += deviation * deviation;
    }
  square_sums.put(squares);
  for (std::size_t i = whole; i < series.count; ++i) {
    const double deviation = value_at<kDifference>(series, i) - mean;
    squares[i - whole] += deviation * deviation;
  }
}

void sum_series(const SeriesView& series, double* sum, double* least, double* greatest) {
  if (series.other != nullptr)
    sum_of_series<true>(series, sum, least, greatest);
  else
    sum_of_series<false>(series, sum, least, greatest);
}

void sum_deviations(const SeriesView& series, double mean, double* squares) {
  if (series.other != nullptr)
    deviations_of_series<true>(series, mean, squares);
  else
    deviations_of_series<false>(series, mean, squares);
}

void find_cells(const double* values, std::size_t count, std::int32_t cells, std::int32_t* cell) {
  std::size_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    Reals within = reals_at(values + i);
    within = within < 1 ? within : Reals{} + 1;
    within = within < 0 ? Reals{} : within;
    const HalfIntegers found = __builtin_convertvector(within * static_cast<double>(cells), HalfIntegers);
    __builtin_memcpy(cell + i, &found, sizeof found);
  }
  for (; i < count; ++i) {
    const double within = values[i] < 1 ? values[i] : 1;
    cell[i] = static_cast<std::int32_t>((within < 0 ? 0 : within) * cells);
  }
}

}  // namespace
}  // namespace coterie::sim
