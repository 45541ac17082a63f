#include "traces/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <string>

#include "core/contract.hpp"
#include "traces/durations.hpp"

namespace coterie::traces {
namespace {

double linear_distance(const Durations& durations) {
  const bool all_seen = durations.observed() == durations.size() && !durations.delayed();
  const StepLaw law = all_seen ? naive_law(durations) : kaplan_meier_law(durations);
  double distance = 0;
  double risk = 0;
  for (std::size_t i = 0; i < law.times.size(); ++i) {
    const double t = law.times[i] / durations.longest();
    distance = std::max(distance, std::abs(risk - t));
    risk += law.weights[i];
    distance = std::max(distance, std::abs(risk - t));
  }
  return std::max(distance, std::abs(1 - risk));
}

/// [Shrout and Fleiss 1979, ICC(1); unbalanced groups by n0]
std::optional<double> host_correlation(const AvailabilityTrace& trace, double unit) {
  struct Host {
    double count = 0;
    double sum = 0;
    double squares = 0;
  };
  std::map<std::string, Host> hosts;
  double total = 0;
  double count = 0;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.host) return std::nullopt;
    const double value = record.duration / unit;
    Host& host = hosts[*record.host];
    host.count += 1;
    host.sum += value;
    host.squares += value * value;
    total += value;
    count += 1;
  }
  const auto groups = static_cast<double>(hosts.size());
  if (groups < 2 || count <= groups) return std::nullopt;
  double between = 0;
  double within = 0;
  double square_counts = 0;
  for (const auto& [name, host] : hosts) {
    const double mean = host.sum / host.count;
    between += host.count * std::pow(mean - total / count, 2);
    within += std::max(0.0, host.squares - host.count * mean * mean);
    square_counts += host.count * host.count;
  }
  between /= groups - 1;
  within /= count - groups;
  const double typical = (count - square_counts / count) / (groups - 1);
  const double variance = between + (typical - 1) * within;
  return variance > 0 ? std::optional((between - within) / variance) : std::nullopt;
}

/// The length of the mean of the directions of the hour hand, if it went round once a day.
class HourHand {
 public:
  void add(double time) {
    constexpr double kDay = 86400;
    const double angle = 2 * std::numbers::pi * std::fmod(time, kDay) / kDay;
    x_ += std::cos(angle);
    y_ += std::sin(angle);
    ++count_;
  }
  std::size_t count() const { return count_; }
  double strength() const { return std::hypot(x_, y_) / static_cast<double>(count_); }

 private:
  double x_ = 0, y_ = 0;
  std::size_t count_ = 0;
};

std::optional<double> day_cycle(const AvailabilityTrace& trace) {
  HourHand hand;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.start) return std::nullopt;
    if (!record.left_truncated) hand.add(*record.start);  // else that is the start of the recording
  }
  return hand.count() > 0 ? std::optional(hand.strength()) : std::nullopt;
}

}  // namespace

bool has_clock(const AvailabilityTrace& trace) {
  constexpr double kEarliest = 1e8;
  return !trace.records.empty() &&
         std::all_of(trace.records.begin(), trace.records.end(),
                     [](const AvailabilityRecord& record) { return record.start && *record.start >= kEarliest; });
}

bool InterruptionCycle::is_certain() const {
  constexpr double kRare = 1e-4;
  return static_cast<double>(interruptions) * strength * strength > -std::log(kRare);
}

std::optional<InterruptionCycle> interruption_cycle(const AvailabilityTrace& trace) {
  if (!has_clock(trace)) return std::nullopt;
  HourHand hand;
  for (const AvailabilityRecord& record : trace.records)
    if (record.observed) hand.add(*record.start + record.duration);
  if (hand.count() == 0) return std::nullopt;
  return InterruptionCycle{hand.strength(), hand.count()};
}

TraceSummary summarise(const AvailabilityTrace& trace) {
  const Durations durations(trace);
  const auto& values = durations.values();
  COTERIE_REQUIRE(!values.empty());
  TraceSummary summary;
  summary.n = values.size();
  summary.hosts = trace.hosts();
  summary.observed = durations.observed();
  summary.censored = summary.n - summary.observed;
  summary.left_truncated = static_cast<std::size_t>(std::count_if(
      trace.records.begin(), trace.records.end(), [](const AvailabilityRecord& r) { return r.left_truncated; }));
  summary.zeros = durations.zeros();
  summary.resolution = trace.resolution;
  summary.max = durations.longest();
  const LifetimeEstimates estimates = lifetime_estimates(durations);
  summary.mean = estimates.mean;
  summary.median = estimates.median;
  summary.open = estimates.open;
  summary.cv = summary.mean.value > 0 ? estimates.deviation / summary.mean.value : 0;
  if (summary.max > 0 && summary.observed > 0) summary.linear_distance = linear_distance(durations);
  // Relative to the longest, so that no sum or square overflows.
  summary.host_correlation = host_correlation(trace, summary.max > 0 ? summary.max : 1);
  summary.day_cycle = day_cycle(trace);
  return summary;
}

}  // namespace coterie::traces
