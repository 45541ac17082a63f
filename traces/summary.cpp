#include "traces/summary.hpp"

#include <algorithm>
#include <cmath>

#include "traces/durations.hpp"

namespace coterie::traces {
namespace {

double linear_distance(const Durations& durations) {
  const auto count = static_cast<double>(durations.size());
  double distance = 0;
  double shorter = 0;
  for (const Duration& duration : durations.values()) {
    const double t = duration.value / durations.longest();
    distance = std::max(distance, std::abs(shorter / count - t));
    shorter += 1;
    distance = std::max(distance, std::abs(shorter / count - t));
  }
  return distance;
}

}  // namespace

TraceSummary summarise(const AvailabilityTrace& trace) {
  const Durations durations(trace);
  const auto& values = durations.values();
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
  // Relative to the longest, so that no sum or square overflows.
  const double unit = summary.max > 0 ? summary.max : 1;
  const auto count = static_cast<double>(summary.n);
  double sum = 0;
  for (const Duration& duration : values) sum += duration.value / unit;
  const double mean = sum / count;
  double squares = 0;
  for (const Duration& duration : values) squares += std::pow(duration.value / unit - mean, 2);
  summary.mean = mean * unit;
  summary.median = values[(summary.n - 1) / 2].value / 2 + values[summary.n / 2].value / 2;
  summary.cv = mean > 0 ? std::sqrt(squares / count) / mean : 0;
  if (summary.max > 0) summary.linear_distance = linear_distance(durations);
  return summary;
}

}  // namespace coterie::traces
