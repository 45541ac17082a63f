#include "heuristics/return_messages/packing_program.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "core/errors.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {
namespace {

TEST(PackingProgram, SolvesByHand) {
  PackingSolver<Rational> solver;

  EXPECT_EQ(solver.maximise({2, 1, 1, 3}, 2, 2), Rational(3, 5));  // 2x + y <= 1, x + 3y <= 1: x = 2/5, y = 1/5
  EXPECT_EQ(solver.solution(), (std::vector<Rational>{Rational(2, 5), Rational(1, 5)}));
  EXPECT_EQ(solver.maximise({1, 5}, 1, 2), 1);
  EXPECT_EQ(solver.solution(), (std::vector<Rational>{1, 0}));
}

TEST(PackingProgram, RefusesAnUnboundedProgram) {
  EXPECT_THROW(PackingSolver<Rational>().maximise({1, 0}, 1, 2), InputError);
  EXPECT_THROW(PackingSolver<double>().maximise({1, 0}, 1, 2), InputError);
}

/// Weak duality: a feasible x and feasible multipliers of the same value prove each other optimal.
TEST(PackingProgram, ProvesItsOptimumByDuality) {
  RandomStars random(1);
  PackingSolver<Rational> exact;
  PackingSolver<double> rounded;
  for (int trial = 0; trial < 300; ++trial) {
    const auto rows = static_cast<std::size_t>(random.whole(1, 7));
    const auto columns = static_cast<std::size_t>(random.whole(1, 7));
    std::vector<Rational> matrix;
    for (std::size_t k = 0; k < rows * columns; ++k) {
      const int entry = random.whole(-3, 6);  // many zeros and many ties: degenerate programs
      matrix.push_back(std::max(0, entry));
    }
    for (std::size_t j = 0; j < columns; ++j)
      matrix[static_cast<std::size_t>(random.whole(0, static_cast<int>(rows) - 1)) * columns + j] += 1;

    const Rational value = exact.maximise(matrix, rows, columns);

    for (std::size_t i = 0; i < rows; ++i) {
      Rational used = 0;
      for (std::size_t j = 0; j < columns; ++j) used += matrix[i * columns + j] * exact.solution()[j];
      EXPECT_LE(used, 1) << trial;
      EXPECT_GE(exact.multipliers()[i], 0) << trial;
    }
    for (std::size_t j = 0; j < columns; ++j) {
      Rational worth = 0;
      for (std::size_t i = 0; i < rows; ++i) worth += matrix[i * columns + j] * exact.multipliers()[i];
      EXPECT_GE(worth, 1) << trial;
      EXPECT_GE(exact.solution()[j], 0) << trial;
    }
    EXPECT_EQ(std::accumulate(exact.multipliers().begin(), exact.multipliers().end(), Rational(0)), value) << trial;

    std::vector<double> doubles;
    for (const Rational& entry : matrix) doubles.push_back(to_double(entry));
    EXPECT_NEAR(rounded.maximise(doubles, rows, columns), to_double(value), 1e-9 * to_double(value)) << trial;
  }
}

TEST(PackingProgram, StaysAccurateOverManyDecades) {
  PackingSolver<double> solver;

  EXPECT_NEAR(solver.maximise({1e9, 0, 0, 1e-6}, 2, 2), 1e6 + 1e-9, 1e-3);
  EXPECT_DOUBLE_EQ(solver.solution()[1], 1e6);
}

}  // namespace
}  // namespace coterie::heuristics
