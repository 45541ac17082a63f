#include "core/risk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"
#include "core/stream.hpp"
#include "core/ties.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

const char* const kRisks[] = {"linear",
                              "linear(kappa=2)",
                              "exponential(rate=3)",
                              "weibull(shape=0.5, scale=2)",
                              "weibull(shape=3, scale=1)",
                              "lognormal(median=84, sigma=2)",
                              "hyperexponential(p=0.3, rate1=10, rate2=0.1)"};

TEST(Risk, EveryRowIsTestedHere) {
  for (const RiskKind& kind : parametric_risks())
    EXPECT_TRUE(std::any_of(std::begin(kRisks), std::end(kRisks), [&](const char* text) {
      return expression_name(text) == kind.name;
    })) << kind.name;
}

TEST(Risk, QuantileInvertsProbability) {
  for (const char* text : kRisks)
    for (const double u : {1e-9, 0.01, 0.3, 0.5, 0.77, 0.999, 1 - 1e-9}) {
      const RiskPtr law = risk(text);
      EXPECT_NEAR(law->probability(law->quantile(u)), u, 1e-12) << text << " at " << u;
    }
}

TEST(Risk, SurvivalAndDensityBelongToProbability) {
  for (const char* text : kRisks)
    for (const double u : {0.01, 0.3, 0.5, 0.77, 0.99}) {
      const RiskPtr law = risk(text);
      const double t = law->quantile(u);
      const double h = 1e-4 * t;
      const double slope = (law->probability(t + h) - law->probability(t - h)) / (2 * h);
      EXPECT_NEAR(law->survival(t) + law->probability(t), 1, 1e-15) << text << " at " << u;
      EXPECT_NEAR(law->density(t) / slope, 1, 1e-6) << text << " at " << u;
    }
}

TEST(Risk, HasADensityAlsoWhereItIsSteep) {
  for (const char* text : {"weibull(shape=1000, scale=0.4)", "weibull(shape=1000, scale=0.4937)",
                           "weibull(shape=100, scale=1e-5)", "weibull(shape=2)"})
    EXPECT_TRUE(risk(text)->has_density()) << text;
  EXPECT_FALSE(EmpiricalRisk({1, 2}, "two").has_density());
}

TEST(Risk, SurvivalKeepsItsDigitsInTheTail) {
  EXPECT_DOUBLE_EQ(risk("exponential(rate=3)")->survival(30), std::exp(-90.0));
  EXPECT_EQ(risk("linear(kappa=2)")->survival(1), 0.0);
}

TEST(Risk, OnlyLinearRiskHasALinearRate) {
  EXPECT_EQ(risk("linear(kappa=1/3)")->linear_rate(), 1.0 / 3);
  EXPECT_FALSE(risk("exponential")->linear_rate());
}

TEST(Risk, HasTheValuesOfItsFormula) {
  EXPECT_DOUBLE_EQ(risk("linear(kappa=2)")->probability(0.25), 0.5);
  EXPECT_EQ(risk("linear")->probability(1.5), 1.0);
  EXPECT_EQ(risk("linear")->probability(-1), 0.0);
  EXPECT_DOUBLE_EQ(risk("exponential(rate=3)")->probability(1), 1 - std::exp(-3.0));
  EXPECT_DOUBLE_EQ(risk("weibull(shape=0.5, scale=4)")->probability(1), 1 - std::exp(-0.5));
  EXPECT_DOUBLE_EQ(risk("lognormal(median=84, sigma=2)")->probability(84), 0.5);
  EXPECT_DOUBLE_EQ(risk("hyperexponential(p=0.25, rate1=1, rate2=2)")->probability(1),
                   1 - 0.25 * std::exp(-1.0) - 0.75 * std::exp(-2.0));
}

TEST(Risk, KnowsWhenInterruptionIsCertain) {
  EXPECT_EQ(risk("linear(kappa=4)")->horizon(), 0.25);
  EXPECT_EQ(risk("exponential")->horizon(), kInfinity);
  EXPECT_NEAR(risk("exponential")->effective_horizon(), std::log(1e6), 1e-6);
}

