#include "traces/readers/lifetimes_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr const char* kUsualCause = "end_type";

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
  const auto found = cause_column(csv, options);
  return found ? *found : csv.column(kUsualCause);
}

}  // namespace

AvailabilityTrace read_lifetimes(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  RecordCollector records(options, file);
  if (csv.names().empty()) return records.finish();
  const std::size_t length = csv.column(options.duration_column);
  const std::optional<std::size_t> end = end_column(csv, options);
  const std::optional<std::size_t> name = name_column(csv, options);
  Causes causes(options);
  while (csv.next()) {
    AvailabilityRecord record;
    const auto duration = to_seconds(csv[length], options.unit);
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
  if (!names || !find_column(*names, options.duration_column)) return false;
  const std::string cause = options.cause_column.value_or("none");
  return cause == "none" ? std::any_of(names->begin(), names->end(), looks_like_cause)
                         : find_column(*names, cause).has_value();
}

}  // namespace coterie::traces
