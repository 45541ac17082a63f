#include "core/capacity_cells.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numeric>

#include "tests/parametric.hpp"

namespace coterie {
namespace {

/// The mean of min(limit, max(0, T - startup)).
double mean(const Risk& law, double startup, double limit) {
  const std::vector<double> cells = capacity_cells(law, startup, limit, limit / 512);
  return std::accumulate(cells.begin(), cells.end(), 0.0);
}

/// The same as an integral over the survival, to all digits.
TEST(CapacityCells, MeansAreThoseOfParametricLaws) {
  using boost::math::quadrature::gauss_kronrod;
  for (const char* text : {"exponential(rate=3)", "weibull(shape=0.4, scale=0.3)", "weibull(shape=3, scale=2)",
                           "lognormal(median=0.5, sigma=2)", "hyperexponential(p=0.3, rate1=50, rate2=0.2)"})
    for (const double startup : {0.0, 0.0001, 0.1}) {
      const double limit = 1.7;
      const RiskPtr law = risk(text);
      // Substituted so that a steep beginning does no harm.
      const double integral = gauss_kronrod<double, 61>::integrate(
          [&](double u) { return law->survival(startup + u * u * u) * 3 * u * u; }, 0.0, std::cbrt(limit), 12, 1e-13);
      EXPECT_NEAR(mean(*law, startup, limit), integral, 3e-11) << text << ' ' << startup;
    }
}

TEST(CapacityCells, MeansOfSteepLawsAreTheirsHoweverLongTheWorkload) {
  for (const double shape : {5.0, 20.0, 50.0, 1000.0})
    for (const double limit : {30.0, 200.0, 999.0, 1e6})
      EXPECT_NEAR(mean(*risk(fmt::format("weibull(shape={}, scale=1)", shape)), 0, limit), std::tgamma(1 + 1 / shape),
                  1e-12)
          << shape << ' ' << limit;
}

TEST(CapacityCells, SeeAFallAnywhereInACell) {
  for (const char* text : {"lognormal(median=0.4999999991, sigma=1e-13)", "lognormal(median=0.4999999, sigma=1e-12)",
                           "lognormal(median=0.50000000001, sigma=1e-14)"})
    EXPECT_NEAR(mean(*risk(text), 0, 1), risk(text)->quantile(0.5), 1e-10) << text;
}

}  // namespace
}  // namespace coterie
