#include "traces/readers/causes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {
namespace {

constexpr std::size_t kMost = 8;  // causes shown in a message

/// "state", "reason" of StateReason, state_reason or "State Reason"; and the same with capitals that mean nothing.
std::vector<std::string> words_in_name(std::string_view name) {
  std::vector<std::string> words;
  for (const bool capitals_count : {false, true}) {
    words.emplace_back();
    bool was_small = false;
    for (const char c : name) {
      const bool large = c >= 'A' && c <= 'Z';
      const bool mark = c == ' ' || c == '_' || c == '-' || c == '.';
      if ((mark || (large && was_small && capitals_count)) && !words.back().empty()) words.emplace_back();
      if (!mark) words.back() += large ? static_cast<char>(c - 'A' + 'a') : c;
      was_small = c >= 'a' && c <= 'z';
    }
    if (words.back().empty()) words.pop_back();
  }
  return words;
}

std::string list_of(const CauseSet& words) { return quoted_list({words.begin(), words.end()}); }

std::vector<std::string> absent_from(const CauseSet& known, const CauseSet& named) {
  std::vector<std::string> absent;
  std::set_difference(named.begin(), named.end(), known.begin(), known.end(), std::back_inserter(absent));
  return absent;
}

constexpr KnownCause kSlurmRows[] = {
    {"preempted", true},     {"node_fail", true},      {"boot_fail", true},     {"launch_failed", true},
    {"reconfig_fail", true}, {"cancelled", false},     {"completed", false},    {"deadline", false},
    {"failed", false},       {"out_of_memory", false}, {"timeout", false},      {"special_exit", false},
    {"requeued", false},     {"requeue_fed", false},   {"requeue_hold", false}, {"resv_del_hold", false},
    {"resizing", false},  // of the record up to then, another one begins
    {"revoked", false},
};

// The shadow or the startd failed, the connection was lost, or the machine was taken away. Codes below 1000 are those
// of holds. The events are those that say no code, as all did before 23.8.1. [manual of HTCondor 24.0, "Vacate Reason
// Codes", "Job Event Log Codes"]
constexpr KnownCause kCondorRows[] = {
    {"1000", false}, {"1001", false}, {"1002", true},      {"1003", false}, {"1004", false}, {"1005", false},
    {"1006", false}, {"1007", false}, {"1008", true},      {"1009", false}, {"1010", true},  {"1011", true},
    {"1012", true},  {"1013", true},  {"1014", true},      {"1015", true},  {"1016", true},  {"1017", false},
    {"1018", true},  {"1019", true},  {"1020", false},     {"1021", false}, {"1022", false}, {"1023", false},
    {"1024", false}, {"1025", false}, {"1026", false},     {"1027", false}, {"1028", false}, {"1029", false},
    {"1030", false}, {"1031", false}, {"1032", false},     {"1033", false}, {"1034", false}, {"1035", false},
    {"1036", false}, {"hold", false}, {"004", true},       {"007", true},   {"024", true},   {"005", false},
    {"009", false},  {"012", false},  {"requeued", false},
};

constexpr KnownCause kComputeRows[] = {
    {"preempted", true}, {"baremetalcaretakerpreempted", true},
    {"hosterror", true}, {"terminateonhostmaintenance", true},
    {"delete", false},   {"stop", false},
    {"suspend", false},  {"guestterminate", false},
};

constexpr KnownCause kInstanceRows[] = {
    {"bidevictedevent", true},
    {"stopping", false},
    {"stopped", false},
    {"shutting-down", false},
    {"terminated", false},
    {"stopinstances", false},
    {"terminateinstances", false},
    // Status codes of spot requests [EC2 User Guide, "Spot request status codes"]
    {"instance-terminated-by-price", true},
    {"instance-terminated-no-capacity", true},
    {"instance-terminated-capacity-oversubscribed", true},
    {"instance-terminated-launch-group-constraint", true},
    {"instance-terminated-by-experiment", true},
    {"instance-stopped-by-price", true},
    {"instance-stopped-no-capacity", true},
    {"instance-stopped-capacity-oversubscribed", true},
    {"instance-stopped-by-experiment", true},
    {"instance-terminated-by-user", false},
    {"spot-instance-terminated-by-user", false},
    {"instance-stopped-by-user", false},
    {"instance-terminated-by-schedule", false},
    {"spot-instance-terminated-by-schedule", false},
    {"instance-terminated-by-service", false},
};

constexpr KnownCause kNodeRows[] = {
    {"nodenotready", true}, {"rebooted", true}, {"deletingnode", false}, {"removingnode", false}};

// Karpenter 0.20 to 1.5, the cluster autoscaler 1.20 to 1.34, AWS node termination handler 1.3 to 1.25, AKS (scheduled
// events), the kubelet and kubectl drain.
constexpr KnownCause kAnnouncedRows[] = {
    {"spotinterrupted", true},
    {"spotinterruption", true},
    {"terminatingoninterruption", true},
    {"instanceunhealthy", true},
    {"spotitn", true},
    {"scheduledevent", true},
    {"preemptscheduled", true},
    {"rebootscheduled", true},
    {"redeployscheduled", true},
    {"terminatescheduled", true},
    {"terminationnotice", true},
    {"scaledown", false},
    {"scaledownempty", false},
    {"disruptionterminating", false},
    {"disruptionlaunching", false},
    {"deprovisioningterminating", false},
    {"terminationgraceperiodexpiring", false},
    {"consolidation", false},
    {"drain", false},
    {"drainscheduled", false},
    {"draining", false},
    {"drained", false},
    {"cordon", false},
    {"cordonstarting", false},
    {"nodenotschedulable", false},
};

// Whoever orders it, the work on the machine is gone, as in HTCondor and Kubernetes.
constexpr KnownCause kLoginRows[] = {{"crash", true}, {"shutdown", true}, {"down", true}, {"reboot", true}};

constexpr KnownCause kFlagRows[] = {{"true", true},   {"1", true},  {"1.0", true},
                                    {"false", false}, {"0", false}, {"0.0", false}};

}  // namespace

