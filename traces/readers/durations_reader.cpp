/// Lengths of spells without their place in time. Errors: E_NUMBER E_FIELDS E_HEADER E_FLAG E_CAUSE E_NEGATIVE E_EMPTY.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/text.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::string_view kDurationHeader = "duration,observed";
const std::vector<std::string> kDurationNames = {"duration", "durations", "lifetime",        "lifetimes", "time_in_sec",
                                                 "uptime",   "elapsed",   "time_to_failure", "ttf",       "T"};
const std::vector<std::string> kFlagNames = {"observed", "event", "event_observed", "interrupted", "failed", "E"};

/// Does `text` have the form of a number, even one too large for a double?
bool has_number_form(std::string_view text) {
  const std::size_t mantissa = std::min(text.find_first_of("eE"), text.size());
  if (!parse_number(text.substr(0, mantissa))) return false;
  std::string_view exponent = text.substr(mantissa);
  if (exponent.empty()) return true;
  exponent.remove_prefix(1);
  if (exponent.starts_with('+') || exponent.starts_with('-')) exponent.remove_prefix(1);
  return !exponent.empty() && exponent.find_first_not_of("0123456789") == std::string_view::npos;
}

double duration_of(const LineReader& lines, std::string_view field, const TimeUnit& unit) {
  const auto duration = to_duration(field, unit);
  if (!duration)
    lines.fail(
        "E_NUMBER",
        fmt::format("\"{}\" is not a number; write one such as 12 or 1.5e3, or a length such as 2m8s or 2-01:24:56",
                    field));
  if (*duration < 0) lines.fail("E_NEGATIVE", fmt::format("the duration {} is negative; it must be 0 or more", field));
  return *duration;
}

/// The first line must be a number or the header; anything else is reported as a wrong header.
void check_first_line(const LineReader& lines, std::string_view line, const TimeUnit& unit) {
  const std::string_view front = line.substr(0, line.find_first_of(", \t"));
  if (!has_number_form(front) && !to_duration(line, unit))
    lines.fail("E_HEADER", fmt::format("\"{}\" is neither a number nor the header {}", line, kDurationHeader));
}

bool is_one_name(const std::vector<std::string>& names, std::string_view name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& one) { return find_column({one}, name); });
}

/// How many columns the header names; 0 if it is none.
std::size_t duration_columns(const Words& fields) {
  if (fields.empty() || fields.size() > 3 || !is_one_name(kDurationNames, fields[0])) return 0;
  if (fields.size() > 1 && !is_one_name(kFlagNames, fields[1])) return 0;
  return fields.size() == 3 && !find_column({"entry_age"}, fields[2]) ? 0 : fields.size();
}

/// One number per line, or the header of one to three columns.
AvailabilityTrace read_durations(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  RecordCollector records(options, file);
  std::string_view line;
  bool first = true;
  std::size_t columns = 0;
  while (lines.next(line)) {
    const auto& fields = lines.fields(line);
    if (first) {
      first = false;
      columns = duration_columns(fields);
      if (columns > 0) continue;
      check_first_line(lines, line, options.unit);
    }
    AvailabilityRecord record;
    if (columns > 1) {
      lines.expect_fields(fields.size(), columns, "as in the header");
      record.duration = duration_of(lines, fields[0], options.unit);
      const KnownCause* flag = find_cause(kFlags, fields[1]);
      if (flag == nullptr) lines.fail("E_FLAG", fmt::format("observed is \"{}\"; it must be 1 or 0", fields[1]));
      record.observed = flag->interrupts;
      if (columns == 3) record.entry = duration_of(lines, fields[2], options.unit);
      if (record.entry > record.duration)
        lines.fail("E_NUMBER", "entry_age is more than the duration: the spell had ended before it was watched");
    } else {
      if (line.find_first_of(", \t") != std::string_view::npos && !to_duration(line, options.unit))
        lines.fail("E_FIELDS",
                   fmt::format("\"{}\": write one number per line, with a decimal point and no other separators; "
                               "two columns need the header {}",
                               line, kDurationHeader));
      record.duration = duration_of(lines, line, options.unit);
    }
    records.add(std::move(record), lines.line());
  }
  return records.finish();
}

