/// CSV (see CsvReader) whose header has host, start and end in any order, and optionally observed and left_truncated (1
/// or 0), entry_age (at risk only from then on) or a column of causes (see Causes); a warning counts other columns.
/// host, hostname, instance, vm, node, ... are synonyms, as are start and start_time, end and end_time; the options
/// name=, start= and end= give other names. An end that is empty, -, NULL, NaT, ... means "still up": censored at t1.
/// Errors: E_HEADER E_FIELDS E_NUMBER E_FLAG E_CAUSE E_NEGATIVE E_OVERLAP E_EMPTY.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/spell_list.hpp"
#include "traces/readers/times.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 11> kStillOpen = {"",     "-",   "null", "na",   "n/a",    "inf",
                                                         "none", "nan", "nat",  "<na>", "unknown"};

bool is_open(std::string_view end) { return is_one_of(kStillOpen, lower_case(end)); }

/// Synonymous column names, the preferred one first.
const std::vector<std::string> kStarts = {"start", "start_time", "begin", "launch_time", "started_at", "time_start"};
const std::vector<std::string> kZones = {"zone", "availability_zone", "failure_zone"};
const std::vector<std::string> kEnds = {"end", "end_time", "termination_time", "stop_time", "ended_at", "time_end"};

struct IntervalColumns {
  std::size_t host = 0;
  std::size_t start = 0;
  std::size_t end = 0;
  std::optional<std::size_t> observed;
  std::optional<std::size_t> left_truncated;
  std::optional<std::size_t> entry;
  std::optional<std::size_t> cause;
  std::optional<std::size_t> zone;
};

/// What to ask if a header lacks a required column; "" if none is missing, or if this is hardly a header.
std::string missing_columns(const std::vector<std::string>& names, const ReadingOptions& options) {
  const auto is_word = [](const std::string& name) {
    return !name.empty() && !parse_number(name) && !is_calendar_time(name);
  };
  if (names.size() < 3 || !std::all_of(names.begin(), names.end(), is_word)) return "";
  std::vector<std::string> missing, ways;
  const auto look_for = [&](const std::vector<std::string>& known, bool given, const std::string& option) {
    if (given || std::any_of(known.begin(), known.end(), [&](const auto& one) { return find_column(names, one); }))
      return;
    missing.push_back(known.front());
    ways.push_back(fmt::format("--option {}=COLUMN", option));
  };
  look_for(host_columns(), options.name_column.has_value(), "name");
  look_for(kStarts, options.start_column.has_value(), "start");
  look_for(kEnds, options.end_column.has_value(), "end");
  if (missing.empty()) return "";
  return fmt::format("a CSV of spells has the columns host, start and end; which of {} is {}? Give {}",
                     echoed(quoted_list(names)), fmt::join(missing, ", and which "), fmt::join(ways, ", "));
}

/// One of these columns; throws E_HEADER if there is none.
std::size_t needed(CsvReader& csv, const std::vector<std::string>& names, const std::string& option) {
  const auto found = csv.one_of(names, option);
  return found ? *found : csv.column(names.front());
}

/// zones=, otherwise a column with one of the usual names; none if the hosts' names give the zone.
std::optional<std::size_t> zone_column(CsvReader& csv, const ReadingOptions& options) {
  if (options.zone_parts > 0 || options.zone_column == "none") return std::nullopt;
  return options.zone_column ? csv.column(*options.zone_column) : csv.one_of(kZones, "zones");
}

constexpr std::array<std::string_view, 3> kRoles = {"name", "start", "end"};  // as the options call them

IntervalColumns interval_columns(CsvReader& csv, const ReadingOptions& options) {
  if (const std::string problem = missing_columns(csv.names(), options); !problem.empty()) csv.fail_header(problem);
  IntervalColumns columns;
  columns.host = options.name_column ? csv.column(*options.name_column) : needed(csv, host_columns(), "name");
  columns.start = options.start_column ? csv.column(*options.start_column) : needed(csv, kStarts, "start");
  columns.end = options.end_column ? csv.column(*options.end_column) : needed(csv, kEnds, "end");
  const std::size_t used[] = {columns.host, columns.start, columns.end};
  for (const auto& [one, other] : {std::pair{0u, 1u}, {0u, 2u}, {1u, 2u}})
    if (used[one] == used[other])
      csv.fail_header(fmt::format("the column \"{}\" cannot be both {} and {}; name another one by --option {}=COLUMN",
                                  echoed(csv.names()[used[one]]), kRoles[one], kRoles[other], kRoles[other]));
  if (!options.is_given("rows") && find_column({csv.names()[columns.start]}, "time_start"))
    csv.fail_header(
        "TimeStart and TimeEnd are what sacctmgr writes about nodes that are down; give rows=down, or rows=up if they "
        "are up in between");
  columns.zone = zone_column(csv, options);
  columns.observed = csv.find("observed");
  columns.left_truncated = csv.find("left_truncated");
  columns.entry = csv.find("entry_age");
  const bool of_ends = !columns.observed && !options.rows_are_down;  // down times have causes of their own
  if (of_ends || options.cause_column) columns.cause = cause_column(csv, options);
  for (const char* list : {"observed", "censored"})
    if (!columns.cause && options.is_given(list))
      csv.fail_header(fmt::format("{}= names causes, but {} leave {}= out", list,
                                  columns.observed ? "the column observed already says how spells end;"
                                                   : "no column is known to say why spells end; give cause=COLUMN, or",
                                  list));
  if (columns.observed && options.cause_column)
    csv.fail_header("the column observed already says how spells end; leave out the column or cause=");
  if ((columns.observed || columns.left_truncated || columns.entry || columns.cause) && options.rows_are_down)
    csv.fail_header(
        fmt::format("a column says how spells of availability begin or end, but with rows=down the rows are down "
                    "times; leave one out{}",
                    columns.cause ? " (cause=none)" : ""));
  return columns;
}

