#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "traces/readers/csv_reader.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Does a column of this name tell why a spell ended? One word of it must be reason, cause, status, state, event,
/// preempted, ...
bool looks_like_cause(std::string_view name);

/// The column of causes: cause=COLUMN (none: there is none), else the one that looks like one. Throws E_HEADER where
/// several do.
std::optional<std::size_t> cause_column(CsvReader& csv, const ReadingOptions& options);

/// Which causes are interruptions, and what is met of others.
class Causes {
 public:
  explicit Causes(const ReadingOptions& options) : options_(&options) {}

  /// Was that an interruption? Case makes no difference. A cause in neither list is of the list that was not given, and
  /// counted; where both or none were given it is one more for finish().
  bool interrupts(std::size_t line, std::string_view cause);
  /// "W_CAUSE word" for those counted. Throws E_CAUSE, at the first of them, for all causes in neither list.
  const std::map<std::string, std::int64_t>& finish(const std::string& file) const;

 private:
  const ReadingOptions* options_;
  std::map<std::string, std::int64_t> counted_;
  std::vector<std::string> unknown_;  // at most kMost of them
  std::size_t first_line_ = 0;
};

}  // namespace coterie::traces
