#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "traces/readers/spell_list.hpp"

namespace coterie::traces {

/// Collects what a log tells of instances, in any order, and makes spells of it in the order of time:
/// - who comes up is up until it goes down; with a notice of interruption before that, it was interrupted, else as the
///   end says;
/// - a notice says how long before the interruption it comes; where no end follows within kPatience times as long, that
///   was the end, which counts as W_NOEND;
/// - who restarts goes down, if it was up, and is up again at once;
/// - what is known already (up while up, down after down) counts as W_AGAIN;
/// - an end without a start begins at t0, left-truncated, or counts as W_NOSTART without t0;
/// - who is up at the end is censored at t1, or at the last time of the log.
class InstanceLog {
 public:
  InstanceLog(const ReadingOptions& options, const std::string& file) : options_(&options), spells_(options, file) {}

  /// `key` tells instances apart, `host` is what they are called.
  void up(const std::string& key, const std::string& host, double time, std::size_t line);
  /// `lead` > 0: from the notice to the interruption, in seconds.
  void notice(const std::string& key, double time, double lead, std::size_t line);
  void down(const std::string& key, double time, bool observed, std::size_t line);
  void restart(const std::string& key, double time, bool observed, std::size_t line);
  void count(const std::string& warning, std::int64_t times = 1) { spells_.count(warning, times); }

  AvailabilityTrace finish();

  static constexpr double kPatience = 5;

 private:
  enum class Kind { kUp, kNotice, kDown, kRestart };
  struct Change {
    std::string key;
    std::string host;
    double time = 0;
    Kind kind = Kind::kUp;
    bool observed = false;
    std::size_t line = 0;
    double lead = 0;
  };
  /// Of an instance, while changes are gone through.
  struct State {
    const Change* start = nullptr;  // while it is up
    bool seen = false;
    const Change* notice = nullptr;
    bool is_overdue(double now) const {
      return start != nullptr && notice != nullptr && now > notice->time + kPatience * notice->lead;
    }
  };

  void add(Change change);
  void end_as_noticed(State& state);
  void end(const Change& change, const Change* start, bool noticed);

  const ReadingOptions* options_;
  SpellList spells_;
  std::vector<Change> changes_;
};

}  // namespace coterie::traces
