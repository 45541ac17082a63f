#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/length.hpp"
#include "core/parameter.hpp"
#include "traces/readers/times.hpp"

namespace coterie::traces {

enum class ZeroPolicy { kKeep, kDrop, kError };
enum class OverlapPolicy { kError, kMerge };

/// How to read a trace, from `KEY=VALUE` words. Nothing is guessed or altered unless an option says so.
struct ReadingOptions {
  TimeUnit unit;                     ///< of the numbers in the file, unit=us|ms|s|min|h|d
  std::optional<TimeZone> timezone;  ///< timezone=NAME: for time stamps without an offset
  std::optional<double> t0;          ///< seconds; start of the recording, written like a time stamp of the file
  std::optional<double> t1;          ///< seconds; its end
  std::string t0_written;            ///< as the user wrote them, for messages
  std::string t1_written;
  bool has_local_bound = false;   ///< t0 or t1 is a date without an offset
  bool has_number_bound = false;  ///< t0 or t1 is a number, in `unit`
  ZeroPolicy zero = ZeroPolicy::kKeep;
  OverlapPolicy overlap = OverlapPolicy::kError;
  bool available_is_zero = false;  ///< value=0: a sample of 0 means available; value=1: more than 0
  bool count_lifo = false;         ///< count=lifo: slot k is up while the sample is at least k
  std::string duration_column = "time_in_sec";
  std::optional<std::string> cause_column;  ///< cause=COLUMN, or none; if not given, recognised by its name
  std::optional<std::string> name_column;   ///< name=COLUMN that holds the host; if not given, one of the usual names
  std::optional<std::string> start_column;  ///< start=COLUMN that holds when a spell starts; same default
  std::optional<std::string> end_column;    ///< end=COLUMN that holds when it ends; same default
  std::optional<std::string> zone_column;   ///< zones=COLUMN that holds the host's failure zone, or none; same default
  std::size_t zone_parts = 0;               ///< zone_parts=K: the zone is the first K parts of the host's name; 0: off
  std::set<std::string, std::less<>> observed_causes = {"preempted"};  ///< in lower case
  std::set<std::string, std::less<>> censored_causes = {"stop"};       ///< the same
  std::optional<std::string> component;       ///< component=ID: only this component of each node
  std::optional<std::string> component_tab;   ///< component_tab=FILE: the archive's table of components
  std::optional<std::string> component_type;  ///< component_type=TYPE: only components of this type of that table
  std::optional<std::string> node_tab;  ///< node_tab=FILE: the archive's table of nodes; node locations are the zones
  std::optional<std::string>
      platform_tab;                       ///< platform_tab=FILE: the archive's table of platforms; these are the zones
  bool rows_are_down = false;             ///< rows=down: a row says when its host was down; rows=up: available
  std::optional<double> silent;           ///< silent=TIME: a host silent for longer is gone; seconds
  double bridge = 0;                      ///< bridge=TIME: gaps of a host that are no longer are no loss; seconds
  std::optional<std::size_t> population;  ///< population=N: machines in all, also those that never failed
  std::optional<int> year;                ///< year=YYYY: of the first date, if dates have none
  std::optional<std::string> host;        ///< host=NAME, or host=PREFIX*

  std::vector<std::string> given;  ///< the keys that the user gave

  /// Throws InputError for a word without "=", an unknown or repeated key, or a value outside its domain.
  static ReadingOptions parse(const std::vector<std::string>& words);
  /// Whether the option `key` names a file.
  static bool names_file(std::string_view key);
  /// All options.
  static std::vector<Parameter> parameters();
  /// Throws InputError for a given key that is not among `known`, the options of `format`.
  void allow_only(const std::string& format, const std::vector<std::string>& known) const;

  bool wants(std::string_view host_name) const;
  bool is_given(std::string_view key) const;
};

}  // namespace coterie::traces
