#include "core/risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <limits>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "core/table.hpp"
#include "core/text.hpp"

namespace coterie {

namespace {

class HastenedRisk final : public Risk {
 public:
  HastenedRisk(RiskPtr risk, double hazard) : risk_(std::move(risk)), hazard_(hazard) {}
  double probability(double t) const override { return risk_->probability(hazard_ * t); }
  double survival(double t) const override { return risk_->survival(hazard_ * t); }
  double density(double t) const override { return hazard_ * risk_->density(hazard_ * t); }
  std::vector<Exponential> exponentials() const override {
    std::vector<Exponential> parts = risk_->exponentials();
    for (Exponential& part : parts) part.rate *= hazard_;
    return parts;
  }
  std::vector<double> breaks() const override {
    std::vector<double> times = risk_->breaks();
    for (double& t : times) t /= hazard_;
    return times;
  }
  double quantile(double u) const override { return risk_->quantile(u) / hazard_; }
  std::string text() const override { return fmt::format("{} x {}", risk_->text(), to_text(hazard_)); }

 private:
  RiskPtr risk_;
  double hazard_;
};

}  // namespace

RiskPtr hastened(const RiskPtr& risk, double hazard) {
  return hazard == 1 ? risk : std::make_shared<HastenedRisk>(risk, hazard);
}

RiskPtr Risk::in_unit(double unit) const { return hastened(shared_from_this(), unit); }

double Risk::density(double) const { return std::numeric_limits<double>::quiet_NaN(); }

void Risk::sample(std::span<const double> uniforms, std::span<double> times) const {
  COTERIE_REQUIRE(uniforms.size() == times.size());
  for (std::size_t i = 0; i < uniforms.size(); ++i) times[i] = quantile(uniforms[i]);
}

void Risk::probabilities(std::span<const double> times, std::span<double> probabilities) const {
  for (std::size_t i = 0; i < times.size(); ++i) {
    cancellation_point();
    probabilities[i] = probability(times[i]);
  }
}

double Risk::effective_horizon() const {
  const double certain = horizon();
  if (std::isfinite(certain)) return certain;
  const double nearly = quantile(1 - 1e-6);
  if (std::isfinite(nearly)) return nearly;
  return quantile((1 - 1e-6) * probability(std::numeric_limits<double>::max()));
}

namespace {

/// Pr(t) = min(1, kappa t). [worksharing-2013, Section 2.2.1]
class LinearRisk final : public Risk {
 public:
  explicit LinearRisk(double kappa) : kappa_(kappa) {}
  double probability(double t) const override { return std::clamp(kappa_ * t, 0.0, 1.0); }
  double survival(double t) const override { return std::clamp(1 - kappa_ * t, 0.0, 1.0); }
  double density(double t) const override { return t < 1 / kappa_ ? kappa_ : 0; }
  std::optional<double> linear_rate() const override { return kappa_; }
  RiskPtr in_unit(double unit) const override { return std::make_shared<LinearRisk>(kappa_ * unit); }
  std::vector<double> breaks() const override { return {1 / kappa_}; }
  double quantile(double u) const override { return u / kappa_; }
  void sample(std::span<const double> uniforms, std::span<double> times) const override {
    if (kappa_ == 1 && uniforms.data() == times.data()) return;
    for (std::size_t i = 0; i < uniforms.size(); ++i) times[i] = uniforms[i] / kappa_;
  }
  void probabilities(std::span<const double> times, std::span<double> probabilities) const override {
    for (std::size_t i = 0; i < times.size(); ++i) probabilities[i] = std::clamp(kappa_ * times[i], 0.0, 1.0);
  }
  std::string text() const override { return fmt::format("linear(kappa={})", to_text(kappa_)); }

