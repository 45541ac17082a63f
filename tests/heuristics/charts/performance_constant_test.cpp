#include "heuristics/charts/performance_constant.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

namespace coterie::heuristics {
namespace {

using boost::multiprecision::pow;

Integer factorial(std::size_t n) {
  Integer product = 1;
  for (std::size_t k = 2; k <= n; ++k) product *= k;
  return product;
}

TEST(PerformanceConstant, IsTheOneOfTable3) {
  EXPECT_EQ(performance_constant(cyclic_chart(4, 5)), 34104);
  EXPECT_EQ(performance_constant(reverse_chart(4, 5)), 24396);
  EXPECT_EQ(performance_constant(mirror_chart(4, 5)), 27284);
  EXPECT_EQ(performance_constant(snake_chart(4, 5)), 25784);
  EXPECT_EQ(performance_constant(fat_snake_chart(4, 5)), 24276);
  EXPECT_EQ(performance_constant(greedy_chart(4, 5, linear_risk_at_steps(20))), 24390);
  EXPECT_EQ(least_performance_constant(4, 5), 23780);
}

TEST(PerformanceConstant, OfOneColumnIsTheFactorial) {
  EXPECT_EQ(performance_constant(cyclic_chart(100, 1)), factorial(100));
  EXPECT_EQ(least_performance_constant(100, 1), factorial(100));
}

TEST(PerformanceConstant, OfOneRowIsTheSum) { EXPECT_EQ(performance_constant(cyclic_chart(1, 1000)), 500500); }

// [worksharing-2013, Section 5.2.4; errata, group schedules 3-5]: sums of products as printed, where the print is
// valid.
TEST(PerformanceConstant, FollowsThePrintedFormulas) {
  for (std::size_t g = 2; g <= 30; g += 2)
    for (const std::size_t m : {2u, 5u, 33u}) {
      Integer cyclic = 0, reverse = 0, snake = 0;
      for (std::size_t j = 1; j <= m; ++j) {
        Integer c = 1, r = j, s = 1;
        for (std::size_t k = 0; k < g; ++k) c *= j + k * m;
        for (std::size_t k = 1; k < g; ++k) r *= (k + 1) * m - j + 1;
        for (std::size_t k = 0; k < g; k += 2) s *= Integer(j + k * m) * ((k + 2) * m - j + 1);
        cyclic += c;
        reverse += r;
        snake += s;
      }
      EXPECT_EQ(performance_constant(cyclic_chart(g, m)), cyclic);
      EXPECT_EQ(performance_constant(reverse_chart(g, m)), reverse);
      EXPECT_EQ(performance_constant(snake_chart(g, m)), snake);
    }
}

// The definition, in integers: x^m >= m^m n! > (x - 1)^m.
TEST(LeastPerformanceConstant, IsTheLeastIntegerAboveTheRoot) {
  for (std::size_t g = 1; g <= 100; g += 3)
    for (std::size_t m = 1; g * m <= 1000; m = m * 5 / 4 + 1) {
      const Integer x = least_performance_constant(g, m);
      const auto degree = static_cast<unsigned>(m);
      const Integer bound = pow(Integer(m), degree) * factorial(g * m);
      ASSERT_GE(pow(x, degree), bound) << g << " x " << m;
      ASSERT_LT(pow(Integer(x - 1), degree), bound) << g << " x " << m;
    }
}

TEST(LeastPerformanceConstant, AgreesWithItsLogarithm) {
  for (std::size_t g = 20; g <= 100; g += 7)
    for (std::size_t m = 1; g * m <= 1000; m += 3)
      EXPECT_NEAR(log_of(least_performance_constant(g, m)), log_least_performance_constant(g, m), 2e-12);
}

// The printed value of errata, group schedules 7, was computed independently.
TEST(LeastPerformanceConstant, IsTheOneOfTheErrata) {
  EXPECT_NEAR(std::exp(log_least_performance_constant(10, 100)) / 4.743e27, 1, 2e-4);
}

TEST(LogOfInteger, IsTheLogarithm) {
  EXPECT_EQ(log_of(1), 0);
  EXPECT_DOUBLE_EQ(log_of(Integer(1) << 5000), 5000 * std::log(2.0));
  EXPECT_DOUBLE_EQ(log_of(factorial(1000)), std::lgamma(1001.0));
}

}  // namespace
}  // namespace coterie::heuristics
