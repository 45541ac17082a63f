#include "traces/readers/intervals_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/printable.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 6> kStillOpen = {"", "-", "NULL", "null", "NA", "inf"};

bool is_open(std::string_view end) { return std::find(kStillOpen.begin(), kStillOpen.end(), end) != kStillOpen.end(); }

/// Synonymous column names, the preferred one first.
const std::vector<std::string> kStarts = {"start", "start_time", "begin", "launch_time"};
const std::vector<std::string> kZones = {"zone", "availability_zone", "failure_zone"};
const std::vector<std::string> kEnds = {"end", "end_time", "termination_time", "stop_time"};

/// The times of a file: all calendar times, or all numbers, which are taken as seconds only if that is plausible.
class IntervalTimes {
 public:
  IntervalTimes(const CsvReader& csv, const ReadingOptions& options) : csv_(csv), options_(options) {}

  double operator()(const std::string& field) {
    const auto time = parse_time_stamp(field, options_);
    if (!time) csv_.fail("E_NUMBER", time_stamp_problem(field, options_));
    const bool by_calendar = is_calendar_time(field);
    if (first_line_ == 0) {
      first_line_ = csv_.line();
      by_calendar_ = by_calendar;
    }
    if (by_calendar != by_calendar_)
      csv_.fail("E_NUMBER",
                fmt::format("\"{}\" is {}, but line {} has {}; write all times of a file the same way", echoed(field),
                            by_calendar ? "a date" : "a number", first_line_, by_calendar ? "numbers" : "dates"));
    if (!by_calendar && *time > kMostSeconds && !options_.is_given("unit"))
      csv_.fail("E_NUMBER",
                fmt::format(
                    "{} seconds would be {:.0f} years; which unit is it in? Give --option unit=ms, us, s, min, h or d",
                    echoed(field), *time / kYear));
    return *time;
  }

 private:
  static constexpr double kYear = 365.25 * 86400;
  static constexpr double kMostSeconds = 3000 * kYear;

  const CsvReader& csv_;
  const ReadingOptions& options_;
  std::size_t first_line_ = 0;  // the first line that has a time
  bool by_calendar_ = false;
};

struct IntervalColumns {
  std::size_t host = 0;
  std::size_t start = 0;
  std::size_t end = 0;
  std::optional<std::size_t> observed;
  std::optional<std::size_t> left_truncated;
  std::optional<std::size_t> cause;
  std::optional<std::size_t> zone;
};

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

IntervalColumns interval_columns(CsvReader& csv, const ReadingOptions& options) {
  IntervalColumns columns;
  columns.host = options.name_column ? csv.column(*options.name_column) : needed(csv, host_columns(), "name");
  columns.start = needed(csv, kStarts, "");
  columns.end = needed(csv, kEnds, "");
  columns.zone = zone_column(csv, options);
  columns.observed = csv.find("observed");
  columns.left_truncated = csv.find("left_truncated");
  if (!columns.observed || options.cause_column) columns.cause = cause_column(csv, options);
  if (columns.observed && columns.cause)
    csv.fail_header("the column observed already says how spells end; leave out the column or cause=");
  if ((columns.observed || columns.left_truncated || columns.cause) && options.rows_are_down)
    csv.fail_header(
        "a column says how spells of availability begin or end, but with rows=down the rows are down times; leave one "
        "out (cause=none)");
  return columns;
}

bool flag(const CsvReader& csv, const std::string& name, const std::string& field) {
  if (field != "0" && field != "1") csv.fail("E_FLAG", fmt::format("{} is \"{}\"; it must be 1 or 0", name, field));
  return field == "1";
}

bool observed_end(const CsvReader& csv, const IntervalColumns& columns, Causes& causes, bool open) {
  if (columns.observed) {
    const bool observed = flag(csv, "observed", csv[*columns.observed]);
    if (observed && open) csv.fail("E_FLAG", "observed is 1 but the end is open; write the end, or observed 0");
    return observed;
  }
  if (!columns.cause || open) return true;  // an open end is no end, whatever the cause column says
  return causes.interrupts(csv.line(), csv[*columns.cause]);
}

}  // namespace

AvailabilityTrace read_intervals(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  SpellList spells(options, file);
  if (csv.names().empty()) return spells.finish();
  Causes causes(options);
  const IntervalColumns columns = interval_columns(csv, options);
  IntervalTimes time_of(csv, options);
  while (csv.next()) {
    const std::string& host = csv[columns.host];
    if (host.empty()) csv.fail("E_FIELDS", "the host is empty; name it");
    Spell spell;
    spell.line = csv.line();
    spell.history = spells.history(host);
    if (columns.zone && csv[*columns.zone].empty()) {
      spells.count("W_NOZONE");
    } else if (columns.zone) {
      spells.zone(spell.history, csv[*columns.zone], spell.line);
    }
    spell.start = time_of(csv[columns.start]);
    spell.open = is_open(csv[columns.end]);
    if (!spell.open) spell.end = time_of(csv[columns.end]);
    spell.observed = observed_end(csv, columns, causes, spell.open);
    if (columns.left_truncated) spell.left_truncated = flag(csv, "left_truncated", csv[*columns.left_truncated]);
    spells.add(spell);
  }
  for (const auto& counts : {csv.unused(), causes.finish(file)})
    for (const auto& [warning, times] : counts) spells.count(warning, times);
  if (options.rows_are_down) spells.complement();
  return spells.finish();
}

bool accepts_intervals(std::string_view line, bool first, const ReadingOptions& options) {
  if (!first) return line.find_first_of(",;\t|") != std::string_view::npos;
  const auto names = csv_fields(line, csv_delimiter(line));
  const auto any = [&](const std::vector<std::string>& known) {
    return std::any_of(known.begin(), known.end(), [&](const std::string& name) { return find_column(*names, name); });
  };
  return names && any(kStarts) && any(kEnds) && (options.name_column || any(host_columns()));
}

}  // namespace coterie::traces
