/// Tables about fleets of machines: when some failed, and how many there are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <vector>

#include "core/cancellation.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/spell_list.hpp"
#include "traces/readers/times.hpp"

namespace coterie::traces {
namespace {

/// A failure of machines without a name.
struct Strike {
  double time = 0;
  double down = 0;  ///< until it is repaired
  std::size_t machines = 1;
  std::size_t line = 0;
};

/// The spells of `population` machines, up from t0 on, if each failure hits those that have been up longest.
void add_strikes(SpellList& spells, std::vector<Strike> strikes, std::size_t population, double t0) {
  std::stable_sort(strikes.begin(), strikes.end(), [](const Strike& a, const Strike& b) { return a.time < b.time; });
  using Machine = std::pair<double, std::size_t>;  // since when it is up (or will be), its history
  std::set<Machine> up;
  std::priority_queue<Machine, std::vector<Machine>, std::greater<>> down;
  for (std::size_t i = 0; i < population; ++i) up.emplace(t0, spells.history(fmt::format("machine{}", i + 1)));
  const auto spell_of = [&](const Machine& machine, std::size_t line) {
    Spell spell{machine.second, machine.first, machine.first, true, machine.first == t0};
    spell.line = line;
    return spell;
  };
  for (const Strike& strike : strikes) {
    cancellation_point();
    for (; !down.empty() && down.top().first <= strike.time; down.pop()) up.insert(down.top());
    for (std::size_t i = 0; i < strike.machines && !up.empty(); ++i) {
      const Machine machine = *up.begin();
      up.erase(up.begin());
      Spell spell = spell_of(machine, strike.line);
      spell.end = strike.time;
      if (strike.time > machine.first) spells.add(spell);
      down.emplace(strike.time + strike.down, machine.second);
    }
    spells.saw(strike.time);
  }
  for (; !down.empty(); down.pop()) up.insert(down.top());
  for (const Machine& machine : up) {
    Spell spell = spell_of(machine, 0);
    spell.open = true;
    if (strikes.empty() || machine.first <= strikes.back().time) spells.add(spell);
  }
}

std::size_t population_of(const std::string& file, const ReadingOptions& options) {
  if (!options.population)
    fail_trace(
        file, 0, "E_POPULATION",
        "failures alone do not say how many machines did not fail; give the number of all: --option population=N");
  return *options.population;
}

const std::vector<std::string> kFailureTimes = {"failure_time", "failure_start",   "fail_time", "failed_at",
                                                "fault_start",  "time_of_failure", "event_time"};
const std::vector<std::string> kRepairTimes = {"repair_time", "repaired_at", "failure_end",
                                               "fault_end",   "fixed",       "recovery_time"};

/// The failures of a fleet, of machines with names or without.
class FailureList {
 public:
  FailureList(const ReadingOptions& options, const std::string& file)
      : options_(&options), file_(file), spells_(options, file) {}

  /// `repaired`: nothing if the machine is up again at once, infinity if it never is.
  void add(const std::string& machine, double time, std::optional<double> repaired, std::size_t line) {
    any_ = true;
    earliest_ = std::min(earliest_, time);
    if (machine.empty()) {
      strikes_.push_back({time, repaired.value_or(time) - time, 1, line});
      return;
    }
    Spell down{spells_.history(machine), time, repaired.value_or(time)};
    down.line = line;
    down.open = std::isinf(down.end);
    spells_.add(down);
  }
  void count(const std::map<std::string, std::int64_t>& counts) {
    for (const auto& [warning, times] : counts) spells_.count(warning, times);
  }
  AvailabilityTrace finish() {
    if (!any_) return spells_.finish();
    const std::size_t population = population_of(file_, *options_);
    if (strikes_.empty()) {
      spells_.complement();
    } else {
      spells_.count("W_NONAMES", std::ssize(strikes_));
      add_strikes(spells_, strikes_, population, options_->t0.value_or(earliest_));
    }
    return spells_.finish();
  }

