#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/length.hpp"
#include "core/parameter.hpp"
#include "traces/readers/time_zone.hpp"

namespace coterie::traces {

enum class ZeroPolicy { kKeep, kDrop, kError };
enum class OverlapPolicy { kError, kMerge };

/// How a trace is to be read, from `KEY=VALUE` words. Nothing is guessed and nothing altered unless it says so.
struct ReadingOptions {
  TimeUnit unit;                     ///< of the numbers in the file, unit=us|ms|s|min|h|d
  std::optional<TimeZone> timezone;  ///< timezone=NAME: of time stamps without an offset
  std::optional<double> t0;          ///< seconds; beginning of the recording, written like a time stamp of the file
  std::optional<double> t1;          ///< seconds; its end
  ZeroPolicy zero = ZeroPolicy::kKeep;
  OverlapPolicy overlap = OverlapPolicy::kError;
  bool available_is_zero = false;  ///< value=0: a sample of 0 means available; value=1: more than 0
  bool count_lifo = false;         ///< count=lifo: slot k is up while the sample is at least k
  std::string duration_column = "time_in_sec";
  std::optional<std::string> cause_column;  ///< cause=COLUMN, or none; where not given the one that looks like it
  std::optional<std::string> name_column;   ///< name=COLUMN that holds the host; one of the usual ones where not given
  std::optional<std::string> zone_column;   ///< zones=COLUMN that holds the host's failure zone, or none; likewise
  std::size_t zone_parts = 0;               ///< zone_parts=K: it is the first K parts of the host's name; 0: it is not
  std::set<std::string, std::less<>> observed_causes = {"preempted"};  ///< in lower case
  std::set<std::string, std::less<>> censored_causes = {"stop"};       ///< likewise
  std::optional<std::string> component;       ///< component=ID: only this component of each node
  std::optional<std::string> component_tab;   ///< component_tab=FILE: the archive's table of components
  std::optional<std::string> component_type;  ///< component_type=TYPE: only components of this type of that table
  std::optional<std::string> node_tab;        ///< node_tab=FILE: the archive's table of nodes; their places are zones
  std::optional<std::string> platform_tab;    ///< platform_tab=FILE: the archive's table of platforms, which are zones
  bool rows_are_down = false;                 ///< rows=down: a row says when its host was down; rows=up: available
  std::optional<double> silent;               ///< silent=TIME: who is not heard of for longer is gone; seconds
  std::optional<std::string> host;            ///< host=NAME, or host=BEGINNING* for all names that begin so

  std::vector<std::string> given;  ///< the keys that were written

  /// Throws InputError for a word without "=", an unknown or repeated key, or a value out of its domain.
  static ReadingOptions parse(const std::vector<std::string>& words);
  /// All options that there are.
  static std::vector<Parameter> parameters();
  /// Throws InputError for a given key that is not among `known`, the options of `format`.
  void allow_only(const std::string& format, const std::vector<std::string>& known) const;

  bool wants(std::string_view host_name) const;
  bool is_given(std::string_view key) const;
};

/// A time stamp in seconds: a number in `unit`, or ISO 8601 with an offset or Z (seconds from 1970).
/// Nothing where it is neither, in particular a local time without zone.
std::optional<double> parse_time_stamp(std::string_view text, const TimeUnit& unit);

/// The same, in the unit and, without an offset, in the time zone of the options. A blank may stand for the T.
std::optional<double> parse_time_stamp(std::string_view text, const ReadingOptions& options);

/// What is wrong with a text that parse_time_stamp does not take.
std::string time_stamp_problem(std::string_view text, const ReadingOptions& options);

/// Is it a time stamp by the calendar, with an offset or without?
bool is_calendar_time(std::string_view text);

/// A number of the grammar converted to seconds; nothing where it is no number or overflows.
std::optional<double> to_seconds(std::string_view text, const TimeUnit& unit);

}  // namespace coterie::traces
