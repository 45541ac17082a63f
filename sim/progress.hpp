#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace coterie::sim {

/// Tells on standard error how far a run is: on a terminal one line, at most four times a second; elsewhere a plain
/// line every minute or every 5 %. Quiet: nothing.
class Progress {
 public:
  enum class Style { kAutomatic, kQuiet };
  /// `done_before`: instances that need not be run any more.
  Progress(std::size_t configurations, std::uint64_t instances, std::uint64_t done_before, Style style);
  /// `instances_done` counts those done before, too.
  void update(std::uint64_t instances_done);
  void finish();
  std::uint64_t done_before() const { return done_before_; }

 private:
  void print(std::uint64_t instances_done, double seconds);

  std::size_t configurations_;
  std::uint64_t instances_;
  std::uint64_t done_before_;
  bool quiet_;
  bool terminal_;
  std::chrono::steady_clock::time_point start_;
  double last_seconds_ = 0;
  double last_share_ = 0;
  bool printed_ = false;
};

}  // namespace coterie::sim
