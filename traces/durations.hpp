#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "core/step_law.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// How long one spell lasted, and whether an interruption ended it (if not, it is right-censored).
struct Duration {
  double value = 0;
  bool observed = true;
  double entry = 0;  ///< at risk only from this age on (delayed entry); at most `value`
};

/// How many spells of a trace lasted so long: those that an interruption ended, and those whose end was not seen.
struct SpellCount {
  double value = 0;
  std::size_t interrupted = 0;
  std::size_t censored = 0;
  double entry = 0;  ///< age from which on they were observed, below `value`
  std::size_t ended() const { return interrupted + censored; }
};

/// Calls jump(value, at_risk, interrupted) for each length at which spells were interrupted; those at risk are the
/// spells that have been observed for some time and last at least so long. `counts`: increasing in value.
template <typename Jump>
void for_each_jump(std::span<const SpellCount> counts, Jump jump) {
  std::size_t at_risk = 0;
  std::vector<std::pair<double, std::size_t>> entries;
  for (const SpellCount& count : counts) {
    if (count.entry > 0)
      entries.emplace_back(count.entry, count.ended());
    else
      at_risk += count.ended();
  }
  std::sort(entries.begin(), entries.end());
  auto entry = entries.begin();
  for (auto count = counts.begin(); count != counts.end();) {
    const double value = count->value;
    for (; entry != entries.end() && entry->first < value; ++entry) at_risk += entry->second;
    std::size_t interrupted = 0;
    std::size_t ended = 0;
    for (; count != counts.end() && count->value == value; ++count) {
      interrupted += count->interrupted;
      ended += count->ended();
    }
    if (interrupted > 0) jump(value, at_risk, interrupted);
    at_risk -= ended;
  }
}

/// The duration by which all others are divided, to bring a trace to a campaign's time scale:
/// `longest` (as in the paper: the longest becomes 1), `none`, `horizon(H)` (H seconds become 1) or `quantile(Q)` (the
/// ceil(Q N)-th smallest duration becomes 1).
struct Normalisation {
  enum class Kind { kLongest, kNone, kHorizon, kQuantile };
  Kind kind = Kind::kLongest;
  double value = 0;

  /// Throws InputError at `place`.
  static Normalisation parse(const std::string& text, const Place& place = {});
  std::string text() const;
};

/// The durations of a trace in increasing order; among equal ones, observed ones come first.
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
  /// What they are multiples of: the resolution that the trace states, or the greatest of a day, an hour, a minute and
  /// a second; 0 if none, or if they are not from a trace.
  double rounding() const { return rounding_; }
  /// The ceil(q N)-th smallest, q in (0, 1]. Censored ones count like all others.
  double quantile(double q) const;
  /// The middle one, or the mean of the middle two. Censored ones count like all others.
  double median() const;

  /// One for each length and age of entry. A spell that ends as its observation begins counts nowhere.
  std::vector<SpellCount> counts() const;
  /// Whether some were observed only from an age on.
  bool delayed() const;

  Durations without_zeros() const;
  /// All divided by `divisor` > 0.
  Durations divided(double divisor) const;
  /// What `normalisation` divides by. Throws InputError if that is zero.
  double divisor(const Normalisation& normalisation) const;

 private:
  std::vector<Duration> values_;
  double rounding_ = 0;
};

/// Counts every spell as ended by an interruption, seen or not. `counts`: increasing in value. [worksharing-2013,
/// Section 7.2.1]
StepLaw naive_law(std::span<const SpellCount> counts);
StepLaw naive_law(const Durations& durations);

/// Draws a host first, then one of its durations: each host has the same weight, however often it was seen. All
/// durations count as ended by interruptions. Throws InputError for a trace without host names.
StepLaw per_host_law(const AvailabilityTrace& trace);

/// The product-limit estimator, never renormalised: what remains after the last interruption stays in the law as
/// "not interrupted". [Kaplan, Meier 1958]. Throws InputError if no interruption was seen.
StepLaw kaplan_meier_law(std::span<const SpellCount> counts);
StepLaw kaplan_meier_law(const Durations& durations);

/// What happens after the last interruption seen, to spells whose end was not seen. A trace cannot tell; the truth lies
/// between these two.
enum class OpenTail {
  kImmortal,  ///< never interrupted
  kGone,      ///< all interrupted at the last time seen, the end of the longest spell
};

/// The law with its open tail completed; unchanged if there is none. `longest`: of the spells.
StepLaw completed(StepLaw law, OpenTail tail, double longest);

/// No worker of a trace is known to be up after that age.
class AgeError : public InputError {
 public:
  using InputError::InputError;
};

/// StepLaw::at_age. Throws AgeError if the law has no interruption at or after `age`; its message takes times as
/// seconds.
StepLaw conditional_on_age(const StepLaw& law, double age);

}  // namespace coterie::traces
