#include "heuristics/restart/optimal_switch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "heuristics/restart/restart_policies.hpp"

namespace coterie::heuristics {
namespace {

/// What ran last, and whether it still does.
enum Ran : std::size_t { kNothingYet, kSpotRuns, kSpotLast, kOnDemandNow, kOnDemandLast, kRans };
constexpr std::size_t kStatus = 2;  // spot is away, or there

Ran ran_of(const Situation& now) {
  if (now.last == Market::kNone) return kNothingYet;
  if (now.last == Market::kSpot) return now.running == Market::kSpot ? kSpotRuns : kSpotLast;
  return now.running == Market::kOnDemand ? kOnDemandNow : kOnDemandLast;
}

/// P(it ends within a step | it has lasted j steps), j = 0, 1, ..., the last for all later ones.
std::vector<double> hazards_of(const RiskPtr& law, double step, std::size_t ages) {
  if (law->exponentials().size() == 1) ages = 1;
  std::vector<double> hazards;
  for (std::size_t j = 0; j < ages; ++j) {
    const double alive = law->survival(static_cast<double>(j) * step);
    if (!(alive > 0)) break;
    hazards.push_back(1 - law->survival(static_cast<double>(j + 1) * step) / alive);
  }
  return hazards;
}

/// The same of something that always lasts so long.
std::vector<double> hazards_of(double length, double step) {
  std::vector<double> hazards(
      static_cast<std::size_t>(std::max(1.0, std::min(1000.0, std::ceil(length / step - 1e-9)))));
  hazards.back() = 1;
  return hazards;
}

class SwitchProgramme final : public RestartPolicy {
 public:
  SwitchProgramme(const MarketJob& job, const RiskPtr& life, const RiskPtr& down, double mean_down) : job_(job) {
    constexpr double kSteps = 240, kMostSlack = 600, kMostStates = 6e7;
    const double slack = job.deadline - job.work;
    const double least_step = std::max({job.deadline / kSteps, job.change, job.restart});
    const double cost =
        std::min(job.change, job.restart) > 0 ? std::min(job.change, job.restart) : std::max(job.change, job.restart);
    quantum_ = cost > 0 ? cost / std::ceil(4 * cost / least_step) : least_step / 4;
    quantum_ = std::max(quantum_, slack / kMostSlack);
    step_ = quantum_ * std::ceil(least_step / quantum_ - 1e-9);
    steps_ = static_cast<std::size_t>(std::ceil(job.deadline / step_ - 1e-9));
    slacks_ = static_cast<std::size_t>(std::floor(slack / quantum_ + 1e-9)) + 1;
    const double most_ages = kMostStates / static_cast<double>(steps_ * slacks_ * kStatus * kRans);
    const auto ages = static_cast<std::size_t>(std::clamp(most_ages, 1.0, static_cast<double>(steps_)));
    ends_[1] = hazards_of(life, step_, ages);
    ends_[0] = down ? hazards_of(down, step_, ages) : hazards_of(mean_down, step_);
    ages_ = std::max(ends_[0].size(), ends_[1].size());
    no_absence_ = !down && mean_down == 0;
    solve();
  }

  Move next(const Situation& now) const override {
    const double slack = job_.deadline - now.time - now.left;
    const auto choice = static_cast<Market>(choices_[index_of(now, slack)]);
    // What the steps do not see: whether it is sure.
    Situation idle = now;
    idle.running = Market::kNone;
    const double latest = job_.deadline - now.left - idle.start_cost(job_, Market::kOnDemand);
    if (now.running == Market::kOnDemand && choice == Market::kOnDemand)
      return {Market::kOnDemand, kInfinity, now.time + step_};
    if (choice == Market::kSpot && now.spot_up && now.may_start_spot(job_)) return {Market::kSpot, step_};
    if (choice == Market::kOnDemand || now.time >= latest) return {Market::kOnDemand, kInfinity, now.time + step_};
    return {Market::kNone, kInfinity, std::min(now.time + step_, latest)};
  }

 private:
  std::size_t state(std::size_t slack, std::size_t up, std::size_t age, std::size_t ran) const {
    return ((slack * kStatus + up) * ages_ + age) * kRans + ran;
  }

