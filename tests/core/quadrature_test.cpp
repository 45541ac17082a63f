#include "core/quadrature.hpp"

#include <gtest/gtest.h>

namespace coterie {
namespace {

// Halving depends on the shape of the function, not on the unit of its argument.
TEST(Quadrature, IsTheSameInAnyUnit) {
  int calls_at_one = 0;
  for (const double unit : {1.0, 1e-12, 1e-3, 1e6, 1e12}) {
    int calls = 0;
    const auto steep = [&](double x) {
      ++calls;
      return std::exp(-200 * x / unit);
    };
    const double exact = unit * -std::expm1(-200.0) / 200;
    EXPECT_NEAR(integral_within(steep, 0.0, unit, 10, 1e-12 * unit) / exact, 1, 1e-11) << unit;
    if (unit == 1) calls_at_one = calls;
    EXPECT_EQ(calls, calls_at_one) << unit;
  }
  EXPECT_GT(calls_at_one, 31);
  EXPECT_LT(calls_at_one, 1000);
}

TEST(Quadrature, StopsAtItsDepth) {
  int calls = 0;
  const auto step = [&](double x) {
    ++calls;
    return x < 0.3 ? 1.0 : 0.0;
  };
  EXPECT_NEAR(integral_within(step, 0.0, 1.0, 10, 0.0), 0.3, 1e-3);
  EXPECT_LE(calls, 31 * (1 << 11));
  EXPECT_EQ(integral_within(step, 0.5, 0.5, 10, 0.0), 0);
}

}  // namespace
}  // namespace coterie
