#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/infinity.hpp"
#include "core/risk.hpp"
#include "core/stream.hpp"
#include "heuristics/dispatch/spells.hpp"
#include "sim/sampling/recorded_spells.hpp"
#include "traces/durations.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::sim {

/// Which machines of a recording a window has, and when it begins for each.
enum class Joining {
  kOfAge,    ///< those that next come to be of an age, each when it does
  kUp,       ///< those that are up at a moment
  kTogether  ///< those known at a moment, up or not
};

/// What becomes of a machine after its spell.
enum class AfterSpell {
  kGone,
  kRecorded,  ///< its later spells are those of its host
  kReplaced   ///< the next machine of the recording takes its place
};

/// How windows are taken from a recording. Times are in seconds.
struct WindowsAsked {
  Joining joining = Joining::kOfAge;
  double age = 0;
  AfterSpell after = AfterSpell::kGone;
  RiskPtr down = nullptr;           ///< before the next machine takes the place
  bool slots = false;               ///< kTogether: a machine is a slot that one host after another fills
  bool all_ends = false;            ///< every end of a spell is an interruption
  double span = 0;                  ///< how long a window has to be known
  std::vector<double> starts = {};  ///< kTogether: the moments; none: as many as fit
  std::uint64_t seed = 1;
};

/// What is assumed of a spell of which it is not known how much longer it lasted.
enum class CutOff {
  kGoesOn,  ///< it goes on as other spells of that length did, by chance
  kStays,   ///< its machine is never interrupted
  kLeaves   ///< it was interrupted then
};

/// The machines of a window, each from its own beginning on; times in seconds.
struct RecordedWindow {
  double begin = 0;  ///< when the first machine joined, on the clock of the recording
  std::vector<std::vector<heuristics::Spell>> machines;
};

/// How alike machines are that join one after another: the correlation of whether they stay longer than most do.
struct Likeness {
  double correlation = 0;
  std::size_t pairs = 0;
  /// Whether machines that do not depend on each other are so alike with a probability below 1e-4.
  bool is_certain() const;
};

/// A recording from which windows are taken.
class RecordedFleets {
 public:
  /// Throws InputError if the recording does not say when machines were up.
  RecordedFleets(const traces::AvailabilityTrace& trace, WindowsAsked asked);

  double begin() const { return begin_; }
  double end() const { return end_; }
  /// The moment before which this share of the machines joined, or of the time has passed.
  double after_share(double share) const;
  /// Moments from the first on, so that as many machines join (or as much time passes) between two of them, and before
  /// windows are no longer known to their end.
  std::vector<double> plan_times(double first, std::size_t plans) const;
  /// Of the machines that had joined, as far as was known then. kOfAge; nothing for other ways to join.
  std::optional<Likeness> likeness(double known_at) const;
  /// At most so many windows of `machines` machines that begin from one moment until another, the earliest first. No
  /// machine is in two of them at the same time, but where it takes another's place. `law_from`: cut-off spells go on
  /// like those that began then or later.
  std::vector<RecordedWindow> windows(double from, double until, std::size_t machines, std::size_t most, CutOff cut_off,
                                      double law_from) const;

 private:
  struct HostSpell {
    double begin;
    double end;
    bool cut;     // not known how much longer it lasted
    bool is_new;  // its beginning was seen
    std::uint64_t number;
  };
  struct Join {
    double time;
    std::size_t host;
    std::size_t spell;  // of the host: the first that ends later
  };
  class Ends;  // of spells, also of those that were cut off

  void read(const traces::AvailabilityTrace& trace);
  void read_together(const traces::AvailabilityTrace& trace);
  std::vector<Join> joins_at_age(double age) const;
  std::vector<double> moments(double from, double until) const;
  std::vector<Join> present(double moment, double known_at) const;
  std::vector<std::vector<Join>> fleets_of_age(double from, double until, std::size_t machines) const;
  std::vector<std::vector<Join>> fleets_at_moments(double from, double until, std::size_t machines,
                                                   std::size_t most) const;
  RecordedWindow window(const std::vector<Join>& fleet, const Ends& ends) const;

  WindowsAsked asked_;
  std::vector<std::vector<HostSpell>> hosts_;
  std::vector<Join> joins_;                  // kOfAge, in time order
  std::vector<Join> new_ones_;               // kReplaced, in time order
  std::vector<traces::Duration> durations_;  // by number of the spell
  double begin_ = 0;
  double end_ = 0;
};

/// The windows as spells of a fleet: instance i is window i. One unit of time is `unit` seconds.
class WindowsInTurn final : public Replay {
 public:
  /// `recorded`: for each machine of the fleet, in its order, whether it is one of the window; others are always up.
  WindowsInTurn(std::vector<RecordedWindow> windows, std::vector<bool> recorded, double unit)
      : windows_(std::move(windows)), recorded_(std::move(recorded)), unit_(unit) {}

  double window() const override { return kInfinity; }
  std::size_t machines() const override { return recorded_.size(); }
  std::shared_ptr<const Replay> in_unit(double unit) const override {
    return std::make_shared<WindowsInTurn>(windows_, recorded_, unit_ * unit);
  }
  void draw(const StreamKey& key, std::uint64_t instance, std::span<const double> lives,
            heuristics::Spells& spells) const override;

 private:
  std::vector<RecordedWindow> windows_;
  std::vector<bool> recorded_;
  double unit_;
};

}  // namespace coterie::sim
