/// Logs of clouds and clusters: what happened to instances and nodes, as records of JSON (see Documents).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/instance_log.hpp"
#include "traces/readers/line_reader.hpp"

namespace coterie::traces {
namespace {

AvailabilityTrace finished(InstanceLog& log, const Causes& causes, const std::string& file) {
  for (const auto& [warning, times] : causes.finish(file)) log.count(warning, times);
  return log.finish();
}

constexpr std::string_view kEc2Warning = "EC2 Spot Instance Interruption Warning";
constexpr double kEc2Lead = 120;  // seconds from the warning to the interruption
constexpr std::string_view kEc2StateChange = "EC2 Instance State-change Notification";
constexpr std::array<std::string_view, 2> kEc2Starts = {"RunInstances", "StartInstances"};
constexpr double kEc2EvictionDelay = 600;  // at most so long after the end, CloudTrail says that it was an eviction

/// The instances that a record of CloudTrail is about.
std::vector<std::string> instances_of(const nlohmann::json& call) {
  std::vector<std::string> instances;
  for (const char* path : {"serviceEventDetails/instanceIdSet", "responseElements/instancesSet/items",
                           "requestParameters/instancesSet/items"}) {
    const nlohmann::json* list = json_at(call, path);
    if (list == nullptr || !list->is_array() || !instances.empty()) continue;
    for (const nlohmann::json& one : *list)
      instances.push_back(one.is_string() ? one.get<std::string>() : text_at(one, {"instanceId"}));
  }
  return instances;
}

/// Events of EventBridge: state changes and spot interruption warnings; calls and evictions of CloudTrail, from its own
/// files or EventBridge; and requests for spot instances, which say when they were made, not when the instance came up.
/// Errors: E_FIELDS E_NUMBER E_NEGATIVE E_EMPTY.
AvailabilityTrace read_ec2(std::istream& input, const std::string& file, const ReadingOptions& options) {
  Documents documents(input, file);
  InstanceLog log(options, file);
  Causes causes(options, kInstanceStates);
  nlohmann::json event;
  const auto call = [&](const nlohmann::json& record) {
    const std::string name = documents.text(record, "eventName");
    const bool starts = is_one_of(kEc2Starts, name);
    const auto time = Documents::time_if_any(record, "eventTime");
    if ((!starts && !find_cause(kInstanceStates, name)) || !time || record.contains("errorCode")) return log.skip(time);
    for (const std::string& instance : instances_of(record)) {
      if (starts) {
        log.up(instance, instance, *time, documents.line());
        continue;
      }
      const bool interrupted = causes.interrupts(documents.line(), name);
      if (interrupted) log.announce(instance, *time - kEc2EvictionDelay, true, documents.line());
      log.down(instance, *time, interrupted, documents.line());
    }
  };
  const auto spot_request = [&](const nlohmann::json& record) {
    const std::string instance = text_at(record, {"InstanceId"});
    const std::string status = documents.text(record, "Status/Code");
    const double changed = documents.time(record, "Status/UpdateTime");
    if (instance.empty()) return log.count("W_NOTSTARTED");
    if (text_at(record, {"Type"}) == "persistent") return log.count("W_PERSISTENT");  // perhaps not its first instance
    log.count("W_REQUESTED");
    log.up(instance, instance, documents.time(record, "CreateTime"), documents.line());
    if (documents.text(record, "State") == "active" || status == "request-canceled-and-instance-running")
      log.find_again(instance, changed, documents.line());
    else
      log.down(instance, changed, causes.interrupts(documents.line(), status), documents.line());
  };
  while (documents.next(event)) {
    if (event.contains("eventName")) {
      call(event);
      continue;
    }
    if (event.contains("SpotInstanceRequestId")) {
      spot_request(event);
      continue;
    }
    const std::string type = documents.text(event, "detail-type");
    if (type == "AWS API Call via CloudTrail" || type == "AWS Service Event via CloudTrail") {
      call(event.value("detail", nlohmann::json::object()));
      continue;
    }
    if (type != kEc2Warning && type != kEc2StateChange) {
      log.skip(Documents::time_if_any(event, "time"));
      continue;
    }
    const std::string instance = documents.text(event, "detail/instance-id");
    const double time = documents.time(event, "time");
    if (type == kEc2Warning) {
      log.notice(instance, time, kEc2Lead, documents.line());
      continue;
    }
    const std::string state = documents.text(event, "detail/state");
    if (state == "running") {
      log.up(instance, instance, time, documents.line());
    } else if (state == "pending") {
      log.idle(instance, time, documents.line());
    } else if (find_cause(kInstanceStates, state)) {
      log.down(instance, time, causes.interrupts(documents.line(), state), documents.line());
    } else {
      log.skip(time);
    }
  }
  log.explain("no event says that an instance came up (state running, RunInstances)");
  return finished(log, causes, file);
}

bool fits_ec2(const nlohmann::json& record) {
  return record.contains("detail-type") || record.contains("SpotInstanceRequestId") ||
         (record.contains("eventName") && record.contains("eventSource"));
}

constexpr std::array<std::string_view, 4> kGceUp = {"insert", "start", "resume", "automaticrestart"};

/// An entry of the audit log, or an operation.
struct ComputeCall {
  std::string method;  ///< "insert" from "v1.compute.instances.insert"; "" for methods of anything else
  std::string instance;
  bool failed = false;
  bool first = false;  ///< the beginning of a long call whose end is another entry
  std::string id;      ///< the same for all entries of a call; "" if the entry does not name its call
};

bool is_true(const nlohmann::json* value) { return value != nullptr && value->is_boolean() && value->get<bool>(); }

ComputeCall call_of(const nlohmann::json& entry) {
  constexpr std::string_view kInstances = "instances";
  ComputeCall call;
  const bool operation = entry.contains("operationType");
  const std::string name = text_at(entry, {operation ? "operationType" : "protoPayload/methodName"});
  call.instance = text_at(entry, {operation ? "targetLink" : "protoPayload/resourceName"});
  const std::string wanted = fmt::format("compute.{}.", kInstances);
  if (const std::size_t at = name.find(wanted); at != name.npos)
    call.method = name.substr(at + wanted.size());
  else if (operation && call.instance.find("/instances/") != std::string::npos)
    call.method = name;  // of a call of the user: "insert"
  if (operation) {
    call.failed = entry.contains("error") || entry.contains("httpErrorStatusCode");
    if (const std::size_t at = call.instance.find("projects/"); at != call.instance.npos)
      call.instance = call.instance.substr(at);
    return call;
  }
  const auto code = number_at(entry, "protoPayload/status/code");
  call.failed = code && *code != 0;
  call.first = is_true(json_at(entry, "operation/first")) && !is_true(json_at(entry, "operation/last"));
  const std::string id = text_at(entry, {"operation/id"});
  if (!id.empty() && !name.empty() && !call.instance.empty())
    call.id = fmt::format("{}\n{}\n{}", name, call.instance, id);
  return call;
}

/// Google Compute Engine: the audit log (LogEntry v2, AuditLog v1) or its operations. insert, start, resume and
/// automaticRestart bring an instance up. A long call brings an instance up at its end, and ends a spell at its
/// beginning. Failed calls (of which the last entry may say so, under the operation.id of the first) and other methods
/// are counted. [Compute Engine audit logging; zoneOperations] Errors: E_FIELDS E_NUMBER E_NEGATIVE E_EMPTY.
AvailabilityTrace read_gce(std::istream& input, const std::string& file, const ReadingOptions& options) {
  /// The beginning of a call that ends a spell, unless it fails.
  struct BegunEnd {
    ComputeCall call;
    double time = 0;
    bool interrupted = false;
    std::size_t line = 0;
  };
  Documents documents(input, file);
  InstanceLog log(options, file);
  Causes causes(options, kComputeMethods);
  std::set<std::string> failed_calls;
  std::vector<BegunEnd> begun_ends;
  nlohmann::json entry;
  while (documents.next(entry)) {
    const bool operation = entry.contains("operationType");
    if (!operation) documents.text(entry, "protoPayload/methodName");
    const ComputeCall call = call_of(entry);
    const bool up = is_one_of(kGceUp, lower_case(call.method));
    const char* when = !operation ? "timestamp" : up ? "endTime" : "startTime";
    if (operation && text_at(entry, {when}).empty()) when = "insertTime";
    if (call.failed) failed_calls.insert(call.id);
    if ((!up && !find_cause(kComputeMethods, call.method)) || call.failed) {
      log.skip(Documents::time_if_any(entry, when));
      continue;
    }
    if (call.instance.empty())
      documents.fail("E_FIELDS",
                     fmt::format("{} is missing or not text", operation ? "targetLink" : "protoPayload/resourceName"));
    const double time = documents.time(entry, when);
    if (up && call.first) {  // the instance is up once the call has ended
      log.idle(call.instance, time, documents.line());
      continue;
    }
    if (up) {
      log.up(call.instance, call.instance, time, documents.line());
      continue;
    }
    const bool interrupted = causes.interrupts(documents.line(), call.method);
    if (call.first)
      begun_ends.push_back({call, time, interrupted, documents.line()});
    else
      log.down(call.instance, time, interrupted, documents.line());
  }
  for (const BegunEnd& end : begun_ends) {
    if (!end.call.id.empty() && failed_calls.contains(end.call.id))
      log.skip(end.time);
    else
      log.down(end.call.instance, end.time, end.interrupted, end.line);
  }
  log.explain("no entry says that an instance came up (compute.instances.insert, start, ...)");
  return finished(log, causes, file);
}

bool fits_gce(const nlohmann::json& record) {
  return record.contains("protoPayload") || (record.contains("operationType") && record.contains("targetLink"));
}

/// A node is ready again, or its end is no longer to be expected.
constexpr std::string_view kReady = "NodeReady";
constexpr std::array<std::string_view, 3> kRetractions = {"NodeSchedulable", "ScaleDownFailed", "Uncordon"};
constexpr double kKubernetesBridge = 300;  // seconds; then the pods are evicted (tolerationSeconds of not-ready)

/// What the reasons of events mean, with the user's lists over it. observed= replaces which of kNodeReasons interrupt.
class NodeReasons {
 public:
  explicit NodeReasons(const ReadingOptions& options)
      : options_(&options), causes_(options, kNodeReasons), announcements_(options, kNodeAnnouncements) {}

