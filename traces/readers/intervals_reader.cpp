#include "traces/readers/intervals_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 6> kStillOpen = {"", "-", "NULL", "null", "NA", "inf"};

bool is_open(std::string_view end) { return std::find(kStillOpen.begin(), kStillOpen.end(), end) != kStillOpen.end(); }

double interval_time(const LineReader& lines, std::string_view field, const TimeUnit& unit) {
  const auto time = parse_time_stamp(field, unit);
  if (!time)
    lines.fail("E_NUMBER", fmt::format("\"{}\" is no time; write a number, or ISO 8601 with an offset or Z "
                                       "(2019-03-10T01:30:00-08:00)",
                                       field));
  return *time;
}

struct IntervalColumns {
  std::size_t host = 0;
  std::size_t start = 0;
  std::size_t end = 0;
  std::optional<std::size_t> observed;
};

IntervalColumns interval_columns(const CsvHeader& header) {
  IntervalColumns columns{header.column("host"), header.column("start"), header.column("end"), std::nullopt};
  if (header.has("observed")) columns.observed = header.column("observed");
  return columns;
}

bool observed_flag(const LineReader& lines, std::string_view flag, bool open) {
  if (flag != "0" && flag != "1") lines.fail("E_FLAG", fmt::format("observed is \"{}\"; it must be 1 or 0", flag));
  if (flag == "1" && open) lines.fail("E_FLAG", "observed is 1 but the end is open; write the end, or 0");
  return flag == "1";
}

}  // namespace

AvailabilityTrace read_intervals(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  SpellList spells(options, file);
  IntervalColumns columns;
  const auto read_header = [&](const CsvHeader& header) {
    columns = interval_columns(header);
    if (columns.observed && options.rows_are_down)
      lines.fail("E_HEADER", "the column observed says how spells of availability end, but rows=down; leave one out");
  };
  read_csv(lines, read_header, [&](const std::vector<std::string_view>& fields) {
    const std::string host(fields[columns.host]);
    if (host.empty()) lines.fail("E_FIELDS", "the host is empty; name it");
    Spell spell;
    spell.line = lines.line();
    spell.history = spells.history(host);
    spell.start = interval_time(lines, fields[columns.start], options.unit);
    spell.open = is_open(fields[columns.end]);
    if (!spell.open) spell.end = interval_time(lines, fields[columns.end], options.unit);
    if (columns.observed) spell.observed = observed_flag(lines, fields[*columns.observed], spell.open);
    spells.add(spell);
  });
  if (options.rows_are_down) spells.complement();
  return spells.finish();
}

bool accepts_intervals(std::string_view line, bool first, const ReadingOptions&) {
  const Words fields = fields_of(line);
  return first ? holds(fields, "host") && holds(fields, "start") && holds(fields, "end") : fields.size() > 2;
}

}  // namespace coterie::traces
