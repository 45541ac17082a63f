#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/readers/csv_reader.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Does a column of this name say why a spell ended? One of its words must be reason, cause, status, state, event,
/// preempted, ...
bool looks_like_cause(std::string_view name);

/// The column of causes: cause=COLUMN (none: no column), otherwise the one whose name looks like it. Throws E_HEADER
/// if several do.
std::optional<std::size_t> cause_column(CsvReader& csv, const ReadingOptions& options);

using CauseSet = std::set<std::string, std::less<>>;  ///< in lower case

/// Counts the causes that the user's lists name but that are not among `known`: "W_ABSENT observed=a,b" -> 2. Throws
/// E_CAUSE for one that looks like a mistyped known one, unless the lists name that one, too.
std::map<std::string, std::int64_t> absent_causes(const std::string& file, const ReadingOptions& options,
                                                  const CauseSet& known);

/// Decides which causes are interruptions, and collects unknown ones.
class Causes {
 public:
  explicit Causes(const ReadingOptions& options) : options_(&options) {}

  /// Was that an interruption? Case does not matter. If only one list was given, a cause in neither list belongs to the
  /// other one and is counted; if both or none were given, it is reported by finish().
  bool interrupts(std::size_t line, std::string_view cause);
  /// A row without an end; an interruption as its cause is counted, also one that is in neither list but is an
  /// interruption in other rows.
  void open(std::size_t line, std::string_view cause);
  /// A row that is not read, of another host, has it: it is not absent from the file.
  void mention(std::string_view cause);
  /// "W_CAUSE word" for those counted, "W_OPEN line" for rows without an end, and what absent_causes counts. Throws
  /// E_CAUSE, at the line of the first one, for all causes it has to report, and for a mistyped one.
  std::map<std::string, std::int64_t> finish(const std::string& file) const;

 private:
  void saw(const std::string& cause);

  const ReadingOptions* options_;
  CauseSet seen_;  // without the empty one
  std::map<std::string, std::int64_t> counted_;
  CauseSet by_elimination_;  // interruptions, as only the other causes are named
  struct Open {
    std::int64_t rows = 0;
    std::size_t first_line = 0;
  };
  std::map<std::string, Open> open_;  // by cause
  std::vector<std::string> unknown_;  // at most kMost of them
  std::size_t first_line_ = 0;
};

}  // namespace coterie::traces
