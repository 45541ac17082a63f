#include "traces/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "core/risk.hpp"
#include "core/stream.hpp"

namespace coterie::traces {
namespace {

using Parameters = std::map<std::string, double>;

/// Density and tail of the four laws, written down again for the test.
struct Law {
  std::function<double(const Parameters&, double)> density;
  std::function<double(const Parameters&, double)> tail;
};

const std::map<std::string, Law>& laws() {
  static const std::map<std::string, Law> table = {
      {"exponential",
       {[](const Parameters& p, double t) { return p.at("rate") * std::exp(-p.at("rate") * t); },
        [](const Parameters& p, double t) { return std::exp(-p.at("rate") * t); }}},
      {"weibull",
       {[](const Parameters& p, double t) {
          const double k = p.at("shape"), x = t / p.at("scale");
          return k / p.at("scale") * std::pow(x, k - 1) * std::exp(-std::pow(x, k));
        },
        [](const Parameters& p, double t) { return std::exp(-std::pow(t / p.at("scale"), p.at("shape"))); }}},
      {"lognormal",
       {[](const Parameters& p, double t) {
          const double s = p.at("sigma"), z = std::log(t / p.at("median")) / s;
          return std::exp(-z * z / 2) / (t * s * std::sqrt(2 * M_PI));
        },
        [](const Parameters& p, double t) {
          return std::erfc(std::log(t / p.at("median")) / p.at("sigma") / std::sqrt(2.0)) / 2;
        }}},
      {"hyperexponential",
       {[](const Parameters& p, double t) {
          const double a = p.at("rate1"), b = p.at("rate2");
          return p.at("p") * a * std::exp(-a * t) + (1 - p.at("p")) * b * std::exp(-b * t);
        },
        [](const Parameters& p, double t) {
          return p.at("p") * std::exp(-p.at("rate1") * t) + (1 - p.at("p")) * std::exp(-p.at("rate2") * t);
        }}},
  };
  return table;
}

double log_likelihood(const std::string& name, const Parameters& parameters, const Durations& durations) {
  double sum = 0;
  for (const Duration& d : durations.values())
    sum += std::log((d.observed ? laws().at(name).density : laws().at(name).tail)(parameters, d.value)) -
           std::log(laws().at(name).tail(parameters, d.entry));
  return sum;
}

Parameters parameters_of(const FittedLaw& law) { return {law.parameters.begin(), law.parameters.end()}; }

const FittedLaw& named(const std::vector<FittedLaw>& fitted, const std::string& name) {
  for (const FittedLaw& law : fitted)
    if (law.name == name) return law;
  throw std::logic_error(name);
}

/// `count` draws of `risk`, each cut at its own draw of an exponential with rate `censoring` where that is above 0.
/// Every second one had reached an age up to `latest_entry` before it was observed.
Durations draw(const std::string& risk, std::size_t count, double censoring, std::uint32_t number,
               double latest_entry = 0) {
  const RiskPtr law = make_parametric_risk(Expression::parse(risk));
  Stream stream(StreamKey::derive(3, 4, Use::kPlatform), 0, number);
  std::vector<Duration> values;
  for (std::size_t i = 0; i < count; ++i) {
    double life = law->quantile(to_uniform(stream()));
    const double uniform = to_uniform(stream());
    const double watched = censoring > 0 ? -std::log(uniform) / censoring : 1e300;
    const double entry = latest_entry > 0 && i % 2 == 1 ? latest_entry * to_uniform(stream()) : 0;
    while (entry > 0 && life <= entry) life = law->quantile(to_uniform(stream()));
    values.push_back({std::min(life, entry + watched), life <= entry + watched, entry});
  }
  return Durations(values);
}

struct Case {
  std::string risk;
  double censoring;
  double latest_entry = 0;
};

const std::vector<Case> kCases = {
    {"exponential(rate=0.001)", 0},
    {"exponential(rate=0.001)", 0.002},
    {"weibull(shape=0.5, scale=1e6)", 0},
    {"weibull(shape=0.5, scale=1e6)", 1e-6},
    {"weibull(shape=3, scale=2)", 1.5},
    {"lognormal(median=100, sigma=2)", 0},
    {"lognormal(median=100, sigma=2)", 0.02},
    {"hyperexponential(p=0.7, rate1=1, rate2=0.01)", 0},
    {"hyperexponential(p=0.7, rate1=1, rate2=0.01)", 0.05},
    {"exponential(rate=0.001)", 0.0005, 800},
    {"weibull(shape=0.5, scale=100)", 0, 30},
    {"weibull(shape=3, scale=2)", 0.2, 1.5},
    {"lognormal(median=100, sigma=1)", 0.002, 90},
    {"hyperexponential(p=0.7, rate1=1, rate2=0.01)", 0.001, 5},
};

TEST(Fit, StandsOnTopOfTheLikelihoodWhateverTheData) {
  for (std::uint32_t number = 0; number < kCases.size(); ++number) {
    SCOPED_TRACE(kCases[number].risk + ", censored at rate " + std::to_string(kCases[number].censoring));
    const Durations durations =
        draw(kCases[number].risk, 500, kCases[number].censoring, number, kCases[number].latest_entry);
    for (const FittedLaw& law : fit_laws(durations)) {
      SCOPED_TRACE(law.name);
      if (law.name == "hyperexponential" && !law.problem.empty()) continue;
      ASSERT_EQ(law.problem, "");
      const Parameters best = parameters_of(law);
      const double top = log_likelihood(law.name, best, durations);
      EXPECT_NEAR(law.log_likelihood, top, 1e-9 * std::abs(top));
      // Every parameter alone and every pair of them, a little up and down: no step may climb.
      for (const auto& [first, value] : best)
        for (const auto& [second, other] : best)
          for (const double a : {0.999, 1.001})
            for (const double b : {0.998, 1.0, 1.002}) {
              Parameters moved = best;
              moved[first] *= a;
              if (second != first) moved[second] *= b;
              if (moved.contains("p") && moved["p"] > 1) continue;
              EXPECT_LE(log_likelihood(law.name, moved, durations), top + 1e-7 * std::abs(top))
                  << first << " * " << a << ", " << second << " * " << b;
            }
    }
  }
}

TEST(Fit, IsNeverBelowItsSpecialCaseThoughEarlyEndsWereNotSeen) {
  std::vector<Duration> values;
  for (int i = 0; i < 100; ++i) values.push_back({1 + i / 50.0, false});
  for (int i = 1; i <= 100; ++i) values.push_back({360.0 * i + 3240, true});
  const std::vector<FittedLaw> laws = fit_laws(Durations(values));
  ASSERT_EQ(laws.front().name, "exponential");
  ASSERT_EQ(laws.back().name, "hyperexponential");
  ASSERT_EQ(laws.back().problem, "");
  EXPECT_GE(laws.back().log_likelihood, laws.front().log_likelihood - 1e-6);
}

TEST(Fit, FindsTheLawThatMadeTheData) {
  // Bounds of 6 standard errors of the maximum-likelihood estimates (false alarm below 1e-8 each).
  const std::size_t n = 20000;
  const Durations weibull = draw("weibull(shape=0.5, scale=1000)", n, 0, 100);
  const Parameters w = parameters_of(named(fit_laws(weibull), "weibull"));
  EXPECT_NEAR(w.at("shape") / 0.5, 1, 6 * 0.78 / std::sqrt(n));
  EXPECT_NEAR(w.at("scale") / 1000, 1, 6 * 1.053 / 0.5 / std::sqrt(n));
  const Durations lognormal = draw("lognormal(median=7, sigma=1.5)", n, 0, 101);
  const Parameters l = parameters_of(named(fit_laws(lognormal), "lognormal"));
  EXPECT_NEAR(std::log(l.at("median") / 7), 0, 6 * 1.5 / std::sqrt(n));
  EXPECT_NEAR(l.at("sigma") / 1.5, 1, 6 / std::sqrt(2.0 * n));
  // Two thirds of these exponential lifetimes are censored; ignoring that would give three times the rate's inverse.
  const Durations censored = draw("exponential(rate=0.001)", n, 0.002, 102);
  const double observed = static_cast<double>(censored.observed());
  EXPECT_NEAR(parameters_of(named(fit_laws(censored), "exponential")).at("rate") / 0.001, 1, 6 / std::sqrt(observed));
}

TEST(Fit, ScalesWithTheUnitOfTime) {
  const Durations durations = draw("lognormal(median=100, sigma=2)", 300, 0.01, 200);
  const auto seconds = fit_laws(durations);
  const auto hours = fit_laws(durations.divided(3600));
  EXPECT_NEAR(parameters_of(named(seconds, "weibull")).at("scale"),
              3600 * parameters_of(named(hours, "weibull")).at("scale"), 1e-6);
  EXPECT_NEAR(parameters_of(named(seconds, "lognormal")).at("sigma"),
              parameters_of(named(hours, "lognormal")).at("sigma"), 1e-9);
  for (const FittedLaw& law : seconds) EXPECT_NEAR(law.ks, named(hours, law.name).ks, 1e-6) << law.name;
}

TEST(Fit, OfferAReadableRiskWithTheSameParameters) {
  const Durations durations = draw("weibull(shape=0.5, scale=1e6)", 100, 0, 300);
  for (const FittedLaw& law : fit_laws(durations)) {
    const RiskPtr risk = make_parametric_risk(Expression::parse(law.risk));
    EXPECT_EQ(risk->text(), law.risk);
    for (const auto& [name, value] : law.parameters) EXPECT_EQ(Expression::parse(law.risk).number(name), value);
  }
}

TEST(Fit, MeasuresTheKolmogorovSmirnovDistance) {
  // One duration of 1: the exponential fit has rate 1, and the distance at the jump is max(1 - 1/e, 1/e).
  const auto fitted = fit_laws(Durations({{1, true}}));
  EXPECT_NEAR(named(fitted, "exponential").ks, 1 - std::exp(-1.0), 1e-15);
  // Two phases are no better than one here, and a Weibull or lognormal law would shrink to a point.
  EXPECT_NE(named(fitted, "weibull").problem, "");
  EXPECT_NE(named(fitted, "lognormal").problem, "");
  EXPECT_EQ(named(fitted, "weibull").risk, "");
}

TEST(Fit, LeavesZerosOutOfAllLaws) {
  const auto with = fit_laws(Durations({{0, true}, {1, true}, {0, false}, {3, true}, {2, true}}));
  const auto without = fit_laws(Durations({{1, true}, {3, true}, {2, true}}));
  for (const FittedLaw& law : without) EXPECT_EQ(named(with, law.name).log_likelihood, law.log_likelihood) << law.name;
}

TEST(Fit, NeedsAnInterruption) { EXPECT_THROW(fit_laws(Durations({{1, false}, {0, true}})), InputError); }

TEST(Fit, StandsExtremeScales) {
  for (const double unit : {1e-200, 1e200}) {
    const auto fitted = fit_laws(Durations({{1 * unit, true}, {2 * unit, false}, {5 * unit, true}, {7 * unit, true}}));
    for (const FittedLaw& law : fitted) {
      EXPECT_EQ(law.problem, "") << law.name;
      EXPECT_TRUE(std::isfinite(law.log_likelihood)) << law.name;
    }
  }
}

// The shorter and the longer half have the same total time, so that a start by halves has equal rates.
TEST(Fit, FindsTwoRatesInTies) {
  std::vector<Duration> values(90, {1, true});
  values.insert(values.end(), 10, {9, true});
  const Durations durations(std::move(values));
  const Parameters better = {{"p", 0.84}, {"rate1", 0.981}, {"rate2", 0.17}};

  std::size_t found = 0;
  for (const FittedLaw& law : fit_laws(durations)) {
    if (law.name != "hyperexponential") continue;
    ++found;
    EXPECT_GE(law.log_likelihood, log_likelihood(law.name, better, durations));
  }
  EXPECT_EQ(found, 1u);
}

/// The highest of many climbs, each by ever smaller steps in any direction from a start of its own.
double highest(const Durations& durations, Stream& stream) {
  const auto at = [&](const std::array<double, 3>& x) {
    const double p = 1 / (1 + std::exp(-x[0])), a = std::exp(x[1]), b = std::exp(x[2]);
    double value = 0;
    for (const Duration& d : durations.values())
      value += std::log(p * (d.observed ? a : 1) * std::exp(-a * d.value) +
                        (1 - p) * (d.observed ? b : 1) * std::exp(-b * d.value));
    return std::isfinite(value) ? value : -1e300;
  };
  const double scale = -std::log(durations.median());
  double best = -1e300;
  for (int start = 0; start < 20; ++start) {
    std::array<double, 3> x = {8 * to_uniform(stream()) - 4, scale + 10 * to_uniform(stream()) - 4,
                               scale + 6 * to_uniform(stream()) - 4};
    double value = at(x);
    for (double step = 1; step > 1e-4;) {
      bool climbed = false;
      for (int attempt = 0; attempt < 12; ++attempt) {
        auto other = x;
        for (double& one : other) one += step * (2 * to_uniform(stream()) - 1);
        const double there = at(other);
        if (there <= value) continue;
        x = other;
        value = there;
        climbed = true;
      }
      if (!climbed) step /= 2;
    }
    best = std::max(best, value);
  }
  return best;
}

TEST(Fit, FindsTheHighestOfSeveralMaximaOfTwoPhases) {
  const auto fitted = [](const Durations& durations) { return named(fit_laws(durations), "hyperexponential"); };
  const Durations reported({{10187.1, false},
                            {14372.3, true},
                            {6355.88, true},
                            {60268.4, true},
                            {17876.3, false},
                            {47592.4, false},
                            {25452.2, false},
                            {109.949, true},
                            {26914.3, false},
                            {23530.7, false}});
  EXPECT_GE(fitted(reported).log_likelihood, -45.692);
  for (std::uint32_t number = 0; number < 18; ++number) {
    const Durations durations = draw(kCases[number % 9].risk, 10 + number, kCases[number % 9].censoring, 100 + number);
    if (durations.observed() == 0) continue;
    const FittedLaw law = fitted(durations);
    Stream stream(StreamKey::derive(5, 6, Use::kPlatform), 0, number);
    const double there = highest(durations, stream);
    const Parameters none = parameters_of(named(fit_laws(durations), "exponential"));
    // Where one phase vanishes, the exponential law is as high.
    const double found = law.problem.empty() ? law.log_likelihood : log_likelihood("exponential", none, durations);
    EXPECT_GE(found, there - 1e-3) << number;
  }
}

}  // namespace
}  // namespace coterie::traces
