#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/risk.hpp"

namespace coterie::sim {

/// The risks of one campaign: the parametric ones, and trace(file=...), whose path is relative to the campaign's
/// directory. Each is made once, by any thread, and shared.
class RiskLibrary {
 public:
  explicit RiskLibrary(std::string directory) : directory_(std::move(directory)) {}

  /// Throws InputError at `place`.
  RiskPtr get(const std::string& text, const Place& place = {});
  /// The text that the identity of a configuration is made of: every parameter written, a trace by its checksum.
  std::string canonical(const std::string& text, const Place& place = {});

  /// A line for each trace: durations, censored share, time scale; a warning where more than 1 % is censored.
  std::vector<std::string> notes() const;
  /// The trace files read so far, as the campaign names them, with their checksums.
  std::map<std::string, std::string> checksums() const;

 private:
  std::string directory_;
  mutable std::mutex mutex_;
  std::map<std::string, RiskPtr> made_;
  std::map<std::string, std::string> checksums_;
  std::vector<std::string> notes_;
};

}  // namespace coterie::sim
