#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace coterie::sim {

/// How far a run is.
struct ProgressState {
  std::size_t configurations = 0;
  std::uint64_t instances = 0;    ///< of all configurations
  std::uint64_t done_before = 0;  ///< that need not be run any more
  std::uint64_t done = 0;         ///< those before, too
  double seconds = 0;             ///< since the run began
  bool over = false;              ///< no more is told of this run

  double share() const { return static_cast<double>(done) / static_cast<double>(instances); }
};

/// Whether a stream, standard error if none is given, is a terminal that knows how to write over a line, or colours.
bool is_terminal(int descriptor = 2);

/// In at most `width` columns: what matters least is left out where they are few.
std::string progress_line(const ProgressState& state, std::size_t width);

/// Is there something to tell, after the last time? On a terminal four times a second, and less often with time (at
/// last every 10 s); elsewhere after every 5 %, but not within 5 s, and after a minute, which grows to an hour.
bool progress_due(bool terminal, double seconds, double last_seconds, double share, double last_share);

/// Follows a run, from now on, and tells `tell` (which must not throw) how far it is; without it, nobody.
class Progress {
 public:
  using Tell = std::function<void(const ProgressState&)>;
  Progress(std::size_t configurations, std::uint64_t instances, std::uint64_t done_before, Tell tell = {});
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `instances_done` counts those done before, too.
  void update(std::uint64_t instances_done);
  /// Tells once that the run is over, if anything was told of it.
  void finish();
  std::uint64_t done_before() const { return state_.done_before; }

 private:
  ProgressState state_;
  Tell tell_;
  std::chrono::steady_clock::time_point start_;
  bool told_ = false;
};

/// Shows on standard error how far runs are, one after the other: one line on a terminal, which is empty again at the
/// end, and plain lines elsewhere; no more often than progress_due says.
class ProgressLine {
 public:
  ProgressLine();
  void show(const ProgressState& state);

 private:
  bool terminal_;
  double last_seconds_ = 0;
  std::optional<double> last_share_;  ///< nothing before the first state of a run
  bool printed_ = false;
};

}  // namespace coterie::sim
