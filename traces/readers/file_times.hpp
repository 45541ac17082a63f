#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// The times of a file: all calendar times, or all numbers, which are taken as seconds only if that is plausible.
class FileTimes {
 public:
  /// `takes_unit`: the format has the option unit=; otherwise its numbers are seconds.
  explicit FileTimes(const ReadingOptions& options, bool takes_unit = true)
      : options_(&options), takes_unit_(takes_unit) {}

  /// In seconds. Throws E_NUMBER by `reader`, a LineReader or CsvReader, at its line.
  template <class Reader>
  double operator()(const Reader& reader, std::string_view field) {
    const auto time = read(field, reader.line());
    if (!time) reader.fail("E_NUMBER", problem_);
    return *time;
  }
  /// Of the times read so far; their numbers have a unit that is given or assumed.
  UnitSource unit() const { return by_calendar_ ? UnitSource::kCalendar : UnitSource::kAssumed; }
  /// "W_UNIT", "W_TIMEZONE" -> times, if that option was given and has no effect on any of them.
  std::map<std::string, std::int64_t> unaffected() const;

 private:
  std::optional<double> read(std::string_view field, std::size_t line);

  const ReadingOptions* options_;
  bool takes_unit_;
  std::string problem_;
  std::size_t first_line_ = 0;  // the first line that has a time
  bool by_calendar_ = false;
  bool any_local_ = false;  // dates without an offset
  std::int64_t times_ = 0;
};

}  // namespace coterie::traces
