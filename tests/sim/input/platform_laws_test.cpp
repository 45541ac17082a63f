#include "sim/input/platform_laws.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

PlatformLawPtr law(const std::string& text) { return make_platform_law(Expression::parse(text)); }

TEST(PlatformLaws, QuantilesInvertTheDistribution) {
  const auto uniform = law("uniform(low=.5, high=2)");
  const auto log_uniform = law("log-uniform(low=1, high=100)");

  EXPECT_EQ(uniform->quantile(0), 0.5);
  EXPECT_EQ(uniform->quantile(0.5), 1.25);
  EXPECT_EQ(uniform->quantile(1), 2);
  EXPECT_EQ(log_uniform->quantile(0), 1);
  EXPECT_NEAR(log_uniform->quantile(0.5), 10, 1e-12);
  EXPECT_EQ(log_uniform->quantile(1), 100);
  EXPECT_NEAR(law("log-uniform(low=1e-200, high=1e200)")->quantile(0.5), 1, 1e-12);
  EXPECT_EQ(law("constant(value=inf)")->quantile(0.3), kInfinity);
}

TEST(PlatformLaws, KnowWhatIsConstant) {
  EXPECT_TRUE(law("constant(value=3)")->is_constant());
  EXPECT_TRUE(law("uniform(low=3, high=3)")->is_constant());
  EXPECT_FALSE(law("uniform(low=3, high=4)")->is_constant());
}

TEST(PlatformLaws, TheirTextMakesThemAgain) {
  for (const char* text :
       {"constant(value=3)", "constant(value=inf)", "uniform(low=0.1, high=7)", "log-uniform(low=0.1, high=7)"})
    EXPECT_EQ(law(text)->text(), text);
}

TEST(PlatformLaws, RefuseWhatIsNoLaw) {
  for (const char* text :
       {"normal(mean=1)", "uniform", "uniform(low=1)", "uniform(low=0, high=1)", "uniform(low=2, high=1)",
        "constant(value=0)", "constant(value=1, high=2)", "constant(1)", "log-uniform(low=-1, high=1)"})
    EXPECT_THROW(law(text), InputError) << text;
}

}  // namespace
}  // namespace coterie::sim
