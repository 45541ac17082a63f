/// Changes of hosts, and other lists of their up times.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/instance_log.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/spell_list.hpp"
#include "traces/readers/times.hpp"

namespace coterie::traces {
namespace {

enum class Change { kUp, kDown };

struct Event {
  std::string host;
  Change change;
};

std::optional<Change> change_of(std::string_view word, std::string_view up, std::string_view down) {
  if (word == up) return Change::kUp;
  if (word == down) return Change::kDown;
  return std::nullopt;
}

/// `time host up|down` or `time add|remove host`.
Event event_of(const LineReader& lines, const std::vector<std::string_view>& words) {
  if (const auto change = change_of(words[2], "up", "down")) return {std::string(words[1]), *change};
  if (const auto change = change_of(words[1], "add", "remove")) return {std::string(words[2]), *change};
  lines.fail("E_EVENT", fmt::format("neither \"{}\" nor \"{}\" is an event; write `time host up|down` or "
                                    "`time,add|remove,host`",
                                    words[1], words[2]));
}

/// Joins a time stamp of two words (date and time of day) to one and returns it; "" if there is none.
std::string join_time(std::vector<std::string_view>& words) {
  if (words.size() != 4) return "";
  std::string joined = fmt::format("{} {}", words[0], words[1]);
  if (!is_calendar_time(joined)) return "";
  words.erase(words.begin());
  return joined;
}

/// Does it name the columns?
bool is_header(const Words& words) {
  const auto is = [&](std::size_t at, const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return find_column({std::string(words[at])}, name); });
  };
  static const std::vector<std::string> times = {"time", "timestamp", "datetime", "date", "when"};
  static const std::vector<std::string> changes = {"event", "state", "status", "change", "action"};
  return words.size() == 3 && is(0, times) &&
         ((is(1, host_columns()) && is(2, changes)) || (is(1, changes) && is(2, host_columns())));
}

/// What is known about a host while the file is read.
struct HostState {
  bool up = false;
  std::string came_up;  // as written
  Spell spell;
};

/// Changes in time order, `time host up|down` (.evt of Godfrey, 2010) or `time,add|remove,host` (Bamboo), separated by
/// blanks or commas, perhaps below the names of these columns. Errors: E_FIELDS E_NUMBER E_EVENT E_ORDER E_STATE
/// E_EMPTY.
AvailabilityTrace read_events(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  SpellList spells(options, file);
  FileTimes time_of(options);
  std::vector<HostState> states;
  std::optional<double> before;
  std::string before_written;
  bool first = true;
  std::string_view line;
  while (lines.next(line)) {
    const bool commas = line.find(',') != std::string_view::npos;
    auto words = commas ? lines.fields(line) : lines.words(line);
    if (std::exchange(first, false) && is_header(words)) continue;
    const std::string joined = join_time(words);
    if (!joined.empty()) words[0] = joined;
    lines.expect_fields(words.size(), 3, "a time, a host and an event");
    for (const std::string_view word : words)
      if (word.empty()) lines.fail("E_FIELDS", "a field is empty; write a time, a host and an event");
    const double time = time_of(lines, words[0]);
    const Event event = event_of(lines, words);
    if (before && time < *before)
      lines.fail("E_ORDER", fmt::format("the clock runs backwards from {} to {}; times must not decrease",
                                        before_written, words[0]));
    before = time;
    before_written = words[0];
    spells.saw(time);
    const std::size_t history = spells.history(event.host);
    if (history == states.size()) states.emplace_back();
    HostState& state = states[history];
    const bool up = event.change == Change::kUp;
    if (up == state.up)
      lines.fail("E_STATE", fmt::format("{} goes {} but is already {}; up and down must alternate, up first",
                                        event.host, up ? "up" : "down", up ? "up" : "down"));
    state.up = up;
    if (up) {
      state.spell = Spell{history, time, time, true, false, false, lines.line()};
      state.came_up = words[0];
    } else {
      state.spell.end = time;
      spells.add(state.spell, {state.came_up, words[0]});
    }
  }
  for (HostState& state : states) {
    if (!state.up) continue;
    state.spell.open = true;
    spells.add(state.spell, {state.came_up, ""});
  }
  for (const auto& [warning, times] : time_of.unaffected()) spells.count(warning, times);
  AvailabilityTrace trace = spells.finish();
  trace.unit = time_of.unit();
  return trace;
}

bool accepts_events(std::string_view line, bool first, const ReadingOptions& options) {
  Words words = line.find(',') == std::string_view::npos ? words_of(line) : fields_of(line);
  if (first && is_header(words)) return true;
  const std::string joined = join_time(words);
  if (!joined.empty()) words[0] = joined;
  if (words.size() != 3 || (!parse_time_stamp(words[0], options) && !is_calendar_time(words[0]))) return false;
  return words[2] == "up" || words[2] == "down" || words[1] == "add" || words[1] == "remove";
}

