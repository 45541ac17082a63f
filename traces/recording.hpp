#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// What a trace shows of machines over time: when each was up, all on one clock. Times are seconds.
struct Recording {
  struct UpTime {
    double begin;
    double end;
    bool operator==(const UpTime&) const = default;
  };
  std::vector<std::vector<UpTime>> machines;  ///< of each what was seen of it, in the order of time
  double begin = 0;                           ///< of the first spell of all
  double end = 0;                             ///< of the last

  /// A machine a host, in the order in which the trace names them. Throws InputError where a spell has no host or no
  /// start, where spells of one host overlap, and where there is none.
  static Recording of_hosts(const AvailabilityTrace& trace);
  /// As few machines as all spells fit into, whichever hosts they are of: each spell in the machine that is down the
  /// longest. For fleets in which a machine that is gone is replaced by one of another name.
  Recording in_slots() const;
};

/// The arguments of a recording within an expression: trace=PATH (relative to `directory`), format=NAME,
/// machines=hosts|slots, and the options of the format.
const std::vector<Parameter>& recording_parameters();

/// A recording, and what its text is made of.
struct NamedRecording {
  Recording recording;
  std::string canonical;                                       ///< its arguments, the files by their checksums
  std::vector<std::pair<std::string, std::string>> checksums;  ///< of all files read, as written
};

/// Throws InputError for the expression or the file's content, RuntimeError where the file cannot be read.
NamedRecording read_recording(const Expression& expression, const std::string& directory);

}  // namespace coterie::traces