  bool ends(std::string_view reason) const { return find_cause(kNodeReasons, reason) != nullptr; }
  bool announces(std::string_view reason) const {
    const std::string word = lower_case(reason);
    const auto named = [&](const char* option, const auto& list) {
      return options_->is_given(option) && list.contains(word);
    };
    return !ends(reason) && (find_cause(kNodeAnnouncements, reason) || named("observed", options_->observed_causes) ||
                             named("censored", options_->censored_causes));
  }
  bool interrupts(std::size_t line, std::string_view reason) {
    if (!ends(reason)) return announcements_.interrupts(line, reason);
    if (options_->is_given("observed")) return options_->observed_causes.contains(lower_case(reason));
    return causes_.interrupts(line, reason);
  }
  /// Counts what the lists name that is no known reason.
  std::map<std::string, std::int64_t> absent(const std::string& file) const {
    CauseSet known = seen_;
    for (const auto& table : {kNodeReasons, kNodeAnnouncements})
      for (const KnownCause& row : table) known.emplace(row.word);
    return absent_causes(file, *options_, known);
  }
  void saw(std::string_view reason) { seen_.insert(lower_case(reason)); }

 private:
  const ReadingOptions* options_;
  Causes causes_;
  Causes announcements_;
  CauseSet seen_;
};

/// Where an event says when it last happened: new ones in their series, old ones in lastTimestamp.
std::string_view time_path(const nlohmann::json& event) {
  for (const std::string_view path :
       {"series/lastObservedTime", "lastTimestamp", "deprecatedLastTimestamp", "eventTime"})
    if (!text_at(event, {path}).empty()) return path;
  return "lastTimestamp";
}

/// How often it has happened so far.
std::int64_t times(const nlohmann::json& event) {
  for (const std::string_view path : {"series/count", "count", "deprecatedCount"})
    if (const nlohmann::json* value = json_at(event, path); value != nullptr && value->is_number())
      return std::llround(std::clamp(value->get<double>(), 1.0, 1e15));
  return 1;
}

/// Events of Kubernetes nodes (v1 or events.k8s.io/v1). NodeReady brings a node up; kNodeReasons end its spell, for the
/// cause that one of kNodeAnnouncements gave before, if any. Occurrences of an event that are not in the log count as
/// W_MISSED. [kubelet and node controllers of 1.20 to 1.34] Errors: E_FIELDS E_NUMBER E_CAUSE E_NEGATIVE E_EMPTY.
AvailabilityTrace read_kubernetes(std::istream& input, const std::string& file, const ReadingOptions& given) {
  ReadingOptions options = given;
  if (!given.is_given("bridge")) options.bridge = kKubernetesBridge;
  Documents documents(input, file);
  InstanceLog log(options, file);
  NodeReasons reasons(options);
  std::map<std::string, std::set<std::int64_t>> counts;          // by event: how often it had happened each time
  std::set<std::tuple<std::string, std::int64_t, double>> told;  // event, how often by then, when
  nlohmann::json event;
  while (documents.next(event)) {
    const std::string about = event.contains("regarding") ? "regarding" : "involvedObject";
    const std::string kind = documents.text(event, about + "/kind");
    const std::string reason = documents.text(event, "reason");
    const bool retracts = is_one_of(kRetractions, reason);
    if (kind == "Node") reasons.saw(reason);
    if (kind != "Node" || !(reason == kReady || retracts || reasons.ends(reason) || reasons.announces(reason))) {
      log.skip(Documents::time_if_any(event, time_path(event)));
      continue;
    }
    const std::string node = documents.text(event, about + "/name");
    const double time = documents.time(event, time_path(event));
    const std::size_t line = documents.line();
    const std::string uid = text_at(event, {"metadata/uid"});
    const std::string name = uid.empty() ? node + '\n' + reason : uid;
    const std::int64_t now = times(event);
    if (!told.emplace(name, now, time).second) {  // the log was begun anew
      if (options.wants(node)) log.count("W_AGAIN");
      continue;
    }
    if (!uid.empty() && options.wants(node)) counts[name].insert(now);
    if (reason == kReady)
      log.up(node, node, time, line);
    else if (retracts)
      log.retract(node, time, line);
    else if (reasons.announces(reason))
      log.announce(node, time, reasons.interrupts(line, reason), line);
    else if (reason == "Rebooted")
      log.restart(node, time, reasons.interrupts(line, reason), line);
    else
      log.down(node, time, reasons.interrupts(line, reason), line,
               reason == "NodeNotReady" ? InstanceLog::Flap::kPossible : InstanceLog::Flap::kNo);
  }
  for (const auto& [name, told_counts] : counts)
    if (const std::int64_t missed = *told_counts.rbegin() - std::ssize(told_counts); missed > 0)
      log.count("W_MISSED", missed);
  for (const auto& [warning, number] : reasons.absent(file)) log.count(warning, number);
  log.explain("no event says that a node became ready (reason NodeReady)");
  return log.finish();
}

bool fits_kubernetes(const nlohmann::json& record) {
  return record.contains("involvedObject") || (record.contains("regarding") && record.contains("reason"));
}

}  // namespace

std::vector<TraceFormat> cloud_formats() {
  return {{"ec2",
           "Amazon EC2, JSON: events of EventBridge or CloudTrail (state changes, spot interruption warnings, "
           "evictions), or "
           "`aws ec2 describe-spot-instance-requests`",
           {"t0", "t1", "zero", "overlap", "bridge", "observed", "censored", "host"},
           read_ec2,
           nullptr,
           fits_ec2},
          {"gce",
           "Google Compute Engine, JSON: entries of the audit log, or `gcloud compute operations list`",
           {"t0", "t1", "zero", "overlap", "bridge", "observed", "censored", "host", "zone_parts"},
           read_gce,
           nullptr,
           fits_gce},
          {"kubernetes",
           "Kubernetes node events, JSON",
           {"t0", "t1", "zero", "overlap", "bridge", "host", "observed", "censored"},
           read_kubernetes,
           nullptr,
           fits_kubernetes,
           {{"observed", "nodenotready,rebooted"}, {"bridge", "5min"}}}};
}

}  // namespace coterie::traces
