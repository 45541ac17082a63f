#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
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

/// Does it say whether an interruption ended the spell, by yes or no? One of its words must be preempted, failed, ...
bool is_flag(std::string_view name);

/// The column of causes: cause=COLUMN (none: no column), otherwise the one whose name looks like it. Throws E_HEADER
/// if several do.
std::optional<std::size_t> cause_column(CsvReader& csv, const ReadingOptions& options);

/// What the words of a system mean, for all readers of its logs. The user's observed= and censored= go over it.
struct KnownCause {
  std::string_view word;  ///< in lower case
  bool interrupts;
};
extern const std::span<const KnownCause> kSlurmStates;        ///< sacct 20.11 to 25.05, as a table and as JSON
extern const std::span<const KnownCause> kCondorCauses;       ///< HTCondor 8.8 to 24: codes and events
extern const std::span<const KnownCause> kComputeMethods;     ///< Google Compute Engine: methods and operations
extern const std::span<const KnownCause> kInstanceStates;     ///< Amazon EC2: states and calls
extern const std::span<const KnownCause> kNodeReasons;        ///< Kubernetes 1.20 to 1.34: how a node's spell ends
extern const std::span<const KnownCause> kNodeAnnouncements;  ///< reasons that hold for the next end of the node
extern const std::span<const KnownCause> kLoginRecords;       ///< last -x
extern const std::span<const KnownCause> kFlags;              ///< a column that says yes or no

/// The row of a table; null if there is none. Case does not matter.
const KnownCause* find_cause(std::span<const KnownCause> known, std::string_view word);

using CauseSet = std::set<std::string, std::less<>>;  ///< in lower case

/// Counts the causes that the user's lists name but that are not among `known`: "W_ABSENT observed=a,b" -> 2. Throws
/// E_CAUSE for one that looks like a mistyped known one, unless the lists name that one, too.
std::map<std::string, std::int64_t> absent_causes(const std::string& file, const ReadingOptions& options,
                                                  const CauseSet& known);

/// Decides which causes are interruptions, and collects unknown ones.
class Causes {
 public:
  /// `known`: a table of the system that wrote the log.
  explicit Causes(const ReadingOptions& options, std::span<const KnownCause> known = {})
      : options_(&options), known_(known) {}
  /// Of a column of that name, which may say yes or no.
  Causes(const ReadingOptions& options, std::string_view column);

  /// Was that an interruption? Case does not matter. If only one list was given, a cause in neither list belongs to the
  /// other one and is counted; if both or none were given, it is reported by finish(). With a table, a cause that is
  /// neither there nor in a list is counted and is no interruption.
  bool interrupts(std::size_t line, std::string_view cause) { return interrupts(line, cause, cause); }
  /// `as`: what the table calls it.
  bool interrupts(std::size_t line, std::string_view cause, std::string_view as);
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
  /// What the lists say, or the table.
  std::optional<bool> verdict(const std::string& cause, std::string_view as) const;

  const ReadingOptions* options_;
  std::span<const KnownCause> known_;
  bool flags_ = false;
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
