#include "core/capacity_sum.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

RiskPtr jumps(std::vector<double> durations) { return std::make_shared<EmpiricalRisk>(std::move(durations), "t"); }

/// E[min(work, U_1 + ... + U_p)] of uniforms on (0, 1), by the moments of truncated powers [Irwin 1927, Hall 1927].
double of_uniforms(int p, double work) {
  double above = 0;  // E[(S - work)+]
  double binomial = 1;
  double factorial = 1;
  for (int i = 2; i <= p + 1; ++i) factorial *= i;
  for (int k = 0; k <= p; ++k) {
    if (work + k < p) above += (k % 2 == 0 ? 1 : -1) * binomial * std::pow(p - k - work, p + 1) / factorial;
    binomial = binomial * (p - k) / (k + 1);
  }
  return p / 2.0 - above;
}

TEST(CapacitySum, OfUniformsIsThatOfIrwinAndHall) {
  for (const int p : {1, 2, 3, 5, 12}) {
    CapacitySum sum({risk("linear(kappa=1)")}, static_cast<std::size_t>(p), 0, 1);
    EXPECT_NEAR(sum.mean().value, p / 2.0, 1e-12 * p);
    EXPECT_NEAR(sum.variance().value, p / 12.0, 1e-12 * p);
    for (const double share : {0.1, 0.37, 0.5, 0.8, 1.1}) {
      const BoundedNumber limited = sum.limited_mean(share * p);
      EXPECT_NEAR(limited.value, of_uniforms(p, share * p), limited.error) << p << ' ' << share;
      EXPECT_LT(limited.error, 5e-6 * p);
      // The bound is cautious: where the law is smooth, the value is far better.
      EXPECT_NEAR(limited.value, of_uniforms(p, share * p), 1e-7 * p) << p << ' ' << share;
    }
  }
}

/// How often some of `workers` draws of a grid of uniforms gets beyond the start-up.
double counted(const Risk& law, double startup, int workers) {
  constexpr int kDraws = 20'000;
  int within = 0;
  for (int i = 0; i < kDraws; ++i) within += law.quantile((i + 0.5) / kDraws) <= startup ? 1 : 0;
  return 1 - std::pow(static_cast<double>(within) / kDraws, workers);
}

