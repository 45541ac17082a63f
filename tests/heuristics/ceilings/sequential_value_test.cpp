#include "heuristics/ceilings/sequential_value.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "tests/heuristics/ceilings/alike.hpp"

namespace coterie::heuristics {
namespace {

// News of one's own chunks changes nothing.
TEST(SequentialValue, IsTheOptimumOfOneWorker) {
  for (const double work : {0.2, 0.5, 2.0}) {
    const double best = optimal_chunks({work, std::nullopt, 0.1, make_linear_risk()}).expected_work;
    const double value = sequential_value({alike(1), work, 0.1, 0.005});
    EXPECT_LE(value, best * (1 + 1e-12));
    EXPECT_GE(value, best * (1 - 1e-3));
  }
}

// Two chunks of one step for two workers that survive k steps with probability 1/2^k, by hand: the second worker is
// used where the first failed or is worth less than it. U_1(1) = 1/2, U_1(2) = max(1/2 (1 + 1/2), 1/4 * 2) = 3/4;
// U_2(1) = 1/2 + 1/2 * 1/2 = 3/4; U_2(2): first chunk 1/2 (1 + J(1, 1)) + 1/2 * 3/4, J(1, 1) = 3/4.
TEST(SequentialValue, ByHand) {
  const RiskPtr risk = make_parametric_risk(Expression::parse("exponential(rate=0.69314718055994531)"));
  const auto values = sequential_values({alike(2, risk), 2, 0, 1});
  ASSERT_EQ(values.size(), 3u);
  EXPECT_NEAR(values[1][1], 0.5, 1e-14);
  EXPECT_NEAR(values[1][2], 0.75, 1e-14);
  EXPECT_NEAR(values[2][1], 0.75, 1e-14);
  EXPECT_NEAR(values[2][2], 0.5 * 1.75 + 0.375, 1e-14);
}

// Another program on the same grid.
TEST(SequentialValue, HasTheFiguresOfAnotherProgram) {
  EXPECT_NEAR(sequential_value({alike(5), 2, 0.01, 0.005}), 1.7888, 5e-5);
  EXPECT_NEAR(sequential_value({alike(25), 10, 0.01, 0.005}), 9.5895, 5e-5);
}

TEST(SequentialValue, GrowsWithWorkersAndWork) {
  const auto values = sequential_values({alike(4), 1.5, 0.1, 0.05});
  for (std::size_t k = 1; k < values.size(); ++k)
    for (std::size_t i = 1; i < values[k].size(); ++i) {
      EXPECT_GE(values[k][i], values[k - 1][i]);
      EXPECT_GE(values[k][i], values[k][i - 1]);
      EXPECT_LE(values[k][i], 0.05 * static_cast<double>(i));
    }
}

TEST(SequentialValue, RefusesWhatIsNotOnTheGrid) {
  EXPECT_THROW(sequential_value({alike(2), 1, 0.015, 0.01}), InputError);
  EXPECT_THROW(sequential_value({alike(2), 1.005, 0.01, 0.01}), InputError);
  EXPECT_THROW(sequential_value({{}, 1, 0.01, 0.01}), InputError);
  EXPECT_THROW(sequential_value({alike(2), 0, 0.01, 0.01}), InputError);
  EXPECT_THROW(sequential_value({alike(2), 1, -0.01, 0.01}), InputError);
  EXPECT_THROW(sequential_value({alike(2), 1, 0.01, 0}), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
