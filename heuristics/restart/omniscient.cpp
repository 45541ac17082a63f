#include "heuristics/restart/omniscient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "core/contract.hpp"
#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

/// Of all time up to the deadline, what is neither work nor start-ups and checkpoints is idle. So with o the time of
/// start-ups and checkpoints, u that on spot and y = W + o - u that on-demand,
///   cost = u + k y = k W + (k o - (k - 1) u),   and   o + idle <= L - W =: slack.
/// Both sums are over the stretches of the market between two of its changes, each used whole for one purpose (spot has
/// the same worth at any time, so only one has to be used in part, and no more than y is used on-demand). Dynamic
/// programming over (stretch, what ran last, slack used).
class StretchProgramme {
 public:
  StretchProgramme(const MarketJob& job, std::vector<UpTime> ups)
      : job_(job), ups_(std::move(ups)), quantum_(common_quantum()) {
    width_ = static_cast<std::size_t>(std::floor((job_.deadline - job_.work) / quantum_ * (1 + 1e-12) + 1e-9)) + 1;
  }

  /// Whether nothing was rounded.
  bool exact() const { return exact_; }

  /// Time on-demand being worth `price`: the least k o - (k - 1) u, and y there.
  std::pair<double, double> least(double price) {
    for (auto& state : now_) state.assign(width_, {kInfinity, 0, 0});
    now_[kNothing][0] = {0, 0, 0};
    double time = 0;
    for (const UpTime& up : ups_) {
      stretch(up.begin - time, false, price);
      stretch(up.end - up.begin, true, price);
      time = up.end;
    }
    stretch(job_.deadline - time, false, price);
    Value best = {kInfinity, 0, 0};
    for (const auto& state : now_)
      for (const Value& one : state)
        if (one.worth < best.worth) best = one;
    return {best.worth, job_.work + best.overhead - best.spot};
  }

 private:
  enum State { kNothing, kAfterSpot, kOnDemandRuns, kAfterOnDemand, kStates };
  struct Value {
    double worth;
    double overhead;
    double spot;
  };

  /// The greatest unit of which all times are multiples; of a slack of thousands of them, 1/2048: what is used of it is
  /// rounded down, in favour of the omniscient.
  double common_quantum() {
    constexpr double kMost = 4096, kParts = 2048;
    const double slack = job_.deadline - job_.work;
    double unit = slack;
    const auto join = [&](double value) {
      double rest = value;
      while (rest > 1e-6 * job_.work / kMost && unit * kMost > slack) {
        const double next = std::abs(std::remainder(unit, rest));
        unit = rest;
        rest = next;
      }
    };
    for (const double cost : {job_.restart, job_.change, job_.checkpoint}) join(cost);
    double time = 0;
    for (const UpTime& up : ups_) {
      join(up.begin - time);
      join(up.end - up.begin);
      time = up.end;
    }
    join(job_.deadline - time);
    if (!(slack > 0)) return 1;
    if (unit * kMost >= slack) return unit;
    exact_ = false;
    return slack / kParts;
  }

  void stretch(double length, bool up, double price) {
    if (!(length > 0)) return;
    for (auto& state : next_) state.assign(width_, {kInfinity, 0, 0});
    const double d = job_.change;
    const double c = job_.checkpoint;
    go(kNothing, kNothing, length, 0, 0, price);
    go(kAfterSpot, kAfterSpot, length, 0, 0, price);
    go(kOnDemandRuns, kAfterOnDemand, length, 0, 0, price);
    go(kAfterOnDemand, kAfterOnDemand, length, 0, 0, price);
    go(kNothing, kOnDemandRuns, 0, 0, 0, price);
    go(kAfterSpot, kOnDemandRuns, 0, d, 0, price);
    go(kOnDemandRuns, kOnDemandRuns, 0, 0, 0, price);
    go(kAfterOnDemand, kOnDemandRuns, 0, job_.restart, 0, price);
    if (up) {
      go(kNothing, kAfterSpot, 0, c, length, price);
      go(kAfterSpot, kAfterSpot, 0, job_.restart + c, length, price);
      go(kOnDemandRuns, kAfterSpot, 0, d + c, length, price);
      go(kAfterOnDemand, kAfterSpot, 0, d + c, length, price);
      if (length >= d) {  // only to be on spot: later starts there cost less than changes
        go(kOnDemandRuns, kAfterSpot, length - d, d, d, price);
        go(kAfterOnDemand, kAfterSpot, length - d, d, d, price);
      }
    }
    std::swap(now_, next_);
  }

