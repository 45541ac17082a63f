#pragma once

#include <cstddef>
#include <cstdint>

#include "core/instruction_set.hpp"

namespace coterie {

/// A step function of time, found by buckets over the exponent and mantissa of times: by_time[b] is the first step that
/// may apply to a time of bucket b.
struct StepsView {
  const double* ends = nullptr;  ///< of each step the last time that belongs to it, and its value; rising, the last one
                                 ///< infinite
  const std::uint32_t* by_time = nullptr;
  std::uint64_t first_bucket = 0;
  std::uint64_t buckets = 0;
  int shift = 0;  ///< of a time's bits, to its bucket
};

/// A table of numbers: row r, column c is a number of `values`, the (steps[r * columns + c] - 1)-th.
struct ColumnsView {
  const double* values = nullptr;
  const std::uint32_t* steps = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// Numbers that are looked up earlier and earlier: of chunk q, values[-(passed_from[q + passed] - passed_from[q])].
struct ShiftedView {
  const double* values = nullptr;
  const std::uint32_t* passed_from = nullptr;
  std::size_t passed = 0;
};

/// A product of risks below this adds nothing to a sum of work: further factors are left out.
inline constexpr double kNothingLost = 1e-20;
/// Sums are made of so many, value i in i % kSumLanes of them.
inline constexpr std::size_t kSumLanes = 8;

/// The s-th multiple is s * leading + s * rest + s * more, rounded in this order.
struct MultiplesView {
  double leading = 0;
  double rest = 0;
  double more = 0;
};

/// Inner loops of planning and of draws from traces, compiled for several instruction sets. All give the same bits.
struct VectorLoops {
  /// values[i] = the (first + i)-th multiple; first + count < 2^31.
  void (*fill_multiples)(const MultiplesView& numbers, std::size_t first, std::size_t count, double* values);
  /// values[i] of the step that times[i] belongs to; times <= 0 and NaN belong to the first one. May be the same array.
  void (*find_steps)(const StepsView& steps, const double* times, std::size_t count, double* values);
  /// drawn[i] = sorted[k] for the smallest k with (k + 1) / size >= uniforms[i], rounded; size < 2^31, uniforms in
  /// [0, 1]. May be the same array.
  void (*draw_equally)(const double* sorted, std::size_t size, const double* uniforms, std::size_t count,
                       double* drawn);
  /// Sum over i < count of the product of rows[0][i] .. rows[factors - 1][i], in [0, 1]; factors: 4, 8, 12, ...
  double (*sum_products)(const double* const* rows, std::size_t factors, std::size_t count);
  /// Sum over columns of the product of their numbers, in [0, 1]; at least one row.
  double (*sum_columns)(const ColumnsView& table);
  /// Sum over chunks of the product of their numbers in each of the rows, in [0, 1]; at least one row.
  double (*sum_shifted)(const ShiftedView* rows, std::size_t count, std::size_t chunks);
  /// Sum of 1 - values[i]^exponent.
  double (*sum_complements)(const double* values, std::size_t count, std::size_t exponent);
};

const VectorLoops& vector_loops_of(InstructionSet set);
/// Those of best_instruction_set() when the program first asked.
const VectorLoops& vector_loops();

}  // namespace coterie