bool flag(const CsvReader& csv, const std::string& name, const std::string& field) {
  const KnownCause* known = find_cause(kFlags, field);
  if (known == nullptr) csv.fail("E_FLAG", fmt::format("{} is \"{}\"; it must be 1 or 0", name, field));
  return known->interrupts;
}

bool observed_end(const CsvReader& csv, const IntervalColumns& columns, Causes& causes, bool open) {
  if (columns.observed) {
    const bool observed = flag(csv, "observed", csv[*columns.observed]);
    if (observed && open) csv.fail("E_FLAG", "observed is 1 but the end is open; write the end, or observed 0");
    return observed;
  }
  if (!columns.cause) return true;
  if (!open) return causes.interrupts(csv.line(), csv[*columns.cause]);
  causes.open(csv.line(), csv[*columns.cause]);  // an open end is no end, whatever the cause column says
  return true;
}

double entry_age(const CsvReader& csv, const std::string& field, const TimeUnit& unit) {
  const auto age = to_duration(field, unit);
  if (!age || *age < 0)
    csv.fail("E_NUMBER", fmt::format("entry_age is \"{}\"; it must be a number of 0 or more", field));
  return *age;
}

AvailabilityTrace read_intervals(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  SpellList spells(options, file);
  if (csv.names().empty()) return spells.finish();
  const IntervalColumns columns = interval_columns(csv, options);
  if (options.population && !options.rows_are_down)
    csv.fail_header("population= counts machines that never failed, but the rows are times up; give rows=down too");
  Causes causes(options, columns.cause ? std::string_view(csv.names()[*columns.cause]) : "");
  FileTimes time_of(options);
  while (csv.next()) {
    const std::string& host = csv[columns.host];
    if (host.empty()) csv.fail("E_FIELDS", "the host is empty; name it");
    if (!options.wants(host)) {
      if (columns.cause) causes.mention(csv[*columns.cause]);
      spells.saw(time_of(csv, csv[columns.start]));
      if (!is_open(csv[columns.end])) spells.saw(time_of(csv, csv[columns.end]));
      continue;
    }
    Spell spell;
    spell.line = csv.line();
    spell.history = spells.history(host);
    if (columns.zone && csv[*columns.zone].empty()) {
      spells.count("W_NOZONE");
    } else if (columns.zone) {
      spells.zone(spell.history, csv[*columns.zone], spell.line);
    }
    spell.start = time_of(csv, csv[columns.start]);
    spell.open = is_open(csv[columns.end]);
    if (!spell.open) spell.end = time_of(csv, csv[columns.end]);
    spell.observed = observed_end(csv, columns, causes, spell.open);
    if (columns.left_truncated) spell.left_truncated = flag(csv, "left_truncated", csv[*columns.left_truncated]);
    if (columns.entry) spell.entry = entry_age(csv, csv[*columns.entry], options.unit);
    if (!spell.open && spell.entry > spell.end - spell.start && spell.end >= spell.start)
      csv.fail("E_NUMBER", "entry_age is more than the length of the spell: it had ended before it was watched");
    spells.add(spell, {csv[columns.start], csv[columns.end]});
  }
  for (const auto& counts : {csv.unused(), causes.finish(file), time_of.unaffected()})
    for (const auto& [warning, times] : counts) spells.count(warning, times);
  if (options.rows_are_down) spells.complement();
  AvailabilityTrace trace = spells.finish();
  trace.unit = time_of.unit();
  return trace;
}

bool accepts_intervals(std::string_view line, bool first, const ReadingOptions& options) {
  if (!first) return line.find_first_of(",;\t|") != std::string_view::npos;
  const auto names = csv_fields(line, csv_delimiter(line));
  const auto any = [&](const std::vector<std::string>& known) {
    return std::any_of(known.begin(), known.end(), [&](const std::string& name) { return find_column(*names, name); });
  };
  return names && (options.start_column || any(kStarts)) && (options.end_column || any(kEnds)) &&
         (options.name_column || any(host_columns()));
}

}  // namespace

std::string columns_to_name(std::string_view header, const ReadingOptions& options) {
  const auto names = csv_fields(header, csv_delimiter(header));
  return names && !find_column(*names, options.duration_column) ? missing_columns(*names, options) : "";
}

std::vector<TraceFormat> interval_formats() {
  return {{"intervals",
           "CSV with the columns host, start, end and optionally observed or a cause",
           {"unit", "timezone", "t0", "t1", "zero", "overlap", "bridge", "rows", "population", "host", "name", "start",
            "end", "cause", "observed", "censored", "zones", "zone_parts"},
           read_intervals,
           accepts_intervals}};
}

}  // namespace coterie::traces