  void go(State from, State to, double idle, double overhead, double spot, double price) {
    if (spot > 0 && overhead > just_after(spot)) return;
    const double used = std::floor((idle + overhead) / quantum_ * (1 + 1e-12) + 1e-9);
    if (!(used < static_cast<double>(width_))) return;
    const auto shift = static_cast<std::size_t>(used);
    const double worth = price * overhead - (price - 1) * spot;
    const std::vector<Value>& source = now_[from];
    std::vector<Value>& target = next_[to];
    for (std::size_t s = 0; s + shift < width_; ++s) {
      const double value = source[s].worth + worth;
      if (value < target[s + shift].worth)
        target[s + shift] = {value, source[s].overhead + overhead, source[s].spot + spot};
    }
  }

  const MarketJob& job_;
  std::vector<UpTime> ups_;
  bool exact_ = true;
  double quantum_;
  std::size_t width_;
  std::array<std::vector<Value>, kStates> now_, next_;
};

/// Spot alone: the fewest times, the longest ones.
double on_spot_alone(const MarketJob& job, std::vector<UpTime> ups) {
  std::sort(ups.begin(), ups.end(), [](const UpTime& a, const UpTime& b) { return a.end - a.begin > b.end - b.begin; });
  double done = 0;
  double overhead = job.checkpoint;
  for (const UpTime& up : ups) {
    done += up.end - up.begin;
    if (just_after(done) >= job.work + overhead) return job.work + overhead;
    overhead += job.restart + job.checkpoint;
  }
  return kInfinity;
}

}  // namespace

double omniscient_finish(const MarketJob& job, SpotTimes& spot) {
  double done = 0;  // before the i-th time
  constexpr std::size_t kMost = 10'000'000;
  for (std::size_t i = 0; i < kMost; ++i) {
    const UpTime* const up = spot.at(i);
    if (up == nullptr) return kInfinity;
    const double length = up->end - up->begin;
    // The first time used has no restart: it may pay not to use those before.
    const double first = job.checkpoint;
    const double later = job.restart + job.checkpoint;
    const double needs = done > 0 ? std::min(later + job.work - done, first + job.work) : first + job.work;
    if (needs <= just_after(length)) return up->begin + needs;
    done = std::max(done + std::max(0.0, done > 0 ? length - later : 0.0), std::max(0.0, length - first));
  }
  return kInfinity;
}

LeastCost omniscient_cost(const MarketJob& job, SpotTimes& spot) {
  COTERIE_REQUIRE(std::isfinite(job.deadline) && job.deadline >= job.work && job.price >= 1);
  std::vector<UpTime> ups;
  for (std::size_t i = 0; const UpTime* const up = spot.at(i); ++i) {
    if (!(up->begin < job.deadline)) break;
    ups.push_back({up->begin, std::min(up->end, job.deadline)});
  }
  const double alone = std::min(on_spot_alone(job, ups), job.price * job.work);
  StretchProgramme programme(job, std::move(ups));
  auto [worth, on_demand] = programme.least(job.price);
  if (on_demand >= 0) return {std::min(alone, job.price * job.work + worth), programme.exact()};
  // There is more spot than work. W + o + (k - 1) max(0, y) is at least W + o + (price - 1) y for each price from 1 to
  // k; the greatest of these bounds is where y changes its sign. And whoever uses both markets changes once and saves
  // once.
  double low = 1;
  double high = job.price;
  double mixed = job.work + job.change + job.checkpoint;
  for (int i = 0; i < 12; ++i) {
    const double price = (low + high) / 2;
    std::tie(worth, on_demand) = programme.least(price);
    mixed = std::max(mixed, price * job.work + worth);
    (on_demand < 0 ? high : low) = price;
  }
  return {std::min(alone, mixed), alone <= mixed};
}

}  // namespace coterie::heuristics
