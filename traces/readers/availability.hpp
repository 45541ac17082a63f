#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::traces {

/// One spell of availability of one host, whatever format it was read from. Times are in seconds.
struct AvailabilityRecord {
  std::optional<std::string> host;
  std::optional<double> start;
  double duration = 0;                   ///< >= 0
  bool observed = true;                  ///< true: ended by an interruption; false: right-censored
  bool left_truncated = false;           ///< true: already up when recording began
  std::optional<std::string> zone = {};  ///< the host's zone, whose hosts may be interrupted together
  double entry = 0;                      ///< age when recording began: what ended at a lower one was not seen
};

/// Where the unit of a file's times comes from: the format fixes it, the option unit= gives it, seconds are assumed
/// because nothing else is known, or the times are calendar times.
enum class UnitSource { kFormat, kGiven, kAssumed, kCalendar };

/// What a reader returns: the records, and how often each warning occurred ("W_CENSORED" -> 2).
struct AvailabilityTrace {
  std::vector<AvailabilityRecord> records;
  std::map<std::string, std::int64_t> warnings;
  std::optional<double> resolution;  ///< seconds between two observations of a host, if the format says so
  std::string format = {};           ///< that it was read as, by read_trace
  UnitSource unit = UnitSource::kAssumed;

  /// Number of distinct host names.
  std::size_t hosts() const;
};

/// Throws InputError `FILE:LINE: CODE: problem`, or `FILE: CODE: problem` if line is 0.
[[noreturn]] void fail_trace(const std::string& file, std::size_t line, std::string_view code,
                             const std::string& problem);

struct WarningLine {
  std::string code;  ///< "W_CENSORED"
  std::string text;  ///< "3 spells end without an interruption (right-censored)"
};

/// A reader's warnings in words: one line for each code and what it names; unused columns with equally many rows
/// share a line.
std::vector<WarningLine> warning_lines(const std::map<std::string, std::int64_t>& warnings);

}  // namespace coterie::traces
