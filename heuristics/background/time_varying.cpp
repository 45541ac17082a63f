#include "heuristics/background/time_varying.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

/// Start times for a given T_f, from one worker to the next.
class Forward {
 public:
  explicit Forward(const TimeVaryingTree& tree) : tree_(tree) {}

  struct Point {
    double sum = 0;    ///< S(T_f)
    double slope = 0;  ///< dS/dT_f to the right
  };

  /// T_i solves (A_i + C_i)(T_i) = A_i(T_f) + C_i(T_{i-1}): from T_{i-1} on, processor and link together must get
  /// through what the processor alone could do until T_f.
  Point at(double finish) const {
    Point point{tree_.control.work(finish), tree_.control.speed(finish)};
    double previous = 0;
    double previous_slope = 0;
    for (std::size_t i = 0; i < tree_.links.size(); ++i) {
      const Start start = next_start(i, previous, finish);
      const double sent_before = tree_.links[i].speed(previous) * previous_slope;
      const double slope =
          (tree_.processors[i].speed(finish) + sent_before) / (start.processor_speed + start.link_speed);
      point.sum += tree_.links[i].work(previous, start.time);
      point.slope += start.link_speed * slope - sent_before;
      previous = start.time;
      previous_slope = slope;
    }
    return point;
  }

  TreeSchedule schedule(double finish) const {
    TreeSchedule result;
    result.finish_time = finish;
    result.start_times.push_back(0);
    result.shares.push_back(tree_.control.work(finish));
    for (std::size_t i = 0; i < tree_.links.size(); ++i) {
      const double start = next_start(i, result.start_times.back(), finish).time;
      const double share = tree_.links[i].work(result.start_times.back(), start);
      result.residual = std::max(result.residual, std::abs(share - tree_.processors[i].work(start, finish)));
      result.start_times.push_back(start);
      result.shares.push_back(share);
    }
    const double sum = std::accumulate(result.shares.begin(), result.shares.end(), 0.0);
    result.residual = std::max(result.residual, std::abs(sum - 1));
    return result;
  }

 private:
  struct Start {
    double time = 0;             // T_i
    double processor_speed = 0;  // there, to the right
    double link_speed = 0;
  };

  /// Moves from piece to piece: link windows follow one another, so that all workers together pass a link's pieces
  /// once.
  Start next_start(std::size_t i, double previous, double finish) const {
    const SpeedProfile& processor = tree_.processors[i];
    const SpeedProfile& link = tree_.links[i];
    double left = std::max(0.0, processor.work(previous, finish));
    double time = previous;
    std::size_t p = processor.piece(time);
    std::size_t l = link.piece(time);
    for (;;) {
      cancellation_point();
      const double speed = processor.piece_speed(p) + link.piece_speed(l);
      const double end = std::min(processor.begin(p + 1), link.begin(l + 1));
      const double possible = (end - time) * speed;
      if (possible > left)
        return {std::min(time + left / speed, finish), processor.piece_speed(p), link.piece_speed(l)};
      left -= possible;
      time = end;
      if (processor.begin(p + 1) <= time) ++p;
      if (link.begin(l + 1) <= time) ++l;
    }
  }

  const TimeVaryingTree& tree_;
};

/// Takes Newton steps from a point on the root's linear piece, as long as they bring the sum nearer to 1.
TreeSchedule polished(const Forward& forward, double finish) {
  double best = finish;
  Forward::Point point = forward.at(finish);
  for (int step = 0; step < 4 && point.sum != 1 && point.slope > 0; ++step) {
    const double next = best + (1 - point.sum) / point.slope;
    const Forward::Point there = forward.at(next);
    if (!(std::abs(there.sum - 1) < std::abs(point.sum - 1))) break;
    best = next;
    point = there;
  }
  return forward.schedule(best);
}

/// The state of the sweep of solve_by_sweep.
class Sweep {
 public:
  explicit Sweep(const TimeVaryingTree& tree) : tree_(tree), workers_(tree.links.size()) {}

  /// The first T_f with S(T_f) = 1.
  double root() {
    for (;;) {
      const double slope = update_slopes();
      const double step = next_breakpoint() - finish_;
      if (slope > 0 && sum_ + slope * step >= 1) return finish_ + std::max(0.0, (1 - sum_) / slope);
      advance(std::max(0.0, step), slope);
    }
  }

 private:
  struct Worker {
    double start = 0;  // T_i
    double slope = 0;  // dT_i/dT_f
    std::size_t processor_at_finish = 0;
    std::size_t processor_at_start = 0;
    std::size_t link_at_start = 0;
    std::size_t link_at_previous = 0;  // piece of link i at T_{i-1}
  };

