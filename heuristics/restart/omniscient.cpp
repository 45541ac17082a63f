#include "heuristics/restart/omniscient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
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
/// programming over (stretch, what ran last, slack used). Where u would be more than W + o, y is 0: there is more spot
/// than work, and which of two ways is better, one of less o or one of more u, is seen at the end only.
class StretchProgramme {
 public:
  StretchProgramme(const MarketJob& job, std::vector<UpTime> ups)
      : job_(job), ups_(std::move(ups)), quantum_(common_quantum()) {
    width_ = static_cast<std::size_t>(std::floor((job_.deadline - job_.work) / quantum_ * (1 + 1e-12) + 1e-9)) + 1;
  }

  /// Whether nothing was rounded, and changes to on-demand and back are no cheaper way to restart.
  bool exact() const { return exact_ && job_.change >= job_.restart; }

  /// The least k o - (k - 1) u, and y there.
  std::pair<double, double> least() {
    for (auto& state : now_) state.assign(width_, {kInfinity, 0, 0});
    now_[kNothing][0] = {0, 0, 0};
    each_stretch([&](double length, bool up, double) {
      for (auto& state : next_) state.assign(width_, {kInfinity, 0, 0});
      each_step(length, up, [&](const Step& step) { go(step); });
      std::swap(now_, next_);
    });
    Value best = {kInfinity, 0, 0};
    for (const auto& state : now_)
      for (const Value& one : state)
        if (one.worth < best.worth) best = one;
    return {best.worth, job_.work + best.overhead - best.spot};
  }

  /// The least W + o + (k - 1) max(0, y), or `most` if that is less.
  double least_with_spare_spot(double most) {
    std::array<std::vector<Way>, kStates> ways, next;
    ways[kNothing] = {{0, 0, 0}};
    double best = most;
    each_stretch([&](double length, bool up, double spot_later) {
      for (auto& state : next) state.clear();
      each_step(length, up, [&](const Step& step) {
        for (const Way& way : ways[step.from]) {
          const Way longer = {way.used + quanta(step), way.overhead + step.overhead, way.spot + step.spot};
          if (longer.used < static_cast<double>(width_) && cost(longer, spot_later) < best * (1 - 1e-12))
            next[step.to].push_back(longer);
        }
      });
      for (auto& state : next) keep_best(state);
      std::swap(ways, next);
    });
    for (const auto& state : ways)
      for (const Way& way : state) best = std::min(best, cost(way, 0));
    return best;
  }

 private:
  enum State { kNothing, kAfterSpot, kOnDemandRuns, kAfterOnDemand, kStates };
  struct Value {
    double worth;
    double overhead;
    double spot;
  };
  struct Step {
    State from, to;
    double idle, overhead, spot;
  };
  struct Way {
    double used;  ///< slack, in quanta
    double overhead, spot;
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

  /// visit(length, whether spot is there, spot after it)
  template <typename Visit>
  void each_stretch(const Visit& visit) const {
    double later = 0;
    for (const UpTime& up : ups_) later += up.end - up.begin;
    double time = 0;
    for (const UpTime& up : ups_) {
      if (up.begin > time) visit(up.begin - time, false, later);
      later -= up.end - up.begin;
      if (up.end > up.begin) visit(up.end - up.begin, true, later);
      time = up.end;
    }
    if (job_.deadline > time) visit(job_.deadline - time, false, 0);
  }

  /// What may be done in a stretch.
  template <typename Visit>
  void each_step(double length, bool up, const Visit& visit) const {
    const double d = job_.change;
    const double c = job_.checkpoint;
    const auto go = [&](State from, State to, double idle, double overhead, double spot) {
      if (spot == 0 || overhead <= just_after(spot)) visit(Step{from, to, idle, overhead, spot});
    };
    go(kNothing, kNothing, length, 0, 0);
    go(kAfterSpot, kAfterSpot, length, 0, 0);
    go(kOnDemandRuns, kAfterOnDemand, length, 0, 0);
    go(kAfterOnDemand, kAfterOnDemand, length, 0, 0);
    go(kNothing, kOnDemandRuns, 0, 0, 0);
    go(kAfterSpot, kOnDemandRuns, 0, d, 0);
    go(kOnDemandRuns, kOnDemandRuns, 0, 0, 0);
    go(kAfterOnDemand, kOnDemandRuns, 0, job_.restart, 0);
    if (!up) return;
    go(kNothing, kAfterSpot, 0, c, length);
    go(kAfterSpot, kAfterSpot, 0, job_.restart + c, length);
    go(kOnDemandRuns, kAfterSpot, 0, d + c, length);
    go(kAfterOnDemand, kAfterSpot, 0, d + c, length);
    if (length < d) return;  // only to be on spot: later starts there cost less than changes
    go(kOnDemandRuns, kAfterSpot, length - d, d, d);
    go(kAfterOnDemand, kAfterSpot, length - d, d, d);
  }

  double quanta(const Step& step) const {
    return std::floor((step.idle + step.overhead) / quantum_ * (1 + 1e-12) + 1e-9);
  }

  void go(const Step& step) {
    const double used = quanta(step);
    if (!(used < static_cast<double>(width_))) return;
    const auto shift = static_cast<std::size_t>(used);
    const double worth = job_.price * step.overhead - (job_.price - 1) * step.spot;
    const std::vector<Value>& source = now_[step.from];
    std::vector<Value>& target = next_[step.to];
    for (std::size_t s = 0; s + shift < width_; ++s) {
      const double value = source[s].worth + worth;
      if (value < target[s + shift].worth)
        target[s + shift] = {value, source[s].overhead + step.overhead, source[s].spot + step.spot};
    }
  }

  double cost(const Way& way, double spot_later) const {
    const double needs = job_.work + way.overhead;
    return needs + (job_.price - 1) * std::max(0.0, needs - way.spot - spot_later);
  }

  /// Drops ways than which another uses no more slack, has no more overhead and no less spot.
  static void keep_best(std::vector<Way>& ways) {
    std::sort(ways.begin(), ways.end(), [](const Way& a, const Way& b) {
      return std::tie(a.used, a.overhead, b.spot) < std::tie(b.used, b.overhead, a.spot);
    });
    std::map<double, double> most_spot;  // by overhead, increasing
    std::erase_if(ways, [&](const Way& way) {
      auto above = most_spot.upper_bound(way.overhead);
      if (above != most_spot.begin() && std::prev(above)->second >= way.spot) return true;
      while (above != most_spot.end() && above->second <= way.spot) above = most_spot.erase(above);
      most_spot[way.overhead] = way.spot;
      return false;
    });
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
  const auto [worth, on_demand] = programme.least();
  if (on_demand >= 0) return {std::min(alone, job.price * job.work + worth), programme.exact()};
  // Whoever uses both markets changes once and saves once.
  const double mixed = std::max(programme.least_with_spare_spot(alone), job.work + job.change + job.checkpoint);
  return {std::min(alone, mixed), programme.exact() || alone <= mixed};
}

}  // namespace coterie::heuristics
