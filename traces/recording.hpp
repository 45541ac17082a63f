#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {

/// When each machine of a trace was up, all on one clock. Times are in seconds.
struct Recording {
  struct UpTime {
    double begin;
    double end;
    bool operator==(const UpTime&) const = default;
  };
  std::vector<std::vector<UpTime>> machines;  ///< the up times of each, in time order
  double begin = 0;                           ///< start of the first spell
  double end = 0;                             ///< end of the last spell

  /// One machine per host, in the order in which the trace names them. Throws InputError if a spell has no host or no
  /// start, if spells of one host overlap, or if there is no spell.
  static Recording of_hosts(const AvailabilityTrace& trace);
  /// The fewest machines into which all spells fit, whatever their hosts: each spell goes to the machine that has been
  /// down longest. For fleets in which a lost machine is replaced by one with another name.
  Recording in_slots() const;
};

/// The arguments of a recording within an expression: trace=PATH (relative to `directory`), format=NAME,
/// machines=hosts|slots, and the options of the format.
const std::vector<Parameter>& recording_parameters();

/// A recording, and its text.
struct NamedRecording {
  Recording recording;
  std::string canonical;                                       ///< its arguments, with checksums in place of file names
  std::vector<std::pair<std::string, std::string>> checksums;  ///< of all files read, by the name written
  std::map<std::string, std::int64_t> warnings;                ///< of the reader
};

/// Throws InputError if the expression or the file's content is wrong, RuntimeError if the file cannot be read.
NamedRecording read_recording(const Expression& expression, const std::string& directory);

}  // namespace coterie::traces
