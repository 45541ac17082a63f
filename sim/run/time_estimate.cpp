#include "sim/run/time_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/cancellation.hpp"
#include "core/length.hpp"
#include "core/text.hpp"
#include "sim/engine/stop.hpp"

namespace coterie::sim {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// 0, 1/2, 1/4, 3/4, 1/8, ...: every beginning of it is spread evenly. [van der Corput 1935]
double spread(std::size_t number) {
  double value = 0;
  for (double digit = 0.5; number > 0; number /= 2, digit /= 2) value += digit * static_cast<double>(number % 2);
  return value;
}

struct Measured {
  double prepare;       // seconds, with the exact means that are asked for
  double per_instance;  // seconds
};

Measured measure(const Campaign& campaign, const MissingRows& rows) {
  std::vector<std::string> strategies;
  for (const std::size_t s : rows.strategies) strategies.push_back(campaign.strategies[s]);
  const TrialRequest request{campaign.configurations[rows.configuration], campaign.seed, strategies, *campaign.risks,
                             campaign.schedules.get()};
  const auto begin = Clock::now();
  const auto trial = campaign.model->prepare(request);
  double prepare = seconds_since(begin);
  const auto instances = static_cast<std::size_t>(std::min(kBlockInstances, rows.instances));
  std::vector<double> reference(instances);
  const std::size_t values = instances * strategies.size();
  std::vector<double> of_strategies(row_kinds(campaign) * values);
  Block block{rows.first_instance, instances, reference.data(), of_strategies.data(), instances};
  for (std::size_t kind = 1; kind < row_kinds(campaign); ++kind)
    block.measures[kind - 1] = of_strategies.data() + kind * values;
  const auto middle = Clock::now();
  trial->run(block);
  const double per_instance = seconds_since(middle) / static_cast<double>(instances);
  if (campaign.exact_means) {
    const auto after = Clock::now();
    campaign.model->expected_ratios(request);
    prepare += seconds_since(after);
  }
  return {prepare, per_instance};
}

}  // namespace

std::optional<TimeEstimate> estimate_time(const Campaign& campaign, const std::vector<MissingRows>& missing,
                                          double most_seconds) {
  if (missing.empty()) return std::nullopt;
  const auto begin = Clock::now();
  measure(campaign, missing.front());  // warm-up: pages, caches and traces are slow only the first time
  double prepare = 0;
  double per_instance = 0;
  TimeEstimate estimate;
  std::vector<bool> seen(missing.size());
  for (std::size_t i = 0; i < 2 * missing.size() && (estimate.measured == 0 || seconds_since(begin) < most_seconds);
       ++i) {
    const auto at = static_cast<std::size_t>(spread(i) * static_cast<double>(missing.size()));
    if (seen[at]) continue;
    seen[at] = true;
    const Measured one = measure(campaign, missing[at]);
    prepare += one.prepare;
    per_instance += one.per_instance;
    ++estimate.measured;
  }
  double instances = 0;
  for (const MissingRows& rows : missing) instances += static_cast<double>(rows.instances);
  const auto measured = static_cast<double>(estimate.measured);
  estimate.seconds = prepare / measured * static_cast<double>(missing.size()) + per_instance / measured * instances;
  return estimate;
}

namespace {

/// "300 configurations", or parts of these where some lack several ranges of rows.
std::string counted_rows(const std::vector<MissingRows>& missing) {
  const auto again = std::adjacent_find(missing.begin(), missing.end(), [](const MissingRows& a, const MissingRows& b) {
    return a.configuration == b.configuration;
  });
  return counted(missing.size(), again == missing.end() ? "configuration" : "part");
}

}  // namespace

std::string time_text(const Campaign& campaign, const std::vector<MissingRows>& missing, int threads) {
  constexpr double kSeconds = 1;  // of measuring
  constexpr double kMostSeconds = 2;
  const StopRule patience(kMostSeconds);
  std::optional<TimeEstimate> estimate;
  try {
    const CancellationScope scope(patience.cancels());
    estimate = estimate_time(campaign, missing, kSeconds);
  } catch (const Cancelled&) {
    cancellation_point();  // throws unless our own time limit ended it
    if (StopSignals::raised()) throw;
    return fmt::format("not known: measuring {} takes more than {} s",
                       missing.size() == 1 ? "it" : "a part of " + counted_rows(missing), kMostSeconds);
  }
  if (!estimate) return "";
  return fmt::format("{} {} of computing with {}{} (measured on {} of {})",
                     campaign.precision ? "at most about" : "about", length_text(estimate->seconds / threads, 2),
                     counted(static_cast<std::uint64_t>(threads), "thread"),
                     campaign.precision ? ", and deciding on one of them when to stop" : "", estimate->measured,
                     counted_rows(missing));
}

bool takes_long(const std::vector<MissingRows>& missing) {
  constexpr std::size_t kFewTasks = 20;
  constexpr std::uint64_t kFewValues = 2'000'000;
  std::uint64_t values = 0;
  for (const MissingRows& rows : missing) values += rows.instances * (rows.strategies.size() + 1);
  return missing.size() >= kFewTasks || values >= kFewValues;
}

}  // namespace coterie::sim