TEST(Risk, WritesTheExpressionThatMakesItAgain) {
  for (const char* text : kRisks) EXPECT_EQ(risk(risk(text)->text().c_str())->text(), risk(text)->text());
}

TEST(Risk, RefusesUnknownNamesAndImpossibleValues) {
  for (const char* text : {"linaer", "linear(kappa=0)", "linear(rate=1)", "weibull(shape=-1)", "exponential(rate=x)",
                           "hyperexponential(p=2, rate1=1, rate2=1)", "hyperexponential(p=0.5)", "lognormal(sigma=0)"})
    EXPECT_THROW(risk(text), InputError) << text;
}

TEST(EmpiricalRisk, CountsTheStrictlyShorterIntervals) {
  const EmpiricalRisk trace({3, 1, 2, 2}, "t");

  EXPECT_EQ(trace.probability(1), 0.0);
  EXPECT_EQ(trace.probability(1.0000001), 0.25);
  EXPECT_EQ(trace.probability(2), 0.25);
  EXPECT_EQ(trace.probability(3), 0.75);
  EXPECT_EQ(trace.probability(3.1), 1.0);
}

TEST(EmpiricalRisk, QuantileIsTheCeilingOfLambdaN) {
  const EmpiricalRisk trace({10, 20, 30, 40}, "t");

  EXPECT_EQ(trace.quantile(0.25), 10.0);
  EXPECT_EQ(trace.quantile(0.2500001), 20.0);
  EXPECT_EQ(trace.quantile(1), 40.0);
  EXPECT_EQ(trace.horizon(), 40.0);
}

TEST(EmpiricalRisk, AgreesWithCountingOnManyTimes) {
  std::vector<double> durations;
  Stream stream(StreamKey::derive(5, 6, Use::kSchedule), 0, 0);
  for (int i = 0; i < 777; ++i) durations.push_back(std::floor(-std::log(to_uniform(stream())) * 50));
  const EmpiricalRisk trace(durations, "t");

  for (double t = -1; t < 600; t += 0.5) {
    const auto shorter = std::count_if(durations.begin(), durations.end(), [t](double d) { return d < t; });
    ASSERT_EQ(trace.probability(t), static_cast<double>(shorter) / 777) << t;
  }
  std::sort(durations.begin(), durations.end());
  for (int i = 0; i < 777; ++i) ASSERT_EQ(trace.quantile((i + 0.5) / 777), durations[static_cast<std::size_t>(i)]);
}

// Look-ups go by exponent and mantissa: durations over all of the range of doubles, and times at and beside them.
TEST(EmpiricalRisk, AgreesWithCountingWhereDurationsAreOfAnyMagnitude) {
  Stream stream(StreamKey::derive(5, 7, Use::kSchedule), 0, 0);
  const std::vector<double> odd = {0.0, -0.0, 5e-324, 1e-310, 1e308};
  for (int round = 0; round < 300; ++round) {
    std::vector<double> durations;
    const double decades = std::vector<double>{0, 1, 30, 600}[round % 4];
    for (int i = 1 + round % 50; i > 0; --i)
      durations.push_back(std::pow(10.0, decades * (to_uniform(stream()) - 0.5)));
    if (round % 3 == 0) durations.push_back(odd[static_cast<std::size_t>(round / 3) % odd.size()]);
    const EmpiricalRisk trace(durations, "t");
    std::vector<double> times = {0.0, kInfinity};
    for (const double duration : durations)
      for (const double time : {duration, std::nextafter(duration, 0.0), std::nextafter(duration, 1.7e308),
                                duration / 3, just_after(duration), std::nextafter(just_after(duration), kInfinity)})
        times.push_back(time);
    for (const double time : times) {
      const auto shorter =
          std::count_if(durations.begin(), durations.end(), [&](double d) { return just_after(d) < time; });
      ASSERT_DOUBLE_EQ(trace.probability(time), static_cast<double>(shorter) / static_cast<double>(durations.size()))
          << "round " << round << ", time " << time;
    }
  }
}