 private:
  double kappa_;
};

/// Pr(t) = 1 - exp(-rate t).
class ExponentialRisk final : public Risk {
 public:
  explicit ExponentialRisk(double rate) : rate_(rate) {}
  double probability(double t) const override { return t <= 0 ? 0 : -std::expm1(-rate_ * t); }
  double survival(double t) const override { return t <= 0 ? 1 : std::exp(-rate_ * t); }
  double density(double t) const override { return rate_ * std::exp(-rate_ * t); }
  std::vector<Exponential> exponentials() const override { return {{1, rate_}}; }
  RiskPtr in_unit(double unit) const override { return std::make_shared<ExponentialRisk>(rate_ * unit); }
  double quantile(double u) const override { return -std::log1p(-u) / rate_; }
  std::string text() const override { return fmt::format("exponential(rate={})", to_text(rate_)); }

 private:
  double rate_;
};

/// Pr(t) = 1 - exp(-(t/scale)^shape).
class WeibullRisk final : public Risk {
 public:
  WeibullRisk(double shape, double scale) : shape_(shape), scale_(scale) {}
  double probability(double t) const override { return t <= 0 ? 0 : -std::expm1(-std::pow(t / scale_, shape_)); }
  double survival(double t) const override { return t <= 0 ? 1 : std::exp(-std::pow(t / scale_, shape_)); }
  double density(double t) const override {
    const double power = std::pow(t / scale_, shape_);
    const double rest = std::exp(-power);
    return rest > 0 ? shape_ * power / t * rest : 0;
  }
  double quantile(double u) const override { return scale_ * std::pow(-std::log1p(-u), 1 / shape_); }
  std::string text() const override {
    return fmt::format("weibull(shape={}, scale={})", to_text(shape_), to_text(scale_));
  }

 private:
  double shape_;
  double scale_;
};

/// ln T normal with mean ln(median) and standard deviation sigma.
class LognormalRisk final : public Risk {
 public:
  LognormalRisk(double median, double sigma) : median_(median), sigma_(sigma) {}
  double probability(double t) const override {
    if (t <= 0) return 0;
    return 0.5 * std::erfc(-std::log(t / median_) / (sigma_ * std::sqrt(2.0)));
  }
  double survival(double t) const override {
    if (t <= 0) return 1;
    return 0.5 * std::erfc(std::log(t / median_) / (sigma_ * std::sqrt(2.0)));
  }
  double density(double t) const override {
    const double z = std::log(t / median_) / sigma_;
    return std::exp(-0.5 * z * z) / (t * sigma_ * std::sqrt(2 * boost::math::constants::pi<double>()));
  }
  double quantile(double u) const override {
    if (u <= 0) return 0;
    if (u >= 1) return kInfinity;
    return median_ * std::exp(-sigma_ * std::sqrt(2.0) * boost::math::erfc_inv(2 * u));
  }
  std::string text() const override {
    return fmt::format("lognormal(median={}, sigma={})", to_text(median_), to_text(sigma_));
  }

 private:
  double median_;
  double sigma_;
};

/// A mixture of two exponentials: rate1 with probability p, otherwise rate2.
class HyperexponentialRisk final : public Risk {
 public:
  HyperexponentialRisk(double p, double rate1, double rate2) : p_(p), rate1_(rate1), rate2_(rate2) {}
  double probability(double t) const override {
    return t <= 0 ? 0 : -p_ * std::expm1(-rate1_ * t) - (1 - p_) * std::expm1(-rate2_ * t);
  }
  double survival(double t) const override {
    return t <= 0 ? 1 : p_ * std::exp(-rate1_ * t) + (1 - p_) * std::exp(-rate2_ * t);
  }
  double density(double t) const override {
    return p_ * rate1_ * std::exp(-rate1_ * t) + (1 - p_) * rate2_ * std::exp(-rate2_ * t);
  }
  std::vector<Exponential> exponentials() const override { return {{p_, rate1_}, {1 - p_, rate2_}}; }
  RiskPtr in_unit(double unit) const override {
    return std::make_shared<HyperexponentialRisk>(p_, rate1_ * unit, rate2_ * unit);
  }
  double quantile(double u) const override {
    if (u <= 0) return 0;
    if (u >= 1) return kInfinity;
    // The mixture lies between its two parts, so their quantiles bracket its own.
    const double first = -std::log1p(-u) / rate1_;
    const double second = -std::log1p(-u) / rate2_;
    const double low = std::min(first, second);
    const double high = std::max(first, second);
    const auto gap = [&](double t) { return p_ * std::exp(-rate1_ * t) + (1 - p_) * std::exp(-rate2_ * t) - (1 - u); };
    const double at_low = gap(low);
    const double at_high = gap(high);
    if (at_low <= 0) return low;
    if (at_high >= 0) return high;
    std::uintmax_t iterations = 200;
    const auto [a, b] = boost::math::tools::toms748_solve(gap, low, high, at_low, at_high,
                                                          boost::math::tools::eps_tolerance<double>(52), iterations);
    return 0.5 * (a + b);
  }
  std::string text() const override {
    return fmt::format("hyperexponential(p={}, rate1={}, rate2={})", to_text(p_), to_text(rate1_), to_text(rate2_));
  }