const std::span<const KnownCause> kSlurmStates = kSlurmRows;
const std::span<const KnownCause> kCondorCauses = kCondorRows;
const std::span<const KnownCause> kComputeMethods = kComputeRows;
const std::span<const KnownCause> kInstanceStates = kInstanceRows;
const std::span<const KnownCause> kNodeReasons = kNodeRows;
const std::span<const KnownCause> kNodeAnnouncements = kAnnouncedRows;
const std::span<const KnownCause> kLoginRecords = kLoginRows;
const std::span<const KnownCause> kFlags = kFlagRows;

const KnownCause* find_cause(std::span<const KnownCause> known, std::string_view word) {
  const std::string lower = lower_case(word);
  const auto found = std::find_if(known.begin(), known.end(), [&](const KnownCause& row) { return row.word == lower; });
  return found == known.end() ? nullptr : &*found;
}

bool is_flag(std::string_view name) {
  const std::vector<std::string> words = words_in_name(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return is_one_of(
        std::array<std::string_view, 6>{"preempted", "interrupted", "evicted", "reclaimed", "failed", "lost"}, word);
  });
}

bool looks_like_cause(std::string_view name) {
  if (find_column({std::string(name)}, "end_type")) return true;
  const std::vector<std::string> words = words_in_name(name);
  if (words.empty() ||
      is_one_of(std::array<std::string_view, 5>{"time", "date", "timestamp", "at", "id"}, words.back()))
    return false;
  return is_flag(name) || std::any_of(words.begin(), words.end(), [](const std::string& word) {
           return is_one_of(std::array<std::string_view, 14>{"reason", "cause", "status", "state", "event", "outcome",
                                                             "action", "why", "exit", "termination", "terminated",
                                                             "killed", "ended", "comment"},
                            word);
         });
}

std::optional<std::size_t> cause_column(CsvReader& csv, const ReadingOptions& options) {
  if (options.cause_column == "none") return std::nullopt;
  if (options.cause_column) return csv.column(*options.cause_column);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < csv.names().size(); ++i)
    if (!csv.is_used(i) && looks_like_cause(csv.names()[i])) found.push_back(csv.names()[i]);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1)
    csv.fail_header(fmt::format(
        "\"{}\" and \"{}\" could both say why a spell ended; choose one with --option cause=COLUMN, or give cause=none",
        echoed(found[0]), echoed(found[1])));
  return csv.column(found.front());
}

