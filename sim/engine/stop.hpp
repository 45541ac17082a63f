#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace coterie::sim {

/// While one exists, SIGINT and SIGTERM no longer end the program, but ask it to stop. A second signal of the same kind
/// ends it at once. Only one may exist at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool raised();
  /// "SIGINT" or "SIGTERM"; "" if there was none.
  static std::string name();
};

/// When a run has to stop early: on a signal, when its time is over, or when the program asks for it. It takes effect
/// in three steps. Once it is `reached`, nothing new is begun. Work still in progress kCancelSeconds later is cancelled
/// at the next cancellation point. If there is none, a LastResort ends the program after kLastSeconds.
class StopRule {
 public:
  static constexpr double kCancelSeconds = 0.35;
  static constexpr double kLastSeconds = 0.7;

  /// The time starts now.
  explicit StopRule(std::optional<double> limit_seconds);
  ~StopRule();
  StopRule(const StopRule&) = delete;
  StopRule& operator=(const StopRule&) = delete;

  /// Asks to stop now; from any thread.
  void request() { requested_ = true; }
  bool reached() const;
  std::string reason() const;  ///< "SIGINT", "the time limit" or "request"
  /// True from kCancelSeconds after it was reached, for a CancellationScope.
  const std::atomic<bool>& cancels() const { return cancels_; }

 private:
  friend class LastResort;
  using Clock = std::chrono::steady_clock;

  void watch();

  std::optional<Clock::time_point> end_;
  std::atomic<bool> requested_ = false;
  std::atomic<bool> cancels_ = false;
  std::mutex mutex_;  // of what follows
  std::condition_variable over_changed_;
  bool over_ = false;
  std::function<void()> last_resort_;
  std::thread watcher_;  // last: it uses the others
};

/// While one exists, `end_program` is called by a separate thread kLastSeconds after the rule was reached. It must not
/// return. A nested one replaces the outer one while it exists.
class LastResort {
 public:
  LastResort(StopRule& rule, std::function<void()> end_program);
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;

 private:
  StopRule& rule_;
  std::function<void()> before_;
};

}  // namespace coterie::sim
