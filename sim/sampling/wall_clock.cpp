#include "sim/sampling/wall_clock.hpp"

#include <algorithm>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/ties.hpp"

namespace coterie::sim {

void WallClock::add(const heuristics::Plan& plan, std::size_t workers) {
  std::vector<FinishTimes> lists;
  if (plan.schedule) {
    for (std::size_t w = 0; w < workers; ++w) lists.push_back(plan.schedule->tasks(w).finish);
  } else {
    const heuristics::Chunking& chunking = plan.random->chunking;
    if (chunking.last_size() != chunking.size())
      throw InputError(
          "startup=wall needs equal chunks where orders are drawn at random; choose chunks that divide the work");
    std::vector<double> finish;
    for (std::size_t k = 1; k <= plan.random->tasks; ++k)
      finish.push_back(chunking.elapsed(k, false) + static_cast<double>(k) * startup_cost_);
    lists.assign(workers, std::move(finish));
  }
  lists_.push_back(std::move(lists));
}

double WallClock::capacity(std::size_t strategy, std::size_t worker, const SpeedProfile& speed,
                           double interruption) const {
  if (speed.pieces() == 1 && speed.piece_speed(0) == 1) return interruption;
  double time = 0;
  double before = 0;  // end of the task before, as the schedule counts it
  for (const double finish : lists_[strategy][worker]) {
    time = speed.time_after(time + startup_cost_, std::max(0.0, finish - before - startup_cost_));
    if (time > just_after(interruption)) return (before + finish) / 2;  // amid, where no rounding matters
    before = finish;
  }
  return kInfinity;
}

double WallClock::omniscient_capacity(const SpeedProfile& speed, double interruption) const {
  if (interruption <= startup_cost_) return 0;
  return startup_cost_ + speed.work(startup_cost_, interruption);
}

}  // namespace coterie::sim
