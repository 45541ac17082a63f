#include "traces/readers/durations_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::string_view kHeader = "duration,observed";

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
  const auto duration = to_seconds(field, unit);
  if (!duration) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number; write one such as 12 or 1.5e3", field));
  if (*duration < 0) lines.fail("E_NEGATIVE", fmt::format("the duration {} is negative; it must be 0 or more", field));
  return *duration;
}

/// The first line must be a number or the header; anything else is reported as a wrong header.
void check_first_line(const LineReader& lines, std::string_view line) {
  const std::string_view front = line.substr(0, line.find_first_of(", \t"));
  if (!has_number_form(front))
    lines.fail("E_HEADER", fmt::format("\"{}\" is neither a number nor the header {}", line, kHeader));
}

}  // namespace

AvailabilityTrace read_durations(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  RecordCollector records(options, file);
  std::string_view line;
  bool first = true;
  bool flags = false;
  while (lines.next(line)) {
    const auto& fields = lines.fields(line);
    if (first) {
      first = false;
      flags = fields.size() == 2 && fields[0] == "duration" && fields[1] == "observed";
      if (flags) continue;
      check_first_line(lines, line);
    }
    AvailabilityRecord record;
    if (flags) {
      lines.expect_fields(fields.size(), 2, kHeader);
      record.duration = duration_of(lines, fields[0], options.unit);
      if (fields[1] != "0" && fields[1] != "1")
        lines.fail("E_FLAG", fmt::format("observed is \"{}\"; it must be 1 or 0", fields[1]));
      record.observed = fields[1] == "1";
    } else {
      if (line.find_first_of(", \t") != std::string_view::npos)
        lines.fail("E_FIELDS",
                   fmt::format("\"{}\": write one number per line, with a decimal point and no other separators; "
                               "two columns need the header {}",
                               line, kHeader));
      record.duration = duration_of(lines, line, options.unit);
    }
    records.add(std::move(record), lines.line());
  }
  return records.finish();
}

bool accepts_durations(std::string_view line, bool first, const ReadingOptions&) {
  const Words fields = fields_of(line);
  if (fields.size() == 1) return parse_number(line).has_value();
  if (fields.size() != 2) return false;
  return first ? fields[0] == "duration" && fields[1] == "observed" : parse_number(fields[0]).has_value();
}

}  // namespace coterie::traces