// Draws of equally likely durations are looked up without a search: at quotients i / n, however they are rounded,
// beside them, and anywhere. Some durations are alike.
TEST(EmpiricalRisk, DrawsWhatQuantilesAre) {
  Stream stream(StreamKey::derive(5, 8, Use::kSchedule), 0, 0);
  for (int count : {1, 2, 3, 7, 10, 49, 85, 100, 777, 1000, 4096, 20001}) {
    std::vector<double> durations;
    for (int i = 0; i < count; ++i) durations.push_back(std::floor(to_uniform(stream()) * 2 * count));
    const EmpiricalRisk trace(durations, "t");
    std::vector<double> uniforms = {0, 1};
    for (int i = 0; i <= count; ++i) {
      const double quotient = static_cast<double>(i) / count;
      for (const double u : {quotient, std::nextafter(quotient, 0.0), std::nextafter(quotient, 2.0)})
        if (u <= 1) uniforms.push_back(u);
      uniforms.push_back(to_uniform(stream()));
    }
    std::vector<double> drawn(uniforms.size());
    trace.sample(uniforms, drawn);
    for (std::size_t i = 0; i < uniforms.size(); ++i)
      ASSERT_EQ(drawn[i], trace.quantile(uniforms[i])) << count << ' ' << uniforms[i];
  }
}

TEST(EmpiricalRisk, LeavesTheMassThatKaplanMeierDoesNotPlace) {
  const EmpiricalRisk trace(StepLaw{{1, 5}, {0.25, 0.25}}, "km");

  EXPECT_EQ(trace.probability(100), 0.5);
  EXPECT_EQ(trace.quantile(0.5), 5.0);
  EXPECT_EQ(trace.quantile(0.51), kInfinity);
}

TEST(EmpiricalRisk, OfManyWeightsThatAddUpToOneIsWhole) {
  for (const std::size_t count : {50'000u, 99'999u, 100'000u, 200'000u}) {
    std::vector<double> durations(count);
    for (std::size_t i = 0; i < count; ++i) durations[i] = static_cast<double>(i + 1);
    const EmpiricalRisk risk(StepLaw{durations, std::vector<double>(count, 1.0 / static_cast<double>(count))},
                             "weights");
    EXPECT_EQ(risk.horizon(), durations.back()) << count;
  }
}

TEST(EmpiricalRisk, HasAFiniteEffectiveHorizonWhereMassIsLeft) {
  const EmpiricalRisk risk(StepLaw{{1, 2, 5}, {0.2, 0.2, 0.2}}, "t");
  EXPECT_TRUE(std::isinf(risk.horizon()));
  EXPECT_EQ(risk.effective_horizon(), 5);
}

TEST(EmpiricalRisk, TakesASingleZeroDuration) {
  const EmpiricalRisk trace({0}, "zero");

  EXPECT_EQ(trace.probability(0), 0.0);
  EXPECT_EQ(trace.probability(1e-300), 1.0);
  EXPECT_EQ(trace.quantile(0.5), 0.0);
}

// Kolmogorov-Smirnov distance of 100,000 inverted uniforms, bound by DKW: 2 exp(-2 n d^2) = 1e-7.
TEST(Risk, SamplesItsOwnLaw) {
  constexpr std::size_t kCount = 100000;
  const double bound = std::sqrt(std::log(2 / 1e-7) / (2.0 * kCount));
  std::vector<double> times(kCount);
  std::size_t law_number = 0;
  for (const char* text : kRisks) {
    const RiskPtr law = risk(text);
    worker_uniforms(StreamKey::derive(2013, ++law_number, Use::kInterruption), 0, times);
    law->sample(times, times);
    std::sort(times.begin(), times.end());
    double distance = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      const double exact = law->probability(times[i]);
      distance =
          std::max({distance, exact - static_cast<double>(i) / kCount, static_cast<double>(i + 1) / kCount - exact});
    }
    EXPECT_LT(distance, bound) << text;
  }
}

}  // namespace
}  // namespace coterie
