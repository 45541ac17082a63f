#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace coterie::sim {

/// How far a run is.
struct ProgressState {
  std::size_t configurations = 0;
  std::uint64_t instances = 0;    ///< of all configurations
  std::uint64_t done_before = 0;  ///< that need not be run any more
  std::uint64_t done = 0;         ///< those before, too
  double seconds = 0;             ///< since the run began

  double share() const { return static_cast<double>(done) / static_cast<double>(instances); }
};

/// In at most `width` columns: what matters least is left out where they are few.
std::string progress_line(const ProgressState& state, std::size_t width);

/// Is there something to tell, after the last time? On a terminal four times a second, and less often with time (at
/// last every 10 s); elsewhere after every 5 %, but not within 5 s, and after a minute, which grows to an hour.
bool progress_due(bool terminal, double seconds, double last_seconds, double share, double last_share);

/// Tells on standard error how far a run is: one line on a terminal, plain lines elsewhere. Quiet: nothing.
class Progress {
 public:
  enum class Style { kAutomatic, kQuiet };
  Progress(std::size_t configurations, std::uint64_t instances, std::uint64_t done_before, Style style);
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `instances_done` counts those done before, too.
  void update(std::uint64_t instances_done);
  /// Leaves the terminal's line empty.
  void finish();
  std::uint64_t done_before() const { return state_.done_before; }

 private:
  ProgressState state_;
  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  double last_seconds_ = 0;
  double last_share_ = 0;
  bool printed_ = false;
};

}  // namespace coterie::sim
