#include "traces/durations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/ties.hpp"

namespace coterie::traces {

namespace {

/// The greatest of a day, an hour, a minute and a second of which the ends that were seen are multiples; 0 if none is,
/// or where they have too few lengths to tell a rounded log from machines that are taken away after 24 h.
double clock_unit(std::span<const Duration> durations) {
  constexpr double kRounding = 1e-9;
  constexpr std::size_t kFewestLengths = 5;
  std::set<double> lengths;
  for (const Duration& one : durations) {
    if (one.observed) lengths.insert(one.value);
    if (lengths.size() == kFewestLengths) break;
  }
  if (lengths.size() < kFewestLengths) return 0;
  for (const double unit : {86400.0, 3600.0, 60.0, 1.0})
    if (std::all_of(durations.begin(), durations.end(), [&](const Duration& one) {
          return !one.observed || std::abs(std::remainder(one.value, unit)) <= kRounding * unit;
        }))
      return unit;
  return 0;
}

}  // namespace

Normalisation Normalisation::parse(const std::string& text, const Place& place) {
  const Expression expression = Expression::parse(text, place);
  const std::string& name = expression.name();
  const auto argument = [&] {
    const auto number = parse_number(expression.argument());
    if (!number)
      throw InputError(
          place, fmt::format("normalise = {}: \"{}\" is not a number", echoed(text), echoed(expression.argument())));
    return *number;
  };
  if (name == "longest" || name == "none") {
    expression.allow_only({});
    return {name == "longest" ? Kind::kLongest : Kind::kNone, 0};
  }
  if (name == "horizon") {
    const std::string what = fmt::format("normalise = {}: the horizon", echoed(text));
    return {Kind::kHorizon, parse_length(expression.argument(), what, place, ZeroLength::kRefused).value};
  }
  if (name == "quantile") {
    const double q = argument();
    if (!(q > 0 && q <= 1))
      throw InputError(place, fmt::format("normalise = {}: the quantile must be above 0 and at most 1", echoed(text)));
    return {Kind::kQuantile, q};
  }
  throw InputError(
      place, fmt::format("normalise = {}: it must be longest, none, horizon(LENGTH) or quantile(Q)", echoed(text)));
}

std::string Normalisation::text() const {
  switch (kind) {
    case Kind::kLongest:
      return "longest";
    case Kind::kNone:
      return "none";
    case Kind::kHorizon:
      return fmt::format("horizon({})", to_text(value));
    case Kind::kQuantile:
      break;
  }
  return fmt::format("quantile({})", to_text(value));
}

Durations::Durations(std::vector<Duration> values) : values_(std::move(values)) {
  const auto before = [](const Duration& a, const Duration& b) {
    return std::tuple(a.value, !a.observed, a.entry) < std::tuple(b.value, !b.observed, b.entry);
  };
  if (!std::is_sorted(values_.begin(), values_.end(), before)) std::sort(values_.begin(), values_.end(), before);
}

Durations::Durations(const AvailabilityTrace& trace)
    : Durations([&] {
        std::vector<Duration> values;
        values.reserve(trace.records.size());
        for (const AvailabilityRecord& record : trace.records)
          values.push_back({record.duration, record.observed, std::min(record.entry, record.duration)});
        return values;
      }()) {
  rounding_ = trace.resolution ? *trace.resolution : clock_unit(values_);
}

std::size_t Durations::observed() const {
  return static_cast<std::size_t>(
      std::count_if(values_.begin(), values_.end(), [](const Duration& d) { return d.observed; }));
}

std::size_t Durations::zeros() const {
  return static_cast<std::size_t>(
      std::count_if(values_.begin(), values_.end(), [](const Duration& d) { return d.value == 0; }));
}

double Durations::quantile(double q) const {
  // A product such as 0.29 * 100 may lie a rounding error above a whole number.
  const double rank = std::ceil(q * static_cast<double>(size()) * (1 - 1e-15));
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return values_[std::min(index, size() - 1)].value;
}

double Durations::median() const { return values_[(size() - 1) / 2].value / 2 + values_[size() / 2].value / 2; }

std::vector<SpellCount> Durations::counts() const {
  std::vector<SpellCount> counts;
  for (const Duration& duration : values_) {
    if (duration.entry > 0 && duration.entry >= duration.value) continue;
    if (counts.empty() || duration.value > counts.back().value || duration.entry != counts.back().entry)
      counts.push_back({duration.value, 0, 0, duration.entry});
    ++(duration.observed ? counts.back().interrupted : counts.back().censored);
  }
  return counts;
}

bool Durations::delayed() const {
  return std::any_of(values_.begin(), values_.end(), [](const Duration& d) { return d.entry > 0; });
}

Durations Durations::without_zeros() const {
  std::vector<Duration> kept;
  std::copy_if(values_.begin(), values_.end(), std::back_inserter(kept), [](const Duration& d) { return d.value > 0; });
  return Durations(std::move(kept));
}

Durations Durations::divided(double divisor) const {
  std::vector<Duration> result = values_;
  for (Duration& duration : result) {
    duration.value /= divisor;
    duration.entry /= divisor;
  }
  Durations shorter(std::move(result));
  shorter.rounding_ = rounding_ / divisor;
  return shorter;
}

double Durations::divisor(const Normalisation& normalisation) const {
  double divisor = 1;
  if (normalisation.kind == Normalisation::Kind::kLongest) divisor = longest();
  if (normalisation.kind == Normalisation::Kind::kHorizon) divisor = normalisation.value;
  if (normalisation.kind == Normalisation::Kind::kQuantile) divisor = quantile(normalisation.value);
  if (!(divisor > 0))
    throw InputError(fmt::format("normalise = {}: that duration is zero and cannot become 1; choose a greater one",
                                 normalisation.text()));
  return divisor;
}

StepLaw naive_law(std::span<const SpellCount> counts) {
  std::size_t spells = 0;
  for (const SpellCount& count : counts) spells += count.ended();
  const double weight = 1.0 / static_cast<double>(spells);
  StepLaw law;
  for (const SpellCount& count : counts) {
    if (law.times.empty() || law.times.back() < count.value) {
      law.times.push_back(count.value);
      law.weights.push_back(0);
    }
    law.weights.back() += static_cast<double>(count.ended()) * weight;
  }
  return law;
}

StepLaw naive_law(const Durations& durations) {
  StepLaw law = naive_law(durations.counts());
  law.rounding = durations.rounding();
  return law;
}

StepLaw per_host_law(const AvailabilityTrace& trace) {
  std::map<std::string, double> spells;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.host) throw InputError("sampling = per-host needs a format that names hosts; use sampling=pooled");
    spells[*record.host] += 1;
  }
  std::map<double, double> weights;
  for (const AvailabilityRecord& record : trace.records)
    weights[record.duration] += 1 / (spells.at(*record.host) * static_cast<double>(spells.size()));
  StepLaw law;
  for (const auto& [duration, weight] : weights) {
    law.times.push_back(duration);
    law.weights.push_back(weight);
  }
  return law;
}