 private:
  double p_;
  double rate1_;
  double rate2_;
};

double positive(const Expression& expression, const std::string& key, double otherwise) {
  const double value = expression.number(key, otherwise);
  if (!(value > 0))
    throw InputError(expression.place(),
                     fmt::format("{}: {} must be greater than 0, not {}", expression.name(), key, to_text(value)));
  return value;
}

RiskPtr make_linear(const Expression& e) { return std::make_shared<LinearRisk>(positive(e, "kappa", 1)); }
RiskPtr make_exponential(const Expression& e) { return std::make_shared<ExponentialRisk>(positive(e, "rate", 1)); }
RiskPtr make_weibull(const Expression& e) {
  return std::make_shared<WeibullRisk>(positive(e, "shape", 1), positive(e, "scale", 1));
}
RiskPtr make_lognormal(const Expression& e) {
  return std::make_shared<LognormalRisk>(positive(e, "median", 1), positive(e, "sigma", 1));
}
RiskPtr make_hyperexponential(const Expression& e) {
  const double p = e.number("p");
  if (!(p >= 0 && p <= 1))
    throw InputError(e.place(), fmt::format("hyperexponential: p must be in [0, 1], not {}", to_text(p)));
  e.number("rate1");
  e.number("rate2");
  return std::make_shared<HyperexponentialRisk>(p, positive(e, "rate1", 1), positive(e, "rate2", 1));
}

}  // namespace

const RiskKinds& parametric_risks() {
  static const RiskKinds table = {
      {"linear",
       "P(T < t) = kappa t up to t = 1/kappa",
       "worksharing-2013, Section 2.2.1",
       {{"kappa", "1/work", "1", "> 0", "risk per unit of time"}},
       make_linear},
      {"exponential",
       "P(T < t) = 1 - exp(-rate t)",
       "worksharing-2013, Section 5.1",
       {{"rate", "1/work", "1", "> 0", "interruptions per unit of time"}},
       make_exponential},
      {"weibull",
       "P(T < t) = 1 - exp(-(t/scale)^shape)",
       "beyond worksharing-2013, Section 7.1",
       {{"shape", "", "1", "> 0", "below 1: the hazard falls with age"},
        {"scale", "work", "1", "> 0", "scale of time"}},
       make_weibull},
      {"lognormal",
       "ln T is normal",
       "beyond worksharing-2013, Section 7.1",
       {{"median", "work", "1", "> 0", "median interruption time"},
        {"sigma", "", "1", "> 0", "standard deviation of ln T"}},
       make_lognormal},
      {"hyperexponential",
       "exponential(rate1) with probability p, otherwise exponential(rate2)",
       "beyond worksharing-2013, Section 7.1",
       {{"p", "", "", "in [0, 1]", "probability of the first rate"},
        {"rate1", "1/work", "", "> 0", "first rate"},
        {"rate2", "1/work", "", "> 0", "second rate"}},
       make_hyperexponential},
  };
  return table;
}

RiskPtr make_parametric_risk(const Expression& expression, const RiskKinds& kinds) {
  const RiskKind& kind = find_row(kinds, expression.name(), "risk", expression.place());
  expression.allow_only(names_of(kind.parameters));
  return kind.make(expression);
}

RiskPtr make_linear_risk(double kappa) {
  COTERIE_REQUIRE(kappa > 0);
  return std::make_shared<LinearRisk>(kappa);
}

}  // namespace coterie