std::size_t count_of(const LineReader& lines, std::string_view word) {
  const bool digits = word.find_first_not_of("0123456789") == std::string_view::npos;
  const auto count = digits ? parse_integer(word) : std::nullopt;
  if (!count) lines.fail("E_COUNT", fmt::format("the count \"{}\" is not a whole number of 0 or more", word));
  return static_cast<std::size_t>(*count);
}

/// Repository of Availability Traces (Godfrey, 2010): `node count (start end){count}`, in seconds, one line per node.
/// The format does not say what is censored; t0 and t1 (first and last round of probes) decide that. Errors: E_FIELDS
/// E_COUNT E_NUMBER E_ORDER E_DUPHOST E_EMPTY.
AvailabilityTrace read_avt(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  SpellList spells(options, file);
  std::string_view line;
  while (lines.next(line)) {
    const auto& words = lines.words(line);
    if (words.size() < 2) lines.fail("E_FIELDS", "the count is missing; write `node count start end start end ...`");
    const std::string node(words[0]);
    const std::size_t count = count_of(lines, words[1]);
    if (words.size() % 2 != 0 || (words.size() - 2) / 2 != count)
      lines.fail("E_COUNT", fmt::format("{} announces {}, but {} follow; there must be two per spell", node,
                                        counted(count, "spell"), counted(words.size() - 2, "time")));
    if (spells.knows(node))
      lines.fail("E_DUPHOST", fmt::format("node {} occurs twice in the file; write one line per node", node));
    Spell spell;
    spell.history = spells.history(node);
    spell.line = lines.line();
    double before = 0;
    for (std::size_t i = 2; i < words.size(); ++i) {
      const auto time = to_seconds(words[i], options.unit);
      if (!time) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number of seconds", words[i]));
      if (i > 2 && *time < before)
        lines.fail("E_ORDER",
                   fmt::format("{} follows {}; the times of a node must not decrease", words[i], words[i - 1]));
      before = *time;
      (i % 2 == 0 ? spell.start : spell.end) = *time;
      if (i % 2 == 1) spells.add(spell);
    }
  }
  return spells.finish();
}

bool accepts_avt(std::string_view line, bool, const ReadingOptions&) {
  const Words words = words_of(line);
  if (words.size() < 2) return false;
  const auto count = parse_integer(words[1]);
  return count && *count >= 0 && words.size() % 2 == 0 && (words.size() - 2) / 2 == static_cast<std::size_t>(*count);
}

/// The words from `at` on that make a time: ISO 8601, or "Mon Feb 21 17:02:33 2026"; moves `at` behind them.
std::string take_login_time(const Words& words, std::size_t& at) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (at < words.size() && is_calendar_time(words[at])) return std::string(words[at++]);
  if (at + 5 > words.size() || words[at + 1].size() != 3) return "";
  const std::size_t month = kMonths.find(words[at + 1]);
  const auto day = parse_integer(words[at + 2]);
  const auto year = parse_integer(words[at + 4]);
  if (month == kMonths.npos || month % 3 != 0 || !day || *day < 0 || !year || *year < 0) return "";
  std::string time = fmt::format("{:04}-{:02}-{:02} {}", *year, month / 3 + 1, *day, words[at + 3]);
  if (!is_calendar_time(time)) return "";
  at += 5;
  return time;
}

/// `last -x` of util-linux, of one host: boots and shutdowns, the latest first; a boot that no shutdown precedes is a
/// crash, which happened at some time before. Logins show that the host was up. Errors: E_EVENT E_NUMBER E_EMPTY.
AvailabilityTrace read_last(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file, "");
  InstanceLog log(options, file);
  FileTimes time_of(options);
  Causes causes(options, kLoginRecords);
  struct Record {
    double time;
    std::string kind;
    std::size_t line;
  };
  std::vector<Record> records;
  std::string_view line;
  while (lines.next(line)) {
    const Words words = words_of(line);
    if (words.size() > 1 && words[1] == "begins") continue;  // wtmp begins ...
    std::string time;
    for (std::size_t at = 1; at < words.size() && time.empty(); ++at) time = take_login_time(words, at);
    if (time.empty())
      lines.fail("E_EVENT", "this is no line of last with a whole date; use last -x --time-format=iso reboot shutdown");
    const double seconds = time_of(lines, time);
    if (words[0] == "reboot" || (words[0] == "shutdown" && words[1] == "system"))
      records.push_back({seconds, std::string(words[0]), lines.line()});
    else
      log.skip(seconds);
  }
  std::stable_sort(records.begin(), records.end(), [](const Record& a, const Record& b) {
    return a.time != b.time ? a.time < b.time : a.line > b.line;
  });
  bool up = false;
  for (const Record& record : records) {
    const bool boot = record.kind == "reboot";
    if (up || !boot)
      log.down("host", record.time, causes.interrupts(record.line, boot ? "crash" : record.kind), record.line);
    if (boot) log.up("host", "host", record.time, record.line);
    up = boot;
  }
  log.explain("last names no boot; use last -x --time-format=iso reboot shutdown");
  for (const auto& counts : {time_of.unaffected(), causes.finish(file)})
    for (const auto& [warning, times] : counts) log.count(warning, times);
  return log.finish();
}