  /// Sets every dT_i/dT_f on the present linear piece; returns dS/dT_f.
  double update_slopes() {
    double sum = tree_.control.piece_speed(control_at_finish_);
    double previous = 0;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      const SpeedProfile& processor = tree_.processors[i];
      const SpeedProfile& link = tree_.links[i];
      const double sent_before = link.piece_speed(worker.link_at_previous) * previous;
      const double speed = link.piece_speed(worker.link_at_start);
      worker.slope = (processor.piece_speed(worker.processor_at_finish) + sent_before) /
                     (processor.piece_speed(worker.processor_at_start) + speed);
      sum += speed * worker.slope - sent_before;
      previous = worker.slope;
    }
    return sum;
  }

  /// The T_f at which the present linear piece ends.
  double next_breakpoint() const {
    double next = tree_.control.begin(control_at_finish_ + 1);
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      const Worker& worker = workers_[i];
      next = std::min(next, tree_.processors[i].begin(worker.processor_at_finish + 1));
      next = std::min(next, finish_ + (start_limit(i) - worker.start) / worker.slope);
    }
    return next;
  }

  /// The next breakpoint that T_i meets: of processor i, link i or link i + 1.
  double start_limit(std::size_t i) const {
    const double own = std::min(tree_.processors[i].begin(workers_[i].processor_at_start + 1),
                                tree_.links[i].begin(workers_[i].link_at_start + 1));
    if (i + 1 == workers_.size()) return own;
    return std::min(own, tree_.links[i + 1].begin(workers_[i + 1].link_at_previous + 1));
  }

  void advance(double step, double slope) {
    const double next = next_breakpoint();
    sum_ += slope * step;
    // Whatever limits the step is put exactly on its breakpoint, so that each step is certain to pass one.
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      const double limit = start_limit(i);
      const bool arrives = finish_ + (limit - worker.start) / worker.slope <= next;
      worker.start = arrives ? limit : std::min(limit, worker.start + worker.slope * step);
    }
    finish_ = std::max(finish_, next);
    const auto pass = [](const SpeedProfile& profile, std::size_t& piece, double time) {
      while (profile.begin(piece + 1) <= time) ++piece;
    };
    pass(tree_.control, control_at_finish_, finish_);
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      pass(tree_.processors[i], worker.processor_at_finish, finish_);
      pass(tree_.processors[i], worker.processor_at_start, worker.start);
      pass(tree_.links[i], worker.link_at_start, worker.start);
      if (i > 0) pass(tree_.links[i], worker.link_at_previous, workers_[i - 1].start);
    }
  }

  const TimeVaryingTree& tree_;
  std::vector<Worker> workers_;
  std::size_t control_at_finish_ = 0;
  double finish_ = 0;
  double sum_ = 0;
};

}  // namespace

TreeSchedule solve_constant(const ConstantTree& tree) {
  COTERIE_REQUIRE(tree.processors.size() == tree.links.size());
  [[maybe_unused]] const auto is_positive = [](double speed) { return speed > 0; };
  COTERIE_REQUIRE(is_positive(tree.control) && std::ranges::all_of(tree.processors, is_positive) &&
                  std::ranges::all_of(tree.links, is_positive));
  TreeSchedule result;
  result.start_times.push_back(0);
  result.shares.push_back(tree.control);
  double left = 1;   // 1 - tau_{i-1}, as a product: no cancellation if many workers leave little
  double start = 0;  // tau_{i-1}
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const double send = 1 / tree.links[i];
    const double compute = 1 / tree.processors[i];
    const double share = left / (send + compute);
    start = std::min(1.0, start + share * send);
    left *= compute / (send + compute);
    result.start_times.push_back(start);
    result.shares.push_back(share);
  }
  result.finish_time = 1 / std::accumulate(result.shares.begin(), result.shares.end(), 0.0);
  for (double& time : result.start_times) time *= result.finish_time;
  for (double& share : result.shares) share *= result.finish_time;
  result.residual = std::abs(std::accumulate(result.shares.begin(), result.shares.end(), 0.0) - 1);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const double computed = (result.finish_time - result.start_times[i + 1]) * tree.processors[i];
    result.residual = std::max(result.residual, std::abs(result.shares[i + 1] - computed));
  }
  return result;
}

TreeSchedule solve_by_sweep(const TimeVaryingTree& tree) { return polished(Forward(tree), Sweep(tree).root()); }

TreeSchedule solve_by_newton(const TimeVaryingTree& tree) {
  const Forward forward(tree);
  double low = 0;
  double high = tree.control.time_of(1);  // P_0 alone: S >= 1
  double finish = high;
  double width = kInfinity;  // of the bracket, two steps ago
  for (int step = 0; low < high; ++step) {
    const Forward::Point point = forward.at(finish);
    if (point.sum == 1) break;
    (point.sum < 1 ? low : high) = finish;
    double next = finish + (1 - point.sum) / point.slope;
    const bool slow = step % 3 == 2 && high - low > width / 2;
    if (step % 3 == 2) width = high - low;
    if (!(next > low && next < high) || slow) next = low + (high - low) / 2;
    if (next <= low || next >= high || std::abs(next - finish) <= 1e-15 * finish) break;
    finish = next;
  }
  return polished(forward, finish);
}

namespace {

bool all_speeds_are_constant(const TimeVaryingTree& tree) {
  const auto is_constant = [](const SpeedProfile& speed) { return speed.pieces() == 1; };
  return is_constant(tree.control) && std::all_of(tree.processors.begin(), tree.processors.end(), is_constant) &&
         std::all_of(tree.links.begin(), tree.links.end(), is_constant);
}

bool each_link_dominates_the_next(const TimeVaryingTree& tree) {
  for (std::size_t i = 1; i < tree.links.size(); ++i)
    if (!tree.links[i - 1].dominates(tree.links[i])) return false;
  return true;
}

}  // namespace

bool has_one_root(const TimeVaryingTree& tree) {
  return all_speeds_are_constant(tree) || each_link_dominates_the_next(tree);
}

TreeSchedule solve_time_varying(const TimeVaryingTree& tree) {
  return each_link_dominates_the_next(tree) ? solve_by_newton(tree) : solve_by_sweep(tree);
}

TreeSchedule realise(const TimeVaryingTree& tree, const std::vector<double>& shares) {
  TreeSchedule result;
  result.shares = shares;
  result.start_times.push_back(0);
  result.finish_time = tree.control.time_of(shares[0]);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const double start = tree.links[i].time_after(result.start_times.back(), shares[i + 1]);
    if (shares[i + 1] > 0)
      result.finish_time = std::max(result.finish_time, tree.processors[i].time_after(start, shares[i + 1]));
    result.start_times.push_back(start);
  }
  result.residual = std::abs(std::accumulate(shares.begin(), shares.end(), 0.0) - 1);
  return result;
}

}  // namespace coterie::heuristics