TEST(CapacitySum, KnowsHowOftenThereIsAny) {
  for (const char* text : {"linear(kappa=1)", "exponential(rate=3)", "weibull(shape=0.4, scale=0.3)",
                           "hyperexponential(p=0.3, rate1=50, rate2=0.2)"})
    for (const double startup : {0.0001, 0.1, 0.7}) {
      const BoundedNumber any = CapacitySum({risk(text)}, 3, startup, 1).positive();
      EXPECT_NEAR(any.value, counted(*risk(text), startup, 3), 3.0 / 20'000) << text << ' ' << startup;
      EXPECT_LT(any.error, 1e-6);
    }
  EXPECT_EQ(CapacitySum({risk("linear(kappa=1)")}, 3, 1.5, 1).positive().value, 0);
}

TEST(CapacitySum, DoesNotKnowItWhereTheRiskJumpsAtTheStartup) {
  const auto trace = [](std::vector<double> durations) {
    return std::make_shared<EmpiricalRisk>(std::move(durations), "trace");
  };
  const RiskPtr jumps = trace({0.05, 0.1, 0.1, 0.8});
  EXPECT_TRUE(std::isnan(CapacitySum({jumps}, 2, 0.1, 1).positive().value));
  EXPECT_TRUE(std::isnan(CapacitySum({jumps}, 2, std::nextafter(0.1, 1), 1).positive().value));
  for (const double startup : {0.09, 0.11, 0.5}) {
    const BoundedNumber any = CapacitySum({jumps}, 2, startup, 1).positive();
    EXPECT_NEAR(any.value, counted(*jumps, startup, 2), any.error + 1e-12) << startup;
  }
  EXPECT_TRUE(std::isnan(CapacitySum({trace({0, 0, 0.5, 1})}, 2, 0, 1).positive().value));  // nothing at all, in half
  const RiskPtr aged = std::make_shared<AgedRisk>(trace({100, 100.25, 200, 300}), 100, "aged");
  EXPECT_TRUE(std::isnan(CapacitySum({aged}, 2, 0, 1).positive().value));
  EXPECT_TRUE(std::isnan(CapacitySum({aged}, 2, 0.25, 1).positive().value));
}

/// Moments of min(limit, max(0, T - startup)) as integrals over the survival, to all digits.
TEST(CapacitySum, MomentsAreThoseOfParametricLaws) {
  using boost::math::quadrature::gauss_kronrod;
  for (const char* text : {"exponential(rate=3)", "weibull(shape=0.4, scale=0.3)", "weibull(shape=3, scale=2)",
                           "lognormal(median=0.5, sigma=2)", "hyperexponential(p=0.3, rate1=50, rate2=0.2)"})
    for (const double startup : {0.0, 0.0001, 0.1}) {
      const double limit = 1.7;
      const RiskPtr law = risk(text);
      const CapacitySum sum({law}, 3, startup, limit);
      const auto integral = [&](const auto& function) {
        // Substituted so that a steep beginning does no harm.
        return gauss_kronrod<double, 61>::integrate([&](double u) { return function(u * u * u) * 3 * u * u; }, 0.0,
                                                    std::cbrt(limit), 12, 1e-13);
      };
      const double mean = integral([&](double x) { return law->survival(startup + x); });
      const double square = integral([&](double x) { return 2 * x * law->survival(startup + x); });
      EXPECT_NEAR(sum.mean().value, 3 * mean, 1e-10) << text << ' ' << startup;
      EXPECT_NEAR(sum.variance().value, 3 * (square - mean * mean), 1e-10) << text << ' ' << startup;
    }
}

TEST(CapacitySum, MomentsOfSteepLawsAreTheirsHoweverLongTheWorkload) {
  for (const double shape : {5.0, 20.0, 50.0, 1000.0})
    for (const double limit : {30.0, 200.0, 999.0, 1e6}) {
      const CapacitySum sum({risk(fmt::format("weibull(shape={}, scale=1)", shape))}, 1, 0, limit);
      const double mean = std::tgamma(1 + 1 / shape);
      EXPECT_NEAR(sum.mean().value, mean, 1e-12) << shape << ' ' << limit;
      EXPECT_NEAR(sum.variance().value, std::tgamma(1 + 2 / shape) - mean * mean, 1e-12) << shape << ' ' << limit;
    }
  CapacitySum ten({risk("weibull(shape=1000, scale=1)")}, 10, 0, 20);
  const BoundedNumber limited = ten.limited_mean(20);
  EXPECT_NEAR(limited.value, 10 * std::tgamma(1.001), limited.error);
}

/// E[f(parts)] of a few durations each, by enumeration.
double enumerate(const std::vector<std::vector<std::pair<double, double>>>& parts,
                 const std::function<double(double)>& f, std::size_t at = 0, double sum = 0) {
  if (at == parts.size()) return f(sum);
  double mean = 0;
  for (const auto& [value, weight] : parts[at]) mean += weight * enumerate(parts, f, at + 1, sum + value);
  return mean;
}

TEST(CapacitySum, OfTracesAgesClassesAndWorkersThatAreNeverInterruptedIsThatByEnumeration) {
  const double startup = 0.25;
  const double limit = 3;
  const RiskPtr trace = jumps({0.1, 0.75, 0.75, 2.5});
  const auto rarely = std::make_shared<EmpiricalRisk>(
      StepLaw{std::vector<double>{0.5, 1.5}, std::vector<double>{0.25, 0.25}}, "rarely");
  const RiskPtr aged = std::make_shared<AgedRisk>(trace, 0.25, "aged");
  const RiskPtr mixed =
      std::make_shared<MixtureRisk>(std::vector<RiskPtr>{trace, rarely}, std::vector<double>{1, 1}, "m");
  const std::vector<std::pair<double, double>> of_trace = {{0, 0.25}, {0.5, 0.5}, {2.25, 0.25}};
  const std::vector<std::pair<double, double>> of_rarely = {{0.25, 0.25}, {1.25, 0.25}, {3, 0.5}};
  const std::vector<std::pair<double, double>> of_aged = {{0.25, 2.0 / 3}, {2, 1.0 / 3}};
  std::vector<std::pair<double, double>> of_mixed;
  for (const auto& one : {of_trace, of_rarely})
    for (const auto& [value, weight] : one) of_mixed.emplace_back(value, weight / 2);
  CapacitySum sum({trace, rarely, aged, mixed, trace}, 5, startup, limit);

  const std::vector<std::vector<std::pair<double, double>>> parts = {of_trace, of_rarely, of_aged, of_mixed, of_trace};
  const double mean = enumerate(parts, [](double s) { return s; });
  EXPECT_NEAR(sum.mean().value, mean, 1e-12);
  EXPECT_NEAR(sum.variance().value, enumerate(parts, [&](double s) { return (s - mean) * (s - mean); }), 1e-11);
  for (const double work : {0.3, 1.0, 2.0, 3.0}) {
    const BoundedNumber limited = sum.limited_mean(work);
    EXPECT_NEAR(limited.value, enumerate(parts, [&](double s) { return std::min(work, s); }), limited.error) << work;
    EXPECT_LT(limited.error, 1e-4);
  }
}

TEST(CapacitySum, ALongWorkloadIsNoLimitAndNobodyThereIsNothing) {
  CapacitySum sum({risk("linear(kappa=2)")}, 4, 0.1, 10);
  EXPECT_NEAR(sum.limited_mean(5).value, 4 * 0.4 * 0.4, 1e-12);  // E max(0, T - 0.1) = (0.5 - 0.1)^2
  CapacitySum nothing({risk("linear(kappa=2)")}, 4, 0.5, 10);
  EXPECT_EQ(nothing.positive().value, 0);
  EXPECT_EQ(nothing.mean().value, 0);
  EXPECT_EQ(nothing.variance().value, 0);
  EXPECT_EQ(nothing.limited_mean(1).value, 0);
}

TEST(CapacitySum, SeesAFallAnywhereInACell) {
  for (const char* text : {"lognormal(median=0.4999999991, sigma=1e-13)", "lognormal(median=0.4999999, sigma=1e-12)",
                           "lognormal(median=0.50000000001, sigma=1e-14)"}) {
    const CapacitySum sum({risk(text)}, 1, 0, 1);
    EXPECT_NEAR(sum.mean().value, risk(text)->quantile(0.5), sum.mean().error) << text;
  }
}

TEST(CapacitySum, OfThousandsOfDistinctRisksMakesNoLattice) {
  constexpr std::size_t kWorkers = 3000;
  std::vector<RiskPtr> risks;
  for (std::size_t i = 0; i < kWorkers; ++i) risks.push_back(make_linear_risk());
  CapacitySum distinct(risks, kWorkers, 0.01, 1);
  CapacitySum alike({risk("linear")}, kWorkers, 0.01, 1);
  for (const double share : {0.1, 0.45, 0.49, 0.5, 0.7}) {
    const double work = share * kWorkers;
    const BoundedNumber bounded = distinct.limited_mean(work);
    EXPECT_EQ(distinct.kept_points(), 0u);
    EXPECT_NEAR(bounded.value, alike.limited_mean(work).value, bounded.error) << share;
    EXPECT_LT(bounded.error, 0.005 * work) << share;
  }
}

TEST(CapacitySum, AnswersDoNotDependOnWhatWasAskedBefore) {
  const std::vector<double> works = {20, 3, 11, 0.5, 7.5};
  CapacitySum forth({risk("weibull(shape=0.5, scale=0.4)")}, 20, 0.01, 20);
  CapacitySum back({risk("weibull(shape=0.5, scale=0.4)")}, 20, 0.01, 20);
  std::vector<double> one;
  std::vector<double> other;
  for (std::size_t i = 0; i < works.size(); ++i) {
    one.push_back(forth.limited_mean(works[i]).value);
    other.insert(other.begin(), back.limited_mean(works[works.size() - 1 - i]).value);
  }
  EXPECT_EQ(one, other);
}

TEST(CapacitySum, ManyWorkersOfHeavyTails) {
  const RiskPtr heavy = risk("weibull(shape=0.5, scale=0.05)");
  CapacitySum sum({heavy}, 100, 0.001, 10);
  const BoundedNumber limited = sum.limited_mean(10);
  EXPECT_LT(limited.error, 5e-5);
  EXPECT_LE(limited.value, std::min(10.0, sum.mean().value) + limited.error);
  // Hoeffding's bound of 20000 sums, false alarm 1e-9.
  std::mt19937 random(1);
  double total = 0;
  constexpr int kSums = 20'000;
  for (int i = 0; i < kSums; ++i) {
    double s = 0;
    for (int w = 0; w < 100; ++w)
      s += std::clamp(heavy->quantile((static_cast<double>(random()) + 0.5) * 0x1p-32) - 0.001, 0.0, 10.0);
    total += std::min(10.0, s);
  }
  EXPECT_NEAR(total / kSums, limited.value, 10 * std::sqrt(std::log(2e9) / (2.0 * kSums)));
}

}  // namespace
}  // namespace coterie
