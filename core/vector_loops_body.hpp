// The loops of VectorLoops, included by one source file for each instruction set, which defines COTERIE_LOOPS as the
// name of its instance; see vectors.hpp. (No include guard: this is a body, not a header.)

#include "core/vector_loops.hpp"
#include "core/vectors.hpp"

namespace coterie {
namespace {

/// results[i] = result(values[i]), the last ones among zeros.
template <typename Result>
[[gnu::always_inline]] inline void by_vectors(const double* values, std::size_t count, double* results, Result result) {
  std::size_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    const Reals found = result(reals_at(values + i));
    __builtin_memcpy(results + i, &found, sizeof found);
  }
  if (i < count) put_some(result(some_reals_at(values + i, count - i)), results + i, count - i);
}

void fill_multiples(const MultiplesView& numbers, std::size_t first, std::size_t count, double* values) {
  HalfIntegers multiple = {};
  for (std::size_t i = 0; i < kWidth; ++i) multiple[i] = static_cast<std::int32_t>(first + i);
  for (std::size_t i = 0; i < count; i += kWidth, multiple += static_cast<std::int32_t>(kWidth)) {
    const Reals times = __builtin_convertvector(multiple, Reals);
    const Reals products = times * numbers.leading + times * numbers.rest + times * numbers.more;
    if (i + kWidth <= count)
      __builtin_memcpy(values + i, &products, sizeof products);
    else
      put_some(products, values + i, count - i);
  }
}

/// Where to look for a time's step first, in `ends`.
inline Words first_step(const StepsView& steps, Reals time) {
  SignedWords bucket = (SignedWords)(((Words)time >> steps.shift) - steps.first_bucket);
  bucket = bucket < 0 ? SignedWords{} : bucket;
  const SignedWords last = SignedWords{} + static_cast<std::int64_t>(steps.buckets - 1);
  return look_up(steps.by_time, (Words)(bucket < last ? bucket : last)) * 2;
}

/// Several vectors in turn, since each would wait for its look-ups.
template <std::size_t kVectors>
[[gnu::always_inline]] inline void find_step_of(const StepsView& steps, Reals (&times)[kVectors]) {
  Words end[kVectors];
  Words ahead[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    times[v] = times[v] > 0 ? times[v] : Reals{};
    end[v] = first_step(steps, times[v]);
  }
  for (bool found = false; !found;) {
    Words some = {};
    for (std::size_t v = 0; v < kVectors; ++v) {
      ahead[v] = (Words)(times[v] > look_up(steps.ends, end[v]));
      some |= ahead[v];
    }
    for (std::size_t v = 0; v < kVectors; ++v) end[v] += ahead[v] & 2;
    found = !any(some);
  }
  for (std::size_t v = 0; v < kVectors; ++v) times[v] = look_up(steps.ends + 1, end[v]);
}

void find_steps(const StepsView& steps, const double* times, std::size_t count, double* values) {
  constexpr std::size_t kVectors = 4;
  std::size_t i = 0;
  for (; i + kVectors * kWidth <= count; i += kVectors * kWidth) {
    Reals some[kVectors];
    __builtin_memcpy(some, times + i, sizeof some);
    find_step_of(steps, some);
    __builtin_memcpy(values + i, some, sizeof some);
  }
  by_vectors(times + i, count - i, values + i, [&](Reals time) {
    Reals one[1] = {time};
    find_step_of(steps, one);
    return one[0];
  });
}

void draw_equally(const double* sorted, std::size_t size, const double* uniforms, std::size_t count, double* drawn) {
  const Reals all = Reals{} + static_cast<double>(size);
  const Reals last = all - 1;
  by_vectors(uniforms, count, drawn, [&](Reals uniform) {
    const Reals near = uniform * all < last ? uniform * all : last;
    const Words floor = __builtin_convertvector(__builtin_convertvector(near, HalfIntegers), Words);
    const Reals place = __builtin_convertvector(__builtin_convertvector(near, HalfIntegers), Reals);
    // Only where the product lies just above a whole number can the quotient be rounded up to the uniform.
    if (!any((Words)(near - place <= place * 0x1p-50))) return look_up(sorted, floor);
    const Words before = (Words)(place / all >= uniform) & (Words)(place > 0);
    return look_up(sorted, floor + before);  // true is -1
  });
}

/// Numbers of the lanes of a sum.
struct Sum {
  static constexpr std::size_t kParts = kSumLanes / kWidth;
  Reals part[kParts] = {};

