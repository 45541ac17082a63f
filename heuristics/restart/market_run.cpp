#include "heuristics/restart/market_run.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

class MarketRun {
 public:
  MarketRun(const MarketJob& job, const RestartPolicy& policy, SpotTimes& spot, std::vector<MarketEvent>* log)
      : job_(job), policy_(policy), spot_(spot), log_(log), tiny_(1e-9 * job.work) {
    now_.left = job.work;
  }

  MarketOutcome run() {
    look();
    // A policy may ask to be asked again at once, but not for ever.
    constexpr std::size_t kMostMoves = 100'000'000;
    for (std::size_t moves = 0; now_.left > 0 && moves < kMostMoves; ++moves) {
      if ((moves & 0xfff) == 0xfff) cancellation_point();
      const Move move = policy_.next(now_);
      now_.memory = move.memory;
      const bool goes_on = move.market == Market::kOnDemand               ? on_demand(move)
                           : move.market == Market::kSpot && now_.spot_up ? on_spot(move)
                                                                          : wait(move);
      if (!goes_on) return outcome_;
    }
    if (now_.left <= 0) outcome_.finish = now_.time;
    return outcome_;
  }

 private:
  void tell(const char* what) {
    if (log_ != nullptr) log_->push_back({now_.time, what, now_.left});
  }

  /// Finds the time of spot that is now or next, and whether it is there.
  void look() {
    while (up_ = spot_.at(next_), up_ != nullptr && up_->end <= now_.time) ++next_;
    now_.spot_up = up_ != nullptr && up_->begin <= now_.time;
    const double since = now_.spot_up ? up_->begin : next_ > 0 ? spot_.at(next_ - 1)->end : 0;
    now_.age = now_.time - since;
  }

  void pass(double until, Market market) {
    const double time = std::max(0.0, until - now_.time);
    if (market != Market::kNone) {
      outcome_.rented += time;
      if (market == Market::kOnDemand) outcome_.on_demand += time;
      outcome_.cost += market == Market::kSpot ? time : job_.price * time;
    }
    now_.time = std::max(now_.time, until);
    now_.age += time;
  }

  bool wait(const Move& move) {
    now_.running = Market::kNone;
    const double change = up_ == nullptr ? kInfinity : now_.spot_up ? up_->end : up_->begin;
    const double until = std::min(change, std::max(move.until, now_.time));
    if (!std::isfinite(until)) return false;
    pass(until, Market::kNone);
    look();
    return true;
  }

  bool on_demand(const Move& move) {
    if (now_.running != Market::kOnDemand) {
      const double cost = now_.start_cost(job_, Market::kOnDemand);
      tell("on-demand");
      now_.running = now_.last = Market::kOnDemand;
      pass(now_.time + cost, Market::kOnDemand);
      look();
      return true;
    }
    double until = std::min(now_.time + now_.left, std::max(move.until, now_.time));
    if (up_ != nullptr) until = std::min(until, now_.spot_up ? up_->end : up_->begin);
    const double done = until - now_.time;
    now_.left = now_.left - done > tiny_ ? now_.left - done : 0;
    pass(until, Market::kOnDemand);
    look();
    return true;
  }

  bool on_spot(const Move& move) {
    const double end = just_after(up_->end);
    if (now_.running != Market::kSpot) {
      const double cost = now_.start_cost(job_, Market::kSpot);
      tell("spot");
      if (now_.time + cost > end) return lose(0);
      now_.running = now_.last = Market::kSpot;
      pass(now_.time + cost, Market::kSpot);
      return true;
    }
    COTERIE_REQUIRE(move.chunk > 0);
    const double chunk = std::min(move.chunk, now_.left);
    const double saved = now_.time + chunk + job_.checkpoint;
    if (saved > end) return lose(chunk);
    ++outcome_.checkpoints;
    now_.left = now_.left - chunk > tiny_ ? now_.left - chunk : 0;
    pass(saved, Market::kSpot);
    tell("saved");
    return true;
  }

  bool lose(double chunk) {
    const double worked = std::max(0.0, up_->end - now_.time);
    double done = 0;
    if (job_.saves_in_time() && now_.running == Market::kSpot) {
      done = std::clamp(worked - job_.checkpoint, 0.0, chunk);
      if (done > 0) ++outcome_.checkpoints;
      now_.left = now_.left - done > tiny_ ? now_.left - done : 0;
    } else if (now_.running == Market::kSpot) {
      outcome_.lost += worked;
    }
    pass(up_->end, Market::kSpot);
    ++outcome_.interruptions;
    ++now_.losses;
    now_.running = Market::kNone;
    tell("interrupted");
    ++next_;  // also where an end is equal up to rounding
    look();
    return outcome_.interruptions < kMostInterruptions;
  }

  static constexpr std::size_t kMostInterruptions = 1'000'000;

  const MarketJob& job_;
  const RestartPolicy& policy_;
  SpotTimes& spot_;
  std::vector<MarketEvent>* log_;
  double tiny_;
  Situation now_;
  std::size_t next_ = 0;
  const UpTime* up_ = nullptr;
  MarketOutcome outcome_;
};

}  // namespace

MarketOutcome run_market(const MarketJob& job, const RestartPolicy& policy, SpotTimes& spot,
                         std::vector<MarketEvent>* log) {
  return MarketRun(job, policy, spot, log).run();
}

}  // namespace coterie::heuristics
