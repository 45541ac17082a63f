#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/length.hpp"
#include "traces/readers/availability.hpp"

namespace date {
class time_zone;
}

namespace coterie::traces {

struct ReadingOptions;

/// A time zone of the IANA database, with all its clock changes (the system's tzdata).
class TimeZone {
 public:
  /// Throws InputError for a name that is not in the database.
  static TimeZone named(const std::string& name);

  /// How often clocks there showed this local time: usually 1; 2 when they were set back, 0 when set forward.
  struct Local {
    int times = 0;
    double offset = 0;  ///< seconds east of Greenwich, if times is 1
  };
  /// `local`: seconds since 1970-01-01T00:00:00 by the clock there.
  Local at(double local) const;

 private:
  const date::time_zone* zone_ = nullptr;
};

/// A time stamp in seconds: a number in `unit`, or ISO 8601 with an offset or Z (seconds since 1970).
/// Nothing if it is neither, for example a local time without a zone.
std::optional<double> parse_time_stamp(std::string_view text, const TimeUnit& unit);

/// The same, with the unit of the options, and their time zone for stamps without an offset. A blank may replace the T.
std::optional<double> parse_time_stamp(std::string_view text, const ReadingOptions& options);

/// What is wrong with a text that parse_time_stamp rejects.
std::string time_stamp_problem(std::string_view text, const ReadingOptions& options);

/// Is it a calendar time stamp, with or without an offset?
bool is_calendar_time(std::string_view text);

/// A number converted to seconds; nothing if it is not a number or overflows.
std::optional<double> to_seconds(std::string_view text, const TimeUnit& unit);

/// The same, or a length of time with its own units: 2m8s, 2-01:24:56, 1 days 02:00:00.
std::optional<double> to_duration(std::string_view text, const TimeUnit& unit);

/// "2026-06-01T04:20:00Z" for seconds since 1970.
std::string utc_text(double seconds);

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
