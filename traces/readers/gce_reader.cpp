#include "traces/readers/gce_reader.hpp"

#include <array>
#include <set>
#include <vector>

#include "traces/readers/instance_log.hpp"
#include "traces/readers/json_lines.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 4> kGceUp = {"insert", "start", "resume", "automaticRestart"};
constexpr std::array<std::string_view, 3> kGceInterrupted = {"preempted", "hostError", "terminateOnHostMaintenance"};
constexpr std::array<std::string_view, 4> kGceEnded = {"delete", "stop", "suspend", "guestTerminate"};

/// "insert" from "v1.compute.instances.insert"; "" for methods of anything else.
std::string_view method_of(std::string_view name) {
  constexpr std::string_view kInstances = "compute.instances.";
  const std::size_t at = name.find(kInstances);
  return at == std::string_view::npos ? "" : name.substr(at + kInstances.size());
}

bool is_true(const nlohmann::json* value) { return value != nullptr && value->is_boolean() && value->get<bool>(); }

/// A call that was refused or failed changed nothing.
bool has_failed(const nlohmann::json& entry) {
  const nlohmann::json* code = json_at(entry, "protoPayload/status/code");
  return code != nullptr && code->is_number() && code->get<double>() != 0;
}

/// Long calls have two entries, one at their beginning and one at their end, which says whether they failed.
bool is_beginning(const nlohmann::json& entry) {
  return is_true(json_at(entry, "operation/first")) && !is_true(json_at(entry, "operation/last"));
}

/// The same for all entries of a call; "" if the entry does not name its call.
std::string call_of(const nlohmann::json& entry) {
  std::string call;
  for (const char* path : {"protoPayload/methodName", "protoPayload/resourceName", "operation/id"}) {
    const nlohmann::json* part = json_at(entry, path);
    if (part == nullptr || !part->is_string()) return "";
    call += part->get<std::string>() + '\n';
  }
  return call;
}

/// The beginning of a call that ends a spell, unless it fails.
struct BegunEnd {
  std::string call;
  std::string instance;
  double time = 0;
  bool interrupted = false;
  std::size_t line = 0;
};

}  // namespace

AvailabilityTrace read_gce(std::istream& input, const std::string& file, const ReadingOptions& options) {
  JsonLines lines(input, file);
  InstanceLog log(options, file);
  std::set<std::string> failed_calls;
  std::vector<BegunEnd> begun_ends;
  nlohmann::json entry;
  while (lines.next(entry)) {
    const std::string name = lines.text(entry, "protoPayload/methodName");
    const std::string_view method = method_of(name);
    const bool up = is_one_of(kGceUp, method);
    const bool interrupted = is_one_of(kGceInterrupted, method);
    const bool failed = has_failed(entry);
    if (failed) failed_calls.insert(call_of(entry));
    if (!(up || interrupted || is_one_of(kGceEnded, method)) || failed) {
      log.skip(JsonLines::time_if_any(entry, "timestamp"));
      continue;
    }
    const std::string instance = lines.text(entry, "protoPayload/resourceName");
    const double time = lines.time(entry, "timestamp");
    if (!up && is_beginning(entry)) {
      begun_ends.push_back({call_of(entry), instance, time, interrupted, lines.line()});
    } else if (!up) {
      log.down(instance, time, interrupted, lines.line());
    } else if (is_beginning(entry)) {  // the instance is up once the call has ended
      log.idle(instance, time, lines.line());
    } else {
      log.up(instance, instance, time, lines.line());
    }
  }
  for (const BegunEnd& end : begun_ends) {
    if (!end.call.empty() && failed_calls.contains(end.call)) {
      log.skip(end.time);
    } else {
      log.down(end.instance, end.time, end.interrupted, end.line);
    }
  }
  return log.finish();
}

bool accepts_gce(std::string_view line, bool, const ReadingOptions&) {
  return line.starts_with('{') && line.find("\"protoPayload\"") != std::string_view::npos;
}

}  // namespace coterie::traces