 private:
  const ReadingOptions* options_;
  std::string file_;
  bool any_ = false;
  SpellList spells_;
  std::vector<Strike> strikes_;
  double earliest_ = 1e308;
};

/// CSV with the times of failures, and perhaps machines and repairs (LANL).
AvailabilityTrace read_failure_table(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  FailureList failures(options, file);
  if (csv.names().empty()) return failures.finish();
  const auto column = [&](const std::optional<std::string>& given, const std::vector<std::string>& usual,
                          const char* option) {
    return given ? std::optional(csv.column(*given)) : csv.one_of(usual, option);
  };
  const auto time = column(options.start_column, kFailureTimes, "start");
  if (!time) csv.fail_header("no column is known to say when machines failed; name it by --option start=COLUMN");
  const auto repair = column(options.end_column, kRepairTimes, "end");
  const auto host = column(options.name_column, host_columns(), "name");
  FileTimes time_of(options);
  while (csv.next()) {
    std::optional<double> repaired;
    if (repair) repaired = csv[*repair].empty() ? HUGE_VAL : time_of(csv, csv[*repair]);
    const double failed = time_of(csv, csv[*time]);
    if (repaired && *repaired < failed) csv.fail("E_NEGATIVE", "it is repaired before it fails; swap or correct them");
    failures.add(host ? csv[*host] : "", failed, repaired, csv.line());
  }
  for (const auto& counts : {csv.unused(), time_of.unaffected()}) failures.count(counts);
  AvailabilityTrace trace = failures.finish();
  trace.unit = time_of.unit();
  return trace;
}

/// JSON events fault_start and fault_end of nodes (InfiniteHBD).
AvailabilityTrace read_fault_events(std::istream& input, const std::string& file, const ReadingOptions& options) {
  struct Fault {
    double time;
    std::size_t line;
  };
  Documents documents(input, file);
  FailureList failures(options, file);
  std::map<std::string, std::queue<Fault>> open;
  nlohmann::json event;
  std::int64_t ends = 0;
  while (documents.next(event)) {
    const std::string node = documents.text(event, "node_id");
    const std::string type = documents.text(event, "event_type");
    const auto number = number_at(event, "event_time");
    if (!number || !std::isfinite(options.unit.seconds(*number)))
      documents.fail("E_NUMBER", "event_time is missing or no number");
    const double time = options.unit.seconds(*number);
    std::queue<Fault>& faults = open[node];
    if (type == "fault_start") {
      faults.push({time, documents.line()});
    } else if (type != "fault_end") {
      documents.fail("E_EVENT", fmt::format("\"{}\" is neither fault_start nor fault_end", echoed(type)));
    } else if (faults.empty()) {
      ++ends;
    } else {
      if (time < faults.front().time)
        documents.fail("E_ORDER", "the fault ends before it starts; events must be in order");
      failures.add(node, faults.front().time, time, faults.front().line);
      faults.pop();
    }
  }
  for (auto& [node, faults] : open)
    for (; !faults.empty(); faults.pop()) failures.add(node, faults.front().time, HUGE_VAL, faults.front().line);
  if (ends > 0) failures.count({{"W_NOSTART", ends}});
  return failures.finish();
}

/// Errors: E_POPULATION E_HEADER E_FIELDS E_NUMBER E_EVENT E_ORDER E_NEGATIVE E_COUNT E_EMPTY.
AvailabilityTrace read_failures(std::istream& input, const std::string& file, const ReadingOptions& options) {
  return holds_documents(input) ? read_fault_events(input, file, options) : read_failure_table(input, file, options);
}

bool has_one(const std::vector<std::string>& names, const std::vector<std::string>& known) {
  return std::any_of(known.begin(), known.end(), [&](const std::string& name) { return find_column(names, name); });
}

bool accepts_failures(std::string_view line, bool first, const ReadingOptions& options) {
  if (!first) return true;
  const auto names = csv_fields(line, csv_delimiter(line));
  return names && (has_one(*names, kFailureTimes) ||
                   (options.population && options.start_column && find_column(*names, *options.start_column)));
}

bool fits_failures(const nlohmann::json& record) {
  return record.contains("node_id") && record.contains("event_type") && record.contains("event_time");
}

/// OpenDC's failure traces, written as CSV: failure_interval (since the failure before), failure_duration, both in
/// milliseconds, and failure_intensity, the share of the hosts that it hits. Without population=, the site is one
/// machine. Errors: E_HEADER E_FIELDS E_NUMBER E_NEGATIVE E_EMPTY.
AvailabilityTrace read_opendc(std::istream& input, const std::string& file, const ReadingOptions& options) {
  constexpr double kMilli = 1e3;
  CsvReader csv(input, file);
  SpellList spells(options, file);
  if (csv.names().empty()) return spells.finish();
  const std::size_t interval = csv.column("failure_interval"), duration = csv.column("failure_duration"),
                    intensity = csv.column("failure_intensity");
  const std::size_t population = options.population.value_or(1);
  std::vector<Strike> strikes;
  std::int64_t partly = 0;
  double now = 0;
  const auto number_of = [&](std::size_t column) {
    const auto number = parse_number(csv[column]);
    if (!number || *number < 0)
      csv.fail("E_NUMBER",
               fmt::format("{} is \"{}\"; it must be a number of 0 or more", csv.names()[column], csv[column]));
    return *number;
  };
  while (csv.next()) {
    now += number_of(interval) / kMilli;
    const double share = number_of(intensity);
    if (share > 1) csv.fail("E_NUMBER", fmt::format("the intensity {} is more than 1, all hosts", csv[intensity]));
    const double hit = std::round(share * static_cast<double>(population));
    const auto machines = static_cast<std::size_t>(population == 1 && share > 0 ? 1 : hit);
    partly += share > 0 && share < 1;
    strikes.push_back({now, number_of(duration) / kMilli, machines, csv.line()});
  }
  if (partly > 0) spells.count("W_PARTLY", partly);
  for (const auto& [warning, times] : csv.unused()) spells.count(warning, times);
  if (!strikes.empty()) add_strikes(spells, strikes, population, 0);
  return spells.finish();
}

bool accepts_opendc(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return true;
  const auto names = csv_fields(line, csv_delimiter(line));
  return names && find_column(*names, "failure_interval") && find_column(*names, "failure_duration");
}

/// Backblaze's daily tables of disks, one after the other: date, serial_number and failure (1 on a disk's last day). A
/// day on which a disk is listed is a day up. Disks of the first day were there before; those that are no longer listed
/// were taken out. Errors: E_HEADER E_FIELDS E_NUMBER E_FLAG E_EMPTY.
AvailabilityTrace read_backblaze(std::istream& input, const std::string& file, const ReadingOptions& options) {
  constexpr double kDay = 86400;
  struct Disk {
    double first;
    double last;
    bool failed;
    std::size_t line;
  };
  CsvReader csv(input, file);
  SpellList spells(options, file);
  if (csv.names().empty()) return spells.finish();
  const std::size_t date = csv.column("date"), serial = csv.column("serial_number"), failure = csv.column("failure");
  std::map<std::string, Disk> disks;
  double earliest = HUGE_VAL;
  while (csv.next()) {
    if (csv[date] == csv.names()[date]) continue;  // the header of the next table
    const auto day = parse_time_stamp(csv[date] + "T00:00:00Z", TimeUnit{});
    if (!day) csv.fail("E_NUMBER", fmt::format("\"{}\" is not a date", csv[date]));
    if (csv[failure] != "0" && csv[failure] != "1")
      csv.fail("E_FLAG", fmt::format("failure is \"{}\"; it must be 1 or 0", csv[failure]));
    if (csv[serial].empty()) csv.fail("E_FIELDS", "the serial_number is empty");
    earliest = std::min(earliest, *day);
    const bool failed = csv[failure] == "1";
    const auto [found, fresh] = disks.emplace(csv[serial], Disk{*day, *day, failed, csv.line()});
    Disk& disk = found->second;
    disk.first = std::min(disk.first, *day);
    if (*day >= disk.last) disk.failed = failed;
    disk.last = std::max(disk.last, *day);
  }
  for (const auto& [name, disk] : disks) {
    Spell spell{spells.history(name), disk.first, disk.last + kDay, disk.failed, disk.first == earliest};
    spell.line = disk.line;
    spells.add(spell);
  }
  for (const auto& [warning, times] : csv.unused()) spells.count(warning, times);
  spells.resolution(kDay);
  AvailabilityTrace trace = spells.finish();
  trace.unit = UnitSource::kCalendar;
  return trace;
}

bool accepts_backblaze(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return true;
  const auto names = csv_fields(line, csv_delimiter(line));
  return names && find_column(*names, "date") && find_column(*names, "serial_number") && find_column(*names, "failure");
}

/// Hosts of a BOINC project, from its statistics export: the list of hosts that db_dump writes with details. A spell
/// begins when a host joined (create_time) and ends when it last spoke to the server (rpc_time). It counts as lost if
/// it had been silent for longer than `silent=` at the last time of the file, or at t1; otherwise it is censored.
/// [BOINC wiki, XmlStats and DbDump; sched/db_dump.cpp of servers 6 to 8] Errors: E_FIELDS E_NUMBER E_SILENT E_NEGATIVE
/// E_OVERLAP E_EMPTY.
AvailabilityTrace read_boinc(std::istream& input, const std::string& file, const ReadingOptions& options) {
  struct Host {
    std::string id;
    double created;
    double heard;
    std::size_t line;
  };
  Documents documents(input, file);
  SpellList spells(options, file);
  std::vector<Host> hosts;
  double latest = -1e308;
  nlohmann::json record;
  while (documents.next(record)) {
    if (record.value("<>", "") != "host") documents.fail("E_FIELDS", "this is no <host>");
    const std::string id = documents.text(record, "id");
    const auto time_at = [&](const char* name) {
      if (!record.contains(name))
        documents.fail("E_FIELDS",
                       "the host has no create_time or no rpc_time; db_dump writes them only with <detail/>");
      const std::string written = documents.text(record, name);
      const auto time = parse_number(written);
      if (!time)
        documents.fail("E_NUMBER", fmt::format("{} is \"{}\"; it must be seconds since 1970", name, echoed(written)));
      return *time;
    };
    const Host host{id, time_at("create_time"), time_at("rpc_time"), documents.line()};
    latest = std::max({latest, host.created, host.heard});
    if (host.heard != 0)
      hosts.push_back(host);
    else if (options.wants(id))
      spells.count("W_NOTSTARTED");
  }
  if (hosts.empty()) return spells.finish();
  if (!options.silent)
    fail_trace(
        file, 0, "E_SILENT",
        "BOINC does not say which hosts are gone; say after what silence a host counts as gone: --option silent=30d");
  const double end = options.t1.value_or(latest);
  for (const Host& host : hosts) {
    Spell spell{spells.history(host.id), host.created, host.heard, host.heard + *options.silent < end};
    spell.line = host.line;
    spells.add(spell);
  }
  return spells.finish();
}

bool fits_boinc(const nlohmann::json& record) { return record.value("<>", nlohmann::json()) == "host"; }

}  // namespace

std::vector<TraceFormat> fleet_formats() {
  return {
      {"failures",
       "times of failures of a fleet of population= machines: CSV with failure_time, and perhaps host and "
       "repair_time, or JSON events fault_start and fault_end",
       {"population", "unit", "timezone", "t0", "t1", "zero", "bridge", "host", "name", "start", "end", "zone_parts"},
       read_failures,
       accepts_failures,
       fits_failures},
      {"opendc",
       "OpenDC failure traces as CSV: failure_interval, failure_duration, failure_intensity, milliseconds",
       {"population", "t1", "zero", "bridge"},
       read_opendc,
       accepts_opendc},
      {"backblaze",
       "Backblaze's daily tables of disks: CSV with date, serial_number and failure",
       {"t0", "t1", "zero", "host"},
       read_backblaze,
       accepts_backblaze},
      {"boinc",
       "hosts of a BOINC project, from its statistics: XML with create_time and rpc_time (not tested on a real "
       "project)",
       {"t0", "t1", "zero", "overlap", "bridge", "host", "silent"},
       read_boinc,
       nullptr,
       fits_boinc}};
}

}  // namespace coterie::traces
