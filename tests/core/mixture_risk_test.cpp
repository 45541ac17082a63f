#include "core/mixture_risk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

RiskPtr jumps(std::vector<double> durations) { return std::make_shared<EmpiricalRisk>(std::move(durations), "t"); }

TEST(MixtureRisk, OfExponentialsIsTheHyperexponential) {
  const MixtureRisk mixture({risk("exponential(rate=4)"), risk("exponential(rate=0.2)")}, {0.6, 1.4}, "mix");
  const RiskPtr law = risk("hyperexponential(p=0.3, rate1=4, rate2=0.2)");
  for (const double t : {0.001, 0.1, 1.0, 7.0, 200.0}) {
    EXPECT_NEAR(mixture.probability(t), law->probability(t), 1e-15) << t;
    EXPECT_NEAR(mixture.survival(t) / law->survival(t), 1, 1e-13) << t;
    EXPECT_NEAR(mixture.density(t), law->density(t), 1e-14) << t;
  }
  for (const double u : {1e-6, 0.2, 0.5, 0.9, 1 - 1e-6})
    EXPECT_NEAR(mixture.quantile(u) / law->quantile(u), 1, 1e-9) << u;
  EXPECT_EQ(mixture.text(), "mix");
}

TEST(MixtureRisk, OfTracesIsTheTraceOfAllTheirIntervals) {
  // Equal weights of equal numbers: exactly the pooled intervals, jumps and quantiles included.
  const std::vector<double> a = {1, 3, 3, 8};
  const std::vector<double> b = {0, 2, 3, 5};
  std::vector<double> all = a;
  all.insert(all.end(), b.begin(), b.end());
  const MixtureRisk mixture({jumps(a), jumps(b)}, {7, 7}, "mix");
  const RiskPtr pooled = jumps(all);
  for (double t = -1; t < 10; t += 0.25) EXPECT_EQ(mixture.probability(t), pooled->probability(t)) << t;
  for (int i = 0; i <= 64; ++i) EXPECT_EQ(mixture.quantile(i / 64.0), pooled->quantile(i / 64.0)) << i;
  EXPECT_EQ(mixture.horizon(), 8);
}

TEST(MixtureRisk, IsInfiniteWhereAClassIsNeverInterrupted) {
  const auto rarely = std::make_shared<EmpiricalRisk>(StepLaw{std::vector<double>{1}, std::vector<double>{0.5}}, "t");
  const MixtureRisk mixture({rarely, risk("linear")}, {1, 1}, "mix");
  EXPECT_TRUE(std::isinf(mixture.horizon()));
  EXPECT_TRUE(std::isinf(mixture.quantile(0.8)));
  EXPECT_EQ(mixture.quantile(0.75), 1);
  EXPECT_NEAR(mixture.quantile(0.25), 0.5, 1e-15);
}

TEST(MixtureRisk, RefusesWeightsThatAreNone) {
  EXPECT_THROW(MixtureRisk({}, {}, "mix"), InputError);
  EXPECT_THROW(MixtureRisk({risk("linear")}, {0}, "mix"), InputError);
  EXPECT_THROW(MixtureRisk({risk("linear")}, {-1}, "mix"), InputError);
  EXPECT_THROW(MixtureRisk({risk("linear")}, {std::nan("")}, "mix"), InputError);
}

}  // namespace
}  // namespace coterie
