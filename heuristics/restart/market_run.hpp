#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/infinity.hpp"

namespace coterie::heuristics {

/// A job that may run on two markets: spot, whose machines are interrupted, at price 1, and on-demand, which is sure.
/// Whatever comes up first is free; later it costs `restart` on the same market, `change` on the other.
struct MarketJob {
  double work = 1;
  double checkpoint = 0;
  double restart = 0;
  double warning = 0;           ///< a machine knows this long ahead; if it can save by then, nothing is lost
  double deadline = kInfinity;  ///< >= work with on-demand
  double price = 1;             ///< of on-demand, >= 1
  double change = 0;

  /// Whether nothing is lost at an interruption: always where saving is free.
  bool saves_in_time() const { return checkpoint <= warning; }
};

/// A time during which spot is there.
struct UpTime {
  double begin = 0;
  double end = 0;
};

/// The spot market in one instance, in time order, drawn as far as somebody looks.
class SpotTimes {
 public:
  virtual ~SpotTimes() = default;
  /// The i-th, or null if there are no more.
  const UpTime* at(std::size_t i) {
    while (i >= known_.size() && !over_) {
      UpTime next;
      over_ = !draw(next);
      if (!over_) known_.push_back(next);
    }
    return i < known_.size() ? &known_[i] : nullptr;
  }

 private:
  virtual bool draw(UpTime& next) = 0;

  std::vector<UpTime> known_;
  bool over_ = false;
};

enum class Market { kNone, kSpot, kOnDemand };

/// What a policy knows when it is asked: at the start, when a machine is up, after each checkpoint on spot, when spot
/// comes or goes (on spot: after an interruption), and at the time that it named.
struct Situation {
  double time = 0;
  double left = 0;       ///< work that is not saved
  bool spot_up = false;  ///< is spot there?
  double age = 0;        ///< for how long it has been there, or away
  Market running = Market::kNone;
  Market last = Market::kNone;  ///< used before; kNone: nothing yet
  std::size_t losses = 0;       ///< interruptions so far
  int memory = 0;               ///< what the policy wrote last

  /// What coming up on that market costs now.
  double start_cost(const MarketJob& job, Market market) const {
    if (last == Market::kNone || running == market) return 0;
    return last != market ? job.change : job.restart;
  }
  /// Whether there is time to end on-demand if spot is lost as soon as it came up, or before.
  bool may_start_spot(const MarketJob& job) const {
    const double back = last == Market::kOnDemand ? std::max(job.change, job.restart) : job.change;
    return time + start_cost(job, Market::kSpot) <= job.deadline - left - back;
  }
};

/// What to do next. On spot: work and save, which takes as long as the machine stays up; if there is none, wait for it.
struct Move {
  Market market = Market::kNone;  ///< kNone: wait
  double chunk = kInfinity;       ///< spot: work before the next checkpoint; all that is left if it is less
  double until = kInfinity;       ///< waiting, on-demand: when to ask again
  int memory = 0;
};

/// How to use the markets.
class RestartPolicy {
 public:
  virtual ~RestartPolicy() = default;
  virtual Move next(const Situation& now) const = 0;
};

/// What happened at some time, for humans.
struct MarketEvent {
  double time;
  const char* what;
  double left;
};

struct MarketOutcome {
  double finish = kInfinity;
  double cost = 0;  ///< spot time + price x on-demand time, of rented machines
  double rented = 0;
  double on_demand = 0;  ///< of that
  double lost = 0;       ///< work that was lost, and time of checkpoints that were not completed
  std::size_t checkpoints = 0;
  std::size_t interruptions = 0;  ///< of the job
};

/// `log`: what happened, or null.
MarketOutcome run_market(const MarketJob& job, const RestartPolicy& policy, SpotTimes& spot,
                         std::vector<MarketEvent>* log = nullptr);

}  // namespace coterie::heuristics
