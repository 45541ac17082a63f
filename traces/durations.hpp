#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// How long one spell lasted, and whether an interruption ended it (or only the watching, right-censored).
struct Duration {
  double value = 0;
  bool observed = true;
};

/// By which duration all are divided, so that a trace gets the time scale of a campaign:
/// `longest` (the paper's: the longest becomes 1), `none`, `horizon(H)` (H seconds become 1) or `quantile(Q)` (the
/// ceil(Q N)-th smallest duration becomes 1).
struct Normalisation {
  enum class Kind { kLongest, kNone, kHorizon, kQuantile };
  Kind kind = Kind::kLongest;
  double value = 0;

  /// Throws InputError at `place`.
  static Normalisation parse(const std::string& text, const Place& place = {});
  std::string text() const;
};

/// The durations of a trace in increasing order; among equal ones the observed come first.
class Durations {
 public:
  explicit Durations(std::vector<Duration> values);
  explicit Durations(const AvailabilityTrace& trace);

  const std::vector<Duration>& values() const { return values_; }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  std::size_t observed() const;
  std::size_t zeros() const;
  double longest() const { return values_.back().value; }
  /// The ceil(q N)-th smallest, q in (0, 1]. Censored ones count like all others.
  double quantile(double q) const;
  /// The middle one, or the mean of the middle two. Censored ones count like all others.
  double median() const;

  Durations without_zeros() const;
  /// All divided by `divisor` > 0.
  Durations divided(double divisor) const;
  /// What `normalisation` divides by. Throws InputError where that is zero.
  double divisor(const Normalisation& normalisation) const;

 private:
  std::vector<Duration> values_;
};

/// A law of durations that jumps: P(T = times[i]) = weights[i]; times increase strictly. The weights may sum to less
/// than 1: the rest is "not interrupted within the horizon".
struct StepLaw {
  std::vector<double> times;
  std::vector<double> weights;

  /// P(T < t).
  double probability(double t) const;
};

/// Every duration taken for an interruption, observed or not. [worksharing-2013, Section 7.2.1]
StepLaw naive_law(const Durations& durations);

/// Host first, then one of its durations: each host weighs the same, however often it was seen. All durations are taken
/// for interruptions. Throws InputError for a trace without host names.
StepLaw per_host_law(const AvailabilityTrace& trace);

/// The product-limit estimator, never renormalised: what remains after the last interruption stays in the law as
/// "not interrupted". [Kaplan, Meier 1958]. Throws InputError where no duration is observed.
StepLaw kaplan_meier_law(const Durations& durations);

/// What becomes of those that no interruption was seen to end, beyond the last interruption: a trace cannot tell, and
/// the truth lies between these two.
enum class OpenTail {
  kImmortal,  ///< never interrupted
  kGone,      ///< all interrupted at the last time seen, whichever ended the longest spell
};

/// The law with its open tail completed; unchanged where none is left open.
StepLaw completed(StepLaw law, OpenTail tail, const Durations& durations);

/// The law of T - age given T >= age: what a worker that is `age` old already has before it.
/// Throws InputError where no interruption at or after `age` is in the law.
StepLaw conditional_on_age(const StepLaw& law, double age);

}  // namespace coterie::traces