  std::size_t index_of(const Situation& now, double slack) const {
    const auto i = std::min(steps_ - 1, static_cast<std::size_t>(now.time / step_ + 0.5));
    const auto s = static_cast<std::size_t>(
        std::clamp(std::floor(slack / quantum_ + 1e-6), 0.0, static_cast<double>(slacks_ - 1)));
    const std::size_t up = now.spot_up ? 1 : 0;
    const auto age = std::min(ends_[up].size() - 1, static_cast<std::size_t>(std::max(0.0, now.age / step_ + 1e-9)));
    return i * slacks_ * kStatus * ages_ * kRans + state(s, up, age, ran_of(now));
  }

  std::size_t quanta(double time) const { return static_cast<std::size_t>(std::ceil(time / quantum_ - 1e-6)); }

  void solve() {
    const std::size_t size = slacks_ * kStatus * ages_ * kRans;
    choices_.assign(steps_ * size, 0);
    std::vector<double> later(size, 0), here(size);
    for (std::size_t i = steps_; i-- > 0;) {
      cancellation_point();
      for (std::size_t s = 0; s < slacks_; ++s) {
        const double left =
            job_.deadline - static_cast<double>(i) * step_ - static_cast<double>(s) * quantum_;  // of work
        for (std::size_t up = 0; up < kStatus; ++up)
          for (std::size_t age = 0; age < ends_[up].size(); ++age)
            for (std::size_t ran = 0; ran < kRans; ++ran) {
              const std::size_t at = state(s, up, age, ran);
              auto [value, choice] = best(later, left, s, up, age, ran);
              here[at] = value;
              choices_[i * size + at] = static_cast<std::uint8_t>(choice);
            }
      }
      std::swap(here, later);
    }
  }

  /// Expected cost from the next step on, with this slack and machine; `lost`: what ran last if spot goes.
  double after(const std::vector<double>& later, std::size_t slack, std::size_t up, std::size_t age, Ran ran,
               Ran lost) const {
    const double ends = ends_[up][age];
    const std::size_t older = std::min(age + 1, ends_[up].size() - 1);
    double value = 0;
    if (ends < 1) value += (1 - ends) * later[state(slack, up, older, ran)];
    if (ends > 0) value += ends * later[state(slack, up == 1 && no_absence_ ? 1 : 1 - up, 0, up == 1 ? lost : ran)];
    return value;
  }

  std::pair<double, Market> best(const std::vector<double>& later, double left, std::size_t slack, std::size_t up,
                                 std::size_t age, std::size_t ran) const {
    if (!(left > 1e-9 * job_.work)) return {0, Market::kNone};
    const bool idle = ran == kNothingYet || ran == kSpotLast || ran == kOnDemandLast;
    std::pair<double, Market> best = {kInfinity, Market::kOnDemand};
    const auto offer = [&](Market market, double start, Ran then, Ran lost, double price) {
      const std::size_t used = market == Market::kNone ? quanta(step_) : quanta(start);
      if (used > slack) return;
      const double time = market == Market::kNone ? 0 : std::min(step_, start + left);
      const double value =
          price * time +
          (time < step_ && market != Market::kNone ? 0 : after(later, slack - used, up, age, then, lost));
      if (value < best.first) best = {value, market};
    };
    const double to_demand = ran == kNothingYet || ran == kOnDemandNow ? 0
                             : ran == kOnDemandLast                    ? job_.restart
                                                                       : job_.change;
    const double to_spot = ran == kNothingYet || ran == kSpotRuns ? 0 : ran == kSpotLast ? job_.restart : job_.change;
    offer(Market::kOnDemand, to_demand, kOnDemandNow, kOnDemandNow, job_.price);
    if (up == 1) offer(Market::kSpot, to_spot, kSpotRuns, kSpotLast, 1);
    const Ran rests = idle ? static_cast<Ran>(ran) : ran == kSpotRuns ? kSpotLast : kOnDemandLast;
    offer(Market::kNone, 0, rests, rests, 0);
    return best;
  }

  MarketJob job_;
  double step_, quantum_;
  std::size_t steps_, slacks_, ages_;
  std::array<std::vector<double>, kStatus> ends_;
  bool no_absence_;
  std::vector<std::uint8_t> choices_;
};

}  // namespace

std::unique_ptr<RestartPolicy> optimal_switch(const RestartQuestion& question) {
  if (question.job.checkpoint > 0) throw InputError("optimal-switch is for jobs whose checkpoint costs nothing");
  if (!question.life) throw InputError("optimal-switch plans by a law of lives: give a risk");
  return std::make_unique<SwitchProgramme>(question.job, question.life, question.down, question.mean_down);
}

}  // namespace coterie::heuristics
