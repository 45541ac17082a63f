#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace coterie::sim {

/// A length of time as users write it, in seconds: "90 s", "1.5min", "2 h". `name` stands for it in messages.
/// Throws InputError for another unit, none, or a length that is not positive.
double parse_seconds(const std::string& text, const std::string& name);

/// From its making to its end, SIGINT and SIGTERM no longer end the program: they ask it to stop, and it looks between
/// blocks. A second signal of the same kind ends it at once. One at a time.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  static bool raised();
  /// "SIGINT" or "SIGTERM"; "" where there was none.
  static std::string name();
};

/// When a run has to stop before its end: on a signal, or when its time is over.
class StopRule {
 public:
  explicit StopRule(std::optional<double> limit_seconds);
  bool reached() const;
  std::string reason() const;  ///< "SIGINT" or "the time limit"

 private:
  std::optional<std::chrono::steady_clock::time_point> end_;
};

}  // namespace coterie::sim
