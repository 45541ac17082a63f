#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "traces/readers/spell_list.hpp"

namespace coterie::traces {

/// Collects what a log says about instances, in any order, and turns it into spells in time order:
/// - an instance that comes up is up until it goes down; it was interrupted if there was a notice of interruption
///   before, otherwise the end itself says whether it was;
/// - a notice says how long before the interruption it comes; if no end follows within kPatience times that time, the
///   announced time is the end and counts as W_NOEND, and an end that comes later as W_LATE;
/// - a restart of an instance that is not known to be down is an end and a start at once;
/// - an announced cause holds for the next end of the instance, whatever that end says itself, unless it is retracted;
///   that of an interruption wins over others;
/// - contact that is lost, and not found again before the end, was lost at the end: only the end's cause is its own;
/// - an end that may be a flap is no loss if the instance is up again within bridge=, unless it was announced, or a
///   restart or another end is between them;
/// - events that say nothing new (up while up, down or restart while down) count as W_AGAIN; up on another host, ports
///   aside, ends the spell on the first, unobserved, and counts as W_MISSED;
/// - an end or a notice without a start belongs to a left-truncated spell from t0, unless the log says before that the
///   instance was not up (then it counts as W_AGAIN); without t0 it counts as W_NOSTART;
/// - with host=, only the latest time counts of what is said of other hosts, if keys are hosts;
/// - an instance that is up at the end is censored at t1, or at the last time of the log, other events included.
class InstanceLog {
 public:
  enum class Keys { kHosts, kJobs };  ///< what identifies instances
  InstanceLog(const ReadingOptions& options, const std::string& file, Keys keys = Keys::kHosts)
      : options_(&options), spells_(options, file), keys_(keys) {}

  /// `key` identifies the instance, `host` is its name.
  /// `left`: it came up before recording began.
  void up(const std::string& key, const std::string& host, double time, std::size_t line, bool left = false);
  /// `lead` > 0: seconds from the notice to the interruption.
  void notice(const std::string& key, double time, double lead, std::size_t line);
  enum class Flap { kPossible, kNo };
  void down(const std::string& key, double time, bool observed, std::size_t line, Flap flap = Flap::kPossible);
  void announce(const std::string& key, double time, bool interrupts, std::size_t line);
  void retract(const std::string& key, double time, std::size_t line);
  void lose_contact(const std::string& key, double time, std::size_t line);
  void find_again(const std::string& key, double time, std::size_t line);
  void restart(const std::string& key, double time, bool observed, std::size_t line);
  /// It exists but is not up: otherwise such an event says nothing, as for skip().
  void idle(const std::string& key, double time, std::size_t line);
  /// An event that says nothing about instances counts as W_OTHEREVENT; nothing if it has no time that can be read.
  void skip(std::optional<double> time);
  void count(const std::string& warning, std::int64_t times = 1) { spells_.count(warning, times); }
  /// If the log holds no spell: why.
  void explain(const std::string& reason) { spells_.explain(reason); }

  AvailabilityTrace finish();

  static constexpr double kPatience = 5;

 private:
  enum class Kind { kUp, kNotice, kDown, kRestart, kIdle, kAnnounce, kRetract, kLost, kFound };
  struct Change {
    std::string key;
    std::string host;
    double time = 0;
    Kind kind = Kind::kUp;
    bool observed = false;
    std::size_t line = 0;
    double lead = 0;
    bool may_flap = true;
    bool left = false;
  };
  /// State of an instance while the changes are processed.
  struct State {
    const Change* start = nullptr;  // while it is up
    bool seen = false;
    const Change* notice = nullptr;
    bool ended_as_noticed = false;  // and its end has not been seen since
    std::optional<bool> announced;  // whether the next end is an interruption
    std::optional<double> lost;     // when contact was
    bool fresh = true;              // the next start begins a new life
    bool start_is_fresh = true;
    bool is_overdue(double now) const { return notice != nullptr && now > notice->time + kPatience * notice->lead; }
  };

  void add(Change change);
  void saw(double time);
  /// With t0, an instance that had a notice before any start has been up since then.
  bool is_up(const State& state) const {
    return state.start != nullptr || (state.notice != nullptr && options_->t0.has_value());
  }
  /// The spell, without its end, that `change` tells of; from t0 if there is no start.
  Spell spell_from(const Change* start, const Change& change);
  void end_as_noticed(State& state);
  void end(const Change& change, const State& state);
  void tell(const Change& change, State& state);
  static State ended();
  void begin(const Change& change, State& state);

  const ReadingOptions* options_;
  SpellList spells_;
  Keys keys_;
  std::vector<Change> changes_;
  std::vector<const Change*> begins_;  ///< of spells, in their order, which a map would lose
  double last_ = 0;                    ///< time of the log
};

}  // namespace coterie::traces
