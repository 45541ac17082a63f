#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace coterie::sim {

/// Progress of a run.
struct ProgressState {
  std::size_t configurations = 0;
  std::uint64_t instances = 0;    ///< of all configurations
  std::uint64_t done_before = 0;  ///< done by earlier runs
  std::uint64_t done = 0;         ///< including earlier runs
  double seconds = 0;             ///< since the run began
  bool over = false;              ///< the last report of this run

  double share() const { return static_cast<double>(done) / static_cast<double>(instances); }
};

/// Whether a stream (default: standard error) is a terminal that can overwrite a line and show colours.
bool is_terminal(int descriptor = 2);

/// In at most `width` columns: the least important parts are left out if there is no room.
std::string progress_line(const ProgressState& state, std::size_t width);

/// Is another report due? On a terminal four times a second, and less often with time (finally every 10 s); elsewhere
/// after every 5 %, but not within 5 s, and after a minute, which grows to an hour.
bool progress_due(bool terminal, double seconds, double last_seconds, double share, double last_share);

/// Follows a run from now on and reports its progress to `tell` (which must not throw), if there is one.
class Progress {
 public:
  using Tell = std::function<void(const ProgressState&)>;
  Progress(std::size_t configurations, std::uint64_t instances, std::uint64_t done_before, Tell tell = {});
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `instances_done` includes earlier runs.
  void update(std::uint64_t instances_done);
  /// Reports once that the run is over, if there was any report.
  void finish();
  std::uint64_t done_before() const { return state_.done_before; }

 private:
  ProgressState state_;
  Tell tell_;
  std::chrono::steady_clock::time_point start_;
  bool told_ = false;
};

/// Shows the progress of runs on standard error, one after the other: one line on a terminal, which is cleared at the
/// end, and plain lines elsewhere; no more often than progress_due allows.
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
