#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"

namespace coterie {

class EmpiricalRisk;
class Risk;
using RiskPtr = std::shared_ptr<const Risk>;

/// The risk function of a worker: Pr(t) = P(T < t), T its interruption time in units of work at full speed.
/// A chunk that ends at f is completed iff f <= T. [worksharing-2013, Section 2.2.1; errata C13]
class Risk : public std::enable_shared_from_this<Risk> {
 public:
  /// One part of a mixture of exponentials.
  struct Exponential {
    double probability;
    double rate;
  };

  virtual ~Risk() = default;

  /// P(T < t), in [0, 1]; 0 for t <= 0.
  virtual double probability(double t) const = 0;
  /// P(T >= t) = 1 - probability(t), accurate even if it is small.
  virtual double survival(double t) const { return 1 - probability(t); }
  /// Derivative of probability at t > 0; NaN for a risk that has none (an empirical one jumps).
  virtual double density(double t) const;
  /// Whether density() is known; laws without it are treated as laws that jump.
  bool has_density() const { return !std::isnan(density(1)); }
  /// kappa where Pr(t) = min(1, kappa t); nothing for any other risk.
  virtual std::optional<double> linear_rate() const { return std::nullopt; }
  /// Itself if it is known by its jumps alone; else null.
  virtual const EmpiricalRisk* steps() const { return nullptr; }
  /// Its parts where it is a mixture of exponentials; otherwise none.
  virtual std::vector<Exponential> exponentials() const { return {}; }
  /// The risk of T / unit: Pr(unit t). Linear and exponential laws and laws of steps stay what they are, which
  /// strategies and laws of capacity treat better. Only for a risk that a RiskPtr owns.
  virtual RiskPtr in_unit(double unit) const;
  /// Times above 0, ascending, where the probability jumps or bends: between two of them it is smooth.
  virtual std::vector<double> breaks() const { return {}; }
  /// Up to this time the probability only jumps: it is constant between breaks. 0 for a smooth law.
  virtual double only_jumps_until() const { return 0; }
  /// Smallest t with P(T <= t) >= u, for u in (0, 1], and at 0 a time before which no interruption comes; infinite if
  /// P(T <= t) never reaches u.
  virtual double quantile(double u) const = 0;
  /// The expression that recreates this risk, with every parameter.
  virtual std::string text() const = 0;

  /// times[i] = quantile(uniforms[i]): sampling by inversion, one uniform per worker. Equal sizes; may be the same
  /// array.
  virtual void sample(std::span<const double> uniforms, std::span<double> times) const;
  /// probabilities[i] = probability(times[i]). Equal sizes; may be the same array.
  virtual void probabilities(std::span<const double> times, std::span<double> probabilities) const;

  /// The time by which interruption is certain; infinite if it never is.
  double horizon() const { return quantile(1.0); }
  /// The horizon; if that is infinite, the 1 - 1e-6 quantile of those interruptions that do come. X for ranges and
  /// loads.
  double effective_horizon() const;
};

/// The risk of a worker whose clock runs `hazard` > 0 times as fast: the values of Pr(hazard t), nothing computed anew.
RiskPtr hastened(const RiskPtr& risk, double hazard);

/// A law of interruption times that can be named in a campaign.
struct RiskKind {
  std::string name;
  std::string summary;
  std::string source;  ///< paper and section
  std::vector<Parameter> parameters;
  RiskPtr (*make)(const Expression& expression);
};

using RiskKinds = std::vector<RiskKind>;

/// Linear, exponential, Weibull, lognormal, hyperexponential. The trace risk is not among them.
const RiskKinds& parametric_risks();

/// A risk of one of these kinds. Throws InputError for an unknown name or argument, or a value outside its range.
RiskPtr make_parametric_risk(const Expression& expression, const RiskKinds& kinds = parametric_risks());
RiskPtr make_linear_risk(double kappa = 1);

}  // namespace coterie