bool accepts_last(std::string_view line, bool first, const ReadingOptions&) {
  const Words words = words_of(line);
  if (!first) return true;
  return words.size() > 5 && (words[0] == "reboot" || words[0] == "shutdown" || words[0] == "runlevel") &&
         (words[1] == "system" || words[1].starts_with('('));
}

/// Google's machine_events of 2019 (clusterdata_trace_format_v3.proto), JSON lines or CSV with the columns time
/// (microseconds), machine_id and type: 1 ADD, 2 REMOVE (usually due to failure or repairs), 3 UPDATE. Machines that
/// are added at time 0 were there before. Errors: E_FIELDS E_NUMBER E_EMPTY.
class MachineEvents {
 public:
  MachineEvents(const ReadingOptions& options, const std::string& file) : log_(options, file) {}

  template <typename Source>
  void add(const Source& source, const std::string& machine, std::optional<double> microseconds,
           std::string_view type) {
    constexpr double kMicro = 1e6;
    constexpr double kAfter = 9e18;  // 2^63 - 1: after the trace
    if (machine.empty()) source.fail("E_FIELDS", "machine_id is missing");
    if (!microseconds || *microseconds < 0) source.fail("E_NUMBER", "time is missing or no number of microseconds");
    if (*microseconds >= kAfter) return log_.skip(std::nullopt);
    const double time = *microseconds / kMicro;
    if (type == "1" || type == "ADD")
      log_.up(machine, machine, time, source.line(), time == 0);
    else if (type == "2" || type == "REMOVE")
      log_.down(machine, time, true, source.line());
    else
      log_.skip(time);
  }
  InstanceLog& log() { return log_; }

 private:
  InstanceLog log_;
};

AvailabilityTrace read_machine_events(std::istream& input, const std::string& file, const ReadingOptions& options) {
  MachineEvents events(options, file);
  if (holds_documents(input)) {
    Documents documents(input, file);
    nlohmann::json record;
    while (documents.next(record)) {
      const auto machine = integer_at(record, "machine_id");
      const auto type = integer_at(record, "type");
      std::string id = text_at(record, {"machine_id"});
      if (id.empty() && machine) id = std::to_string(*machine);
      events.add(documents, id, number_at(record, "time"), type ? std::to_string(*type) : text_at(record, {"type"}));
    }
  } else {
    CsvReader csv(input, file);
    if (csv.names().empty()) return events.log().finish();
    const std::size_t time = csv.column("time"), machine = csv.column("machine_id"), type = csv.column("type");
    while (csv.next()) events.add(csv, csv[machine], parse_number(csv[time]), csv[type]);
    for (const auto& [warning, times] : csv.unused()) events.log().count(warning, times);
  }
  AvailabilityTrace trace = events.log().finish();
  trace.unit = UnitSource::kFormat;
  return trace;
}

bool accepts_machine_events(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return line.find_first_of(",;\t|") != std::string_view::npos;
  const auto names = csv_fields(line, csv_delimiter(line));
  return names && find_column(*names, "time") && find_column(*names, "machine_id") && find_column(*names, "type");
}

bool fits_machine_events(const nlohmann::json& record) {
  return record.contains("machine_id") && record.contains("time") && record.contains("type");
}

}  // namespace

std::vector<TraceFormat> event_formats() {
  return {{"events",
           "changes in time order: `time host up|down` or `time,add|remove,host`",
           {"unit", "timezone", "t0", "t1", "zero", "bridge", "host", "zone_parts"},
           read_events,
           accepts_events},
          {"avt",
           "Repository of Availability Traces: `node count start end start end ...`, seconds",
           {"t0", "t1", "zero", "bridge", "host", "zone_parts"},
           read_avt,
           accepts_avt},
          {"last",
           "boots and shutdowns of one Linux host: `last -x --time-format=iso`",
           {"timezone", "t0", "t1", "zero", "bridge", "observed", "censored"},
           read_last,
           accepts_last},
          {"google-machines",
           "machine_events of Google's cluster traces of 2019, JSON lines or CSV, microseconds",
           {"t0", "t1", "zero", "bridge", "host"},
           read_machine_events,
           accepts_machine_events,
           fits_machine_events}};
}

}  // namespace coterie::traces