  double total() const {
    double lane[kSumLanes];
    __builtin_memcpy(lane, part, sizeof lane);
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
  }
};

/// The sum of value(i, n) over i < count in steps of kWidth; value(i, n) is of the last n < kWidth values and zeros,
/// and value(i) is of kWidth.
template <typename Value>
[[gnu::always_inline]] inline double sum_of(std::size_t count, Value value) {
  Sum sum;
  std::size_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes)
    for (std::size_t part = 0; part < Sum::kParts; ++part) sum.part[part] += value(i + part * kWidth);
  for (std::size_t part = 0; i < count; i += kWidth, ++part)
    sum.part[part] += i + kWidth <= count ? value(i) : value(i, count - i);
  return sum.total();
}

/// kWidth numbers, or some of them and zeros.
template <typename... Count>
[[gnu::always_inline]] inline Reals numbers_at(const double* values, Count... count) {
  if constexpr (sizeof...(count) == 0)
    return reals_at(values);
  else
    return some_reals_at(values, count...);
}

double sum_products(const double* const* rows, std::size_t factors, std::size_t count) {
  return sum_of(count, [&](std::size_t i, auto... some) {
    const auto four = [&](std::size_t f) {
      const Reals two = numbers_at(rows[f] + i, some...) * numbers_at(rows[f + 1] + i, some...);
      const Reals product = two * (numbers_at(rows[f + 2] + i, some...) * numbers_at(rows[f + 3] + i, some...));
      return product;
    };
    Reals product = four(0);
    for (std::size_t f = 4; f < factors && any((Words)(product > kNothingLost)); f += 4)
      product = product > kNothingLost ? product * four(f) : product;
    return product;
  });
}

double sum_columns(const ColumnsView& table) {
  return sum_of(table.columns, [&](std::size_t column, auto... some) {
    const auto numbers = [&](std::size_t row) {
      const auto* steps = table.steps + row * table.columns + column;
      if constexpr (sizeof...(some) == 0) {
        return look_up(table.values, words_at(steps) - 1);
      } else {
        const Words in_table = first_lanes(some...);
        return (Reals)((Words)look_up(table.values, (some_words_at(steps, some...) - 1) & in_table) & in_table);
      }
    };
    Reals product = numbers(0);
    for (std::size_t row = 1; row < table.rows && any((Words)(product > kNothingLost)); ++row)
      product = product > kNothingLost ? product * numbers(row) : product;
    return product;
  });
}

double sum_shifted(const ShiftedView* rows, std::size_t count, std::size_t chunks) {
  return sum_of(chunks, [&](std::size_t chunk, auto... some) {
    const auto numbers = [&](const ShiftedView& row) {
      const std::uint32_t* from = row.passed_from + chunk;
      if constexpr (sizeof...(some) == 0) {
        return look_up(row.values, words_at(from) - words_at(from + row.passed));
      } else {
        const Words earlier = some_words_at(from, some...) - some_words_at(from + row.passed, some...);
        return (Reals)((Words)look_up(row.values, earlier) & first_lanes(some...));
      }
    };
    Reals product = numbers(rows[0]);
    for (std::size_t row = 1; row < count && any((Words)(product > kNothingLost)); ++row)
      product = product > kNothingLost ? product * numbers(rows[row]) : product;
    return product;
  });
}

double sum_complements(const double* values, std::size_t count, std::size_t exponent) {
  const auto powers_of = [exponent](Reals base) {
    Reals power = Reals{} + 1;
    for (std::size_t rest = exponent; rest > 0; rest /= 2) {
      if (rest % 2 == 1) power *= base;
      base *= base;
    }
    return power;
  };
  return sum_of(count, [&](std::size_t i, auto... some) {
    const Reals complement = 1 - powers_of(numbers_at(values + i, some...));
    if constexpr (sizeof...(some) == 0)
      return complement;
    else
      return (Reals)((Words)complement & first_lanes(some...));
  });
}

}  // namespace

extern const VectorLoops COTERIE_LOOPS;
const VectorLoops COTERIE_LOOPS = {fill_multiples, find_steps,  draw_equally,   sum_products,
                                   sum_columns,    sum_shifted, sum_complements};

}  // namespace coterie
