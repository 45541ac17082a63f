#include "traces/readers/lifetimes_reader.hpp"

#include <fmt/format.h>

#include <optional>

#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

struct LifetimeColumns {
  std::size_t duration = 0;
  std::size_t cause = 0;
  std::optional<std::size_t> name;
};

LifetimeColumns lifetime_columns(const CsvHeader& header, const ReadingOptions& options) {
  LifetimeColumns columns{header.column(options.duration_column), header.column(options.cause_column), std::nullopt};
  if (options.name_column) {
    columns.name = header.column(*options.name_column);
  } else {
    for (const std::string_view usual : {"host", "name"})
      if (header.has(usual)) columns.name = header.column(usual);
  }
  return columns;
}

std::string joined(const std::set<std::string, std::less<>>& words) {
  return quoted_list({words.begin(), words.end()});
}

}  // namespace

AvailabilityTrace read_lifetimes(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  RecordCollector records(options, file);
  LifetimeColumns columns;
  const auto read_header = [&](const CsvHeader& header) { columns = lifetime_columns(header, options); };
  read_csv(lines, read_header, [&](const std::vector<std::string_view>& fields) {
    AvailabilityRecord record;
    const auto duration = to_seconds(fields[columns.duration], options.unit);
    if (!duration) lines.fail("E_NUMBER", fmt::format("\"{}\" is no number", fields[columns.duration]));
    if (*duration < 0) lines.fail("E_NEGATIVE", fmt::format("the lifetime {} is negative", fields[columns.duration]));
    record.duration = *duration;
    const std::string_view cause = fields[columns.cause];
    record.observed = options.observed_causes.contains(cause);
    if (!record.observed && !options.censored_causes.contains(cause))
      lines.fail("E_CAUSE",
                 fmt::format("the cause \"{}\" is in neither list; observed are {}, censored are {} (options "
                             "observed= and censored=)",
                             cause, joined(options.observed_causes), joined(options.censored_causes)));
    if (columns.name && !fields[*columns.name].empty()) record.host = std::string(fields[*columns.name]);
    records.add(std::move(record), lines.line());
  });
  return records.finish();
}

bool accepts_lifetimes(std::string_view line, bool first, const ReadingOptions& options) {
  const Words fields = fields_of(line);
  return first ? holds(fields, options.duration_column) && holds(fields, options.cause_column) : fields.size() > 1;
}

}  // namespace coterie::traces
