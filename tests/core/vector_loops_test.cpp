// The loops of every instruction set against plain loops, and against one another bit for bit.
#include "core/vector_loops.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie {
namespace {

constexpr double kRounding = 1e-13;

/// Different numbers from 0 to 1, both of them among the first.
std::vector<double> numbers(std::size_t count, const char* what) {
  Stream stream(StreamKey::derive(2013, identity_hash(what), Use::kPlatform), count, 0);
  std::vector<double> list(count);
  for (double& number : list) number = to_uniform(stream());
  if (count > 0) list[0] = 1;
  if (count > 1) list[1] = 0;
  return list;
}

/// By each instruction set: all the same.
template <typename Compute>
auto on_all(Compute compute) {
  const auto sets = usable_instruction_sets();
  const auto first = compute(vector_loops_of(sets.front()));
  for (const InstructionSet set : sets) EXPECT_EQ(compute(vector_loops_of(set)), first) << name_of(set);
  return first;
}

TEST(VectorLoops, FillMultiples) {
  const MultiplesView view{0.1, 1e-18, 0.003};
  for (const std::size_t count : {0, 1, 3, 4, 7, 8, 9, 40})
    for (const std::size_t first : {0, 1, 5, 1'000'000}) {
      const auto filled = on_all([&](const VectorLoops& loops) {
        std::vector<double> values(count + 1, -1);
        loops.fill_multiples(view, first, count, values.data());
        return values;
      });
      EXPECT_EQ(filled.back(), -1);
      for (std::size_t i = 0; i < count; ++i) {
        const auto times = static_cast<double>(first + i);
        EXPECT_EQ(filled[i], times * 0.1 + times * 1e-18 + times * 0.003);
      }
    }
}

TEST(VectorLoops, DrawTheFirstOfEqualWeightWhoseShareReachesTheUniform) {
  for (const std::size_t size : {1, 2, 3, 49, 1000}) {
    std::vector<double> sorted(size);
    for (std::size_t i = 0; i < size; ++i) sorted[i] = static_cast<double>(i) * 1.5;
    // Uniforms at, just below and just above each share, where rounding decides.
    std::vector<double> uniforms = {0, 1};
    for (std::size_t i = 1; i <= size; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(size);
      for (const double uniform : {std::nextafter(share, 0), share, std::nextafter(share, 2)})
        if (uniform <= 1) uniforms.push_back(uniform);
    }
    const std::vector<double> more = numbers(1001, "uniforms");
    uniforms.insert(uniforms.end(), more.begin(), more.end());
    const auto drawn = on_all([&](const VectorLoops& loops) {
      std::vector<double> values = uniforms;
      loops.draw_equally(sorted.data(), size, values.data(), values.size(), values.data());
      return values;
    });
    for (std::size_t u = 0; u < uniforms.size(); ++u) {
      std::size_t k = 0;
      while (static_cast<double>(k + 1) / static_cast<double>(size) < uniforms[u]) ++k;
      ASSERT_EQ(drawn[u], sorted[k]) << size << " " << uniforms[u];
    }
  }
}

TEST(VectorLoops, SumProductsOfRows) {
  for (const std::size_t factors : {4, 8, 20})
    for (const std::size_t count : {0, 1, 3, 5, 8, 13, 16, 100}) {
      std::vector<double> table = numbers(factors * count, "rows");
      for (double& number : table)  // some products vanish early, others late
        if (number < 0.3) number *= 1e-9;
      std::vector<const double*> rows;
      for (std::size_t f = 0; f < factors; ++f) rows.push_back(table.data() + f * count);
      const double sum =
          on_all([&](const VectorLoops& loops) { return loops.sum_products(rows.data(), factors, count); });
      double expected = 0;
      for (std::size_t i = 0; i < count; ++i) {
        double product = 1;
        for (const double* row : rows) product *= row[i];
        expected += product;
      }
      EXPECT_NEAR(sum, expected, kRounding * expected + static_cast<double>(count) * kNothingLost);
    }
}

TEST(VectorLoops, SumProductsOfColumns) {
  for (const std::size_t rows : {1, 2, 5, 30})
    for (const std::size_t columns : {1, 4, 7, 8, 9, 24, 50}) {
      const std::vector<double> values = numbers(rows * columns, "columns");
      std::vector<std::uint32_t> steps(rows * columns);
      for (std::size_t i = 0; i < steps.size(); ++i)
        steps[i] = static_cast<std::uint32_t>((i * 7919 + 3) % steps.size() + 1);
      const double sum = on_all([&](const VectorLoops& loops) {
        return loops.sum_columns({values.data(), steps.data(), rows, columns});
      });
      double expected = 0;
      for (std::size_t c = 0; c < columns; ++c) {
        double product = 1;
        for (std::size_t r = 0; r < rows; ++r) product *= values[steps[r * columns + c] - 1];
        expected += product;
      }
      EXPECT_NEAR(sum, expected, kRounding * expected + static_cast<double>(columns) * kNothingLost);
    }
}

TEST(VectorLoops, SumProductsOfNumbersLookedUpEarlier) {
  const std::vector<double> values = numbers(100, "shifted");
  std::vector<std::uint32_t> from(60);
  for (std::size_t i = 1; i < from.size(); ++i) from[i] = from[i - 1] + (i % 3 == 0 ? 1 : 0);
  for (const std::size_t chunks : {1, 2, 7, 8, 9, 30}) {
    std::vector<ShiftedView> rows;
    for (const std::size_t passed : {0, 5, 20}) rows.push_back({values.data() + 40 + passed, from.data() + 2, passed});
    const double sum =
        on_all([&](const VectorLoops& loops) { return loops.sum_shifted(rows.data(), rows.size(), chunks); });
    double expected = 0;
    for (std::size_t q = 0; q < chunks; ++q) {
      double product = 1;
      for (const ShiftedView& row : rows)
        product *= *(row.values - (row.passed_from[q + row.passed] - row.passed_from[q]));
      expected += product;
    }
    EXPECT_NEAR(sum, expected, kRounding * expected);
  }
}

TEST(VectorLoops, SumComplementsOfPowers) {
  for (const std::size_t count : {0, 1, 3, 8, 11, 100})
    for (const std::size_t exponent : {1, 2, 7, 100, 1'000'000}) {
      const std::vector<double> values = numbers(count, "powers");
      const double sum =
          on_all([&](const VectorLoops& loops) { return loops.sum_complements(values.data(), count, exponent); });
      double expected = 0;
      for (const double value : values) expected += 1 - std::pow(value, static_cast<double>(exponent));
      EXPECT_NEAR(sum, expected, 1e-12 * static_cast<double>(count));
    }
}

// Steps of all lengths, times beside each end and far outside.
TEST(VectorLoops, FindStepsByBuckets) {
  constexpr int kShift = 45;
  const auto bucket_of = [](double time) { return std::bit_cast<std::uint64_t>(time) >> kShift; };
  std::vector<double> last;
  for (std::size_t i = 0; i < 300; ++i)
    last.push_back(0.01 * std::pow(1.05, static_cast<double>(i - i % 7)) * (1 + 1e-9 * static_cast<double>(i % 7)));
  std::vector<double> ends;  // and values in turn
  for (std::size_t i = 0; i < last.size(); ++i) {
    ends.push_back(last[i]);
    ends.push_back(static_cast<double>(i));
  }
  ends.push_back(kInfinity);
  ends.push_back(static_cast<double>(last.size()));
  std::vector<std::uint32_t> by_time(bucket_of(last.back()) - bucket_of(last.front()) + 1, 0);
  for (std::size_t b = 1, step = 0; b < by_time.size(); ++b) {
    while (bucket_of(last[step]) < bucket_of(last.front()) + b) ++step;
    by_time[b] = static_cast<std::uint32_t>(step);
  }
  const StepsView view{ends.data(), by_time.data(), bucket_of(last.front()), by_time.size(), kShift};
  std::vector<double> times = {-kInfinity,
                               -1,
                               -0.0,
                               0,
                               std::numeric_limits<double>::denorm_min(),
                               1e300,
                               kInfinity,
                               std::numeric_limits<double>::quiet_NaN()};
  for (const double end : last)
    for (const double time : {std::nextafter(end, 0), end, std::nextafter(end, kInfinity)}) times.push_back(time);
  const auto found = on_all([&](const VectorLoops& loops) {
    std::vector<double> values = times;
    loops.find_steps(view, values.data(), values.size(), values.data());
    return values;
  });
  for (std::size_t t = 0; t < times.size(); ++t) {
    std::size_t step = 0;
    while (step < last.size() && times[t] > last[step]) ++step;
    ASSERT_EQ(found[t], static_cast<double>(step)) << times[t];
  }
  for (std::size_t count = 0; count <= 40; ++count)
    on_all([&](const VectorLoops& loops) {
      std::vector<double> values = times;
      loops.find_steps(view, values.data(), count, values.data());
      for (std::size_t t = 0; t < count; ++t) EXPECT_EQ(values[t], found[t]);
      for (std::size_t t = count; t < 7; ++t) EXPECT_EQ(values[t], times[t]);
      return count;
    });
}

}  // namespace
}  // namespace coterie
