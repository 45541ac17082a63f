#include "traces/readers/kubernetes_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "traces/readers/causes.hpp"
#include "traces/readers/instance_log.hpp"
#include "traces/readers/json_lines.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {
namespace {

constexpr std::string_view kReady = "NodeReady";
constexpr std::string_view kRebooted = "Rebooted";
constexpr std::array<std::string_view, 4> kDown = {"NodeNotReady", kRebooted, "DeletingNode", "RemovingNode"};

/// The reasons for which a spell ends interrupted, in lower case.
CauseSet interruptions(const ReadingOptions& options) {
  if (options.is_given("observed")) return options.observed_causes;
  return {lower_case(kRebooted), "nodenotready"};
}

/// Counts what observed= names that is no reason for which nodes go down.
void count_absent(InstanceLog& log, const std::string& file, const ReadingOptions& options) {
  CauseSet reasons;
  for (const std::string_view reason : kDown) reasons.insert(lower_case(reason));
  for (const auto& [warning, times] : absent_causes(file, options, reasons)) log.count(warning, times);
}

/// Where an event says when it last happened: new ones in their series, old ones in lastTimestamp.
std::string_view time_path(const nlohmann::json& event) {
  const auto is_text = [&](std::string_view path) {
    const nlohmann::json* value = json_at(event, path);
    return value != nullptr && value->is_string();
  };
  for (const std::string_view path : {"series/lastObservedTime", "lastTimestamp"})
    if (is_text(path)) return path;
  return is_text("eventTime") ? "eventTime" : "lastTimestamp";
}

/// How often it has happened so far.
std::int64_t times(const nlohmann::json& event) {
  for (const std::string_view path : {"series/count", "count"}) {
    const nlohmann::json* value = json_at(event, path);
    if (value != nullptr && value->is_number()) return std::llround(std::clamp(value->get<double>(), 1.0, 1e15));
  }
  return 1;
}

}  // namespace

AvailabilityTrace read_kubernetes(std::istream& input, const std::string& file, const ReadingOptions& options) {
  const CauseSet interrupting = interruptions(options);
  JsonLines lines(input, file);
  InstanceLog log(options, file);
  count_absent(log, file, options);
  std::map<std::string, std::set<std::int64_t>> counts;          // by event: how often it had happened each time
  std::set<std::tuple<std::string, std::int64_t, double>> told;  // event, how often by then, when
  nlohmann::json event;
  while (lines.next(event)) {
    if (json_at(event, "items") != nullptr)
      lines.fail("E_FIELDS", "the line is a list of events; write one per line, with jq -c '.items[]'");
    const std::string kind = lines.text(event, "involvedObject/kind");
    const std::string reason = lines.text(event, "reason");
    if (kind != "Node" || !(reason == kReady || is_one_of(kDown, reason))) {
      log.skip(JsonLines::time_if_any(event, time_path(event)));
      continue;
    }
    const std::string node = lines.text(event, "involvedObject/name");
    const double time = lines.time(event, time_path(event));
    const bool has_uid = json_at(event, "metadata/uid") != nullptr;
    const std::string name = has_uid ? lines.text(event, "metadata/uid") : node + '\n' + reason;
    const std::int64_t now = times(event);
    if (!told.emplace(name, now, time).second) {  // the log was begun anew
      if (options.wants(node)) log.count("W_AGAIN");
      continue;
    }
    if (has_uid && options.wants(node)) counts[name].insert(now);
    if (reason == kReady) {
      log.up(node, node, time, lines.line());
    } else if (reason == kRebooted) {
      log.restart(node, time, interrupting.contains(lower_case(reason)), lines.line());
    } else {
      log.down(node, time, interrupting.contains(lower_case(reason)), lines.line());
    }
  }
  for (const auto& [name, told_counts] : counts)
    if (const std::int64_t missed = *told_counts.rbegin() - std::ssize(told_counts); missed > 0)
      log.count("W_MISSED", missed);
  return log.finish();
}

bool accepts_kubernetes(std::string_view line, bool, const ReadingOptions&) {
  return line.starts_with('{') && line.find("\"involvedObject\"") != std::string_view::npos;
}

}  // namespace coterie::traces