StepLaw kaplan_meier_law(std::span<const SpellCount> counts) {
  StepLaw law;
  double survival = 1;
  for_each_jump(counts, [&](double value, std::size_t at_risk, std::size_t interrupted) {
    const double share = static_cast<double>(interrupted) / static_cast<double>(at_risk);
    law.times.push_back(value);
    law.weights.push_back(survival * share);
    survival *= 1 - share;
  });
  if (law.times.empty())
    throw InputError(
        "no spell ended with an interruption, so the trace does not say how long such machines stay; name the causes "
        "that are interruptions (option observed=CAUSE,...), or count every end as an interruption (estimator naive)");
  return law;
}

StepLaw kaplan_meier_law(const Durations& durations) {
  StepLaw law = kaplan_meier_law(durations.counts());
  law.rounding = durations.rounding();
  return law;
}

StepLaw completed(StepLaw law, OpenTail tail, double longest) {
  constexpr double kRounding = 1e-12;
  const double open = 1 - std::accumulate(law.weights.begin(), law.weights.end(), 0.0);
  if (tail == OpenTail::kImmortal || open <= kRounding) return law;
  if (longest > law.times.back()) {
    law.times.push_back(longest);
    law.weights.push_back(open);
  } else {
    law.weights.back() += open;
  }
  return law;
}

StepLaw conditional_on_age(const StepLaw& law, double age) {
  StepLaw rest = law.at_age(age);
  if (rest.times.empty())
    throw AgeError(fmt::format("age = {}: the trace has no interruption at that age or later; its last is at {}",
                               seconds_text(age), seconds_text(law.times.back())));
  return rest;
}

}  // namespace coterie::traces