bool accepts_durations(std::string_view line, bool first, const ReadingOptions& options) {
  const Words fields = fields_of(line);
  if (first && duration_columns(fields) > 0) return true;
  return (fields.size() == 1 && to_duration(line, options.unit)) ||
         (!first && fields.size() <= 3 && !fields.empty() && to_duration(fields[0], options.unit));
}

constexpr const char* kUsualCause = "end_type";

/// The column of durations: col=, otherwise one of the usual names.
std::optional<std::size_t> duration_column(const std::vector<std::string>& names, const ReadingOptions& options) {
  if (options.is_given("col")) return find_column(names, options.duration_column);
  for (const std::string& name : kDurationNames)
    if (const auto found = find_column(names, name)) return found;
  return std::nullopt;
}

/// The host: name=, otherwise a column with one of the usual names.
std::optional<std::size_t> name_column(CsvReader& csv, const ReadingOptions& options) {
  if (options.name_column) return csv.column(*options.name_column);
  std::vector<std::string> names = host_columns();
  names.emplace_back("name");
  return csv.one_of(names, "name");
}

/// Nothing if cause=none.
std::optional<std::size_t> end_column(CsvReader& csv, const ReadingOptions& options) {
  if (options.cause_column == "none") return std::nullopt;
  if (!options.cause_column)
    if (const auto usual = csv.find(kUsualCause)) return *usual;
  if (const auto found = cause_column(csv, options)) return found;
  for (const std::string& flag : kFlagNames)
    if (const auto found = csv.find(flag)) return found;
  csv.fail_header(
      fmt::format("no column is known to say why each spell ended ({} usually does); name it by --option cause=COLUMN, "
                  "or give cause=none if interruptions ended all",
                  kUsualCause));
}

/// CSV of ended instances: a column of durations, one of causes or flags, and perhaps one of hosts.
AvailabilityTrace read_lifetimes(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  RecordCollector records(options, file);
  if (csv.names().empty()) return records.finish();
  const auto found = duration_column(csv.names(), options);
  const std::size_t length = csv.column(found ? csv.names()[*found] : options.duration_column);
  const std::optional<std::size_t> end = end_column(csv, options);
  const std::optional<std::size_t> name = name_column(csv, options);
  Causes causes(options, end ? std::string_view(csv.names()[*end]) : "");
  while (csv.next()) {
    AvailabilityRecord record;
    const auto duration = to_duration(csv[length], options.unit);
    if (!duration) csv.fail("E_NUMBER", fmt::format("\"{}\" is not a number", csv[length]));
    if (*duration < 0) csv.fail("E_NEGATIVE", fmt::format("the lifetime {} is negative", csv[length]));
    record.duration = *duration;
    if (name && !csv[*name].empty()) record.host = csv[*name];
    if (options.host && !(record.host && options.wants(*record.host))) {
      if (end) causes.mention(csv[*end]);
      continue;
    }
    record.observed = !end || causes.interrupts(csv.line(), csv[*end]);
    records.add(std::move(record), csv.line());
  }
  for (const auto& counts : {csv.unused(), causes.finish(file)})
    for (const auto& [warning, times] : counts) records.count(warning, times);
  return records.finish();
}

bool accepts_lifetimes(std::string_view line, bool first, const ReadingOptions& options) {
  if (!first) return line.find_first_of(",;\t|") != std::string_view::npos;
  const auto names = csv_fields(line, csv_delimiter(line));
  if (!names || names->size() < 2 || duration_columns(fields_of(line)) > 0) return false;
  const auto duration = duration_column(*names, options);
  if (!duration) return false;
  if (options.cause_column && *options.cause_column != "none")
    return find_column(*names, *options.cause_column).has_value();
  const bool says_more =
      find_column(*names, "JobID") || find_column(*names, "start") || find_column(*names, "start_time");
  return !says_more || find_column({options.duration_column}, (*names)[*duration]);
}

}  // namespace

std::vector<TraceFormat> duration_formats() {
  return {
      {"durations",
       "one duration per line, or the column duration, or the columns duration,observed (lifetime,event) and perhaps "
       "entry_age",
       {"unit", "zero"},
       read_durations,
       accepts_durations},
      {"lifetimes",
       "CSV of ended instances with a column of durations and one of causes",
       {"unit", "zero", "col", "cause", "observed", "censored", "name", "host"},
       read_lifetimes,
       accepts_lifetimes}};
}

}  // namespace coterie::traces
