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

/// Throws E_CAUSE if a list of causes that the user gave names one that is not among `known`. `option`: observed or
/// censored; `what`: "the causes that occur".
void require_known_causes(const std::string& file, const std::string& option, const CauseSet& named,
                          const std::vector<std::string>& known, std::string_view what);

/// Decides which causes are interruptions, and collects unknown ones.
class Causes {
 public:
  explicit Causes(const ReadingOptions& options) : options_(&options) {}

  /// Was that an interruption? Case does not matter. If only one list was given, a cause in neither list belongs to the
  /// other one and is counted; if both or none were given, it is reported by finish().
  bool interrupts(std::size_t line, std::string_view cause);
  /// A row without an end; an interruption as its cause is counted.
  void open(std::size_t line, std::string_view cause);
  /// "W_CAUSE word" for those counted, "W_OPEN line" for rows without an end. Throws E_CAUSE, at the line of the first
  /// one, for all causes it has to report, and for a given one that does not occur.
  std::map<std::string, std::int64_t> finish(const std::string& file) const;

 private:
  const ReadingOptions* options_;
  CauseSet seen_;
  std::map<std::string, std::int64_t> counted_;
  std::int64_t open_ = 0;  // interruptions without an end
  std::size_t first_open_line_ = 0;
  std::vector<std::string> unknown_;  // at most kMost of them
  std::size_t first_line_ = 0;
};

}  // namespace coterie::traces