std::map<std::string, std::int64_t> absent_causes(const std::string& file, const ReadingOptions& options,
                                                  const CauseSet& known) {
  std::map<std::string, CauseSet> lists;
  if (options.is_given("observed")) lists["observed"] = options.observed_causes;
  if (options.is_given("censored")) lists["censored"] = options.censored_causes;
  CauseSet unnamed = known;  // what a mistyped cause may stand for
  for (const auto& [option, named] : lists)
    for (const std::string& cause : named) unnamed.erase(cause);
  std::map<std::string, std::int64_t> counts;
  for (const auto& [option, named] : lists) {
    const std::vector<std::string> absent = absent_from(known, named);
    for (const std::string& cause : absent)
      if (const std::string near = suggestion(cause, {unnamed.begin(), unnamed.end()}); !near.empty())
        fail_trace(file, 0, "E_CAUSE",
                   fmt::format("{}= names \"{}\", which ends no spell in the file{}", option, echoed(cause), near));
    if (!absent.empty())
      counts[fmt::format("W_ABSENT {}={}", option, echoed(fmt::format("{}", fmt::join(absent, ","))))] =
          std::ssize(absent);
  }
  return counts;
}

Causes::Causes(const ReadingOptions& options, std::string_view column)
    : options_(&options),
      flags_(is_flag(column) || find_column({"event", "observed", "event_observed", "E"}, column).has_value()) {}

void Causes::saw(const std::string& cause) {
  if (!cause.empty()) seen_.insert(cause);
}

std::optional<bool> Causes::verdict(const std::string& cause, std::string_view as) const {
  // The lists' defaults are those of files whose words are not known.
  if ((known_.empty() || options_->is_given("observed")) && options_->observed_causes.contains(cause)) return true;
  if ((known_.empty() || options_->is_given("censored")) && options_->censored_causes.contains(cause)) return false;
  const KnownCause* row = find_cause(known_.empty() && flags_ ? kFlags : known_, as);
  return row == nullptr ? std::nullopt : std::optional(row->interrupts);
}

bool Causes::interrupts(std::size_t line, std::string_view written, std::string_view as) {
  const std::string cause = lower_case(written);
  saw(cause);
  if (const auto known = verdict(cause, as)) return *known;
  if (!known_.empty()) {
    ++counted_[fmt::format("W_UNKNOWN {}", cause.empty() ? "(none)" : echoed(written))];
    return false;
  }
  const bool observed = options_->is_given("observed");
  if (observed != options_->is_given("censored")) {
    ++counted_[fmt::format("W_CAUSE {}", echoed(written))];
    if (!observed && !cause.empty()) by_elimination_.insert(cause);
    return !observed;
  }
  if (first_line_ == 0) first_line_ = line;
  if (unknown_.size() < kMost && std::find(unknown_.begin(), unknown_.end(), cause) == unknown_.end())
    unknown_.push_back(cause);
  return false;
}

void Causes::open(std::size_t line, std::string_view written) {
  const std::string cause = lower_case(written);
  saw(cause);
  Open& open = open_[cause];
  if (open.rows++ == 0) open.first_line = line;
}

void Causes::mention(std::string_view written) { saw(lower_case(written)); }

std::map<std::string, std::int64_t> Causes::finish(const std::string& file) const {
  CauseSet known = seen_;
  for (const KnownCause& row : known_) known.emplace(row.word);
  std::map<std::string, std::int64_t> counts = absent_causes(file, *options_, known);
  counts.insert(counted_.begin(), counted_.end());
  Open interrupted;
  for (const auto& [cause, open] : open_) {
    if (!verdict(cause, cause).value_or(by_elimination_.contains(cause))) continue;
    interrupted.first_line =
        interrupted.rows == 0 ? open.first_line : std::min(interrupted.first_line, open.first_line);
    interrupted.rows += open.rows;
  }
  if (interrupted.rows > 0) counts[fmt::format("W_OPEN {}", interrupted.first_line)] = interrupted.rows;
  if (first_line_ == 0) return counts;
  std::vector<std::string> shown;
  for (const std::string& cause : unknown_) shown.push_back(echoed(cause));
  fail_trace(
      file, first_line_, "E_CAUSE",
      fmt::format("which of the causes {} are interruptions? Name all of them with --option observed=CAUSE,CAUSE (all "
                  "others then are not), or give both lists; an end by {} is one now, an end by {} is not",
                  quoted_list(shown), echoed(list_of(options_->observed_causes)),
                  echoed(list_of(options_->censored_causes))));
}

}  // namespace coterie::traces
