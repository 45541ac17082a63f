#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "core/ties.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"

namespace coterie::heuristics {

/// The same as DispatchRun, the plain way: what is known is found anew from the whole history at every step.
class PlainDispatch final : public Heard {
 public:
  PlainDispatch(std::size_t workers, double work, double startup_cost, std::span<const RiskPtr> risks,
                const Listening& listening) {
    work_ = work;
    listening_ = listening;
    startup_cost_ = startup_cost;
    risks_ = risks;
    lost_.assign(workers, 0);
    reported_.assign(workers, 0);
    of_worker_.assign(workers, kNone);
    not_lost_ = workers;
  }

  DispatchOutcome operator()(ListeningPolicy& policy, const std::vector<double>& lives) {
    policy_ = &policy;
    lives_ = lives;
    for (const double size : policy.pieces()) add_piece(size);
    kept_ = pieces();
    pool_ = work_;
    for (const double size : size_) pool_ -= size;
    if (pool_ < 1e-9 * work_) pool_ = 0;
    policy.begin(*this);
    for (std::uint32_t w = 0; w < workers(); ++w) ask(w);
    while (!all_known()) {
      const double next = next_time();
      if (next == kNever || next > *std::max_element(lives.begin(), lives.end())) break;
      now_ = next;
      step();
    }
    return outcome();
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  enum class State { kRunning, kEnded, kDropped, kStopped };
  struct Past {
    std::uint32_t worker;
    std::vector<std::uint32_t> pieces;
    double begin;
    double end;
    State state = State::kRunning;
    double stopped = kNever;  // where it was dropped
    double ended = kNever;    // at which event
    bool reported = false;
    double useful = 0;
  };

  void add_piece(double size) {
    size_.push_back(size);
    known_.push_back(0);
    gone_.push_back(0);
    living_.push_back(0);
    first_holder_.push_back(kNone);
  }

  bool all_known() const {
    if (pool_ > 0) return false;
    for (std::size_t i = 0; i < pieces(); ++i)
      if (known_[i] == 0 && gone_[i] == 0) return false;
    return true;
  }

  double next_time() const {
    double next = kNever;
    for (const Past& task : tasks_) {
      if (task.state == State::kRunning) next = std::min(next, task.end);
      if (task.state == State::kEnded && !task.reported) next = std::min(next, task.ended + listening_.latency);
    }
    for (std::size_t w = 0; w < workers(); ++w)
      if (heard_.count(w) == 0) next = std::min(next, lives_[w] + listening_.notice);
    return next;
  }

  bool waits(std::uint32_t worker) const {
    return listening_.prefetch == 0 && listening_.latency > 0 && !policy_->holds_next(*this, worker);
  }

  /// Times that differ by rounding alone are the same.
  bool is_over(double time) const { return time <= just_after(now_); }

  void step() {
    std::set<std::uint32_t> asking;
    ready_.clear();
    for (std::uint32_t w = 0; w < workers(); ++w)
      for (Past& task : tasks_) {
        if (task.worker != w || task.state != State::kRunning || !is_over(task.end)) continue;
        task.state = State::kEnded;
        task.ended = now_;
        ready_[w] = task.end;
        if (lives_[w] >= task.end)
          for (const std::uint32_t piece : task.pieces)
            if (complete_.insert(piece).second) {
              task.useful += size_[piece];
              last_ = std::max(last_, task.end);
            }
        if (!waits(w)) asking.insert(w);
      }
    bool heard = false;
    std::vector<Past*> due;
    for (Past& task : tasks_)
      if (task.state == State::kEnded && !task.reported && is_over(task.ended + listening_.latency))
        due.push_back(&task);
    std::stable_sort(due.begin(), due.end(), [](const Past* a, const Past* b) {
      return a->ended < b->ended || (a->ended == b->ended && a->worker < b->worker);
    });
    for (Past* task : due) {
      task->reported = heard = true;
      if (lives_[task->worker] < task->end) {
        lose(task->worker);
        continue;
      }
      reported_[task->worker] = task->end;
      for (const std::uint32_t piece : task->pieces) {
        if (known_[piece] != 0) continue;
        known_[piece] = 1;
        if (listening_.drop) drop(asking);
        policy_->complete(*this, piece);
      }
      if (!busy(task->worker) && waits(task->worker)) asking.insert(task->worker);
    }
    std::vector<std::uint32_t> dead;
    for (std::uint32_t w = 0; w < workers(); ++w)
      if (heard_.count(w) == 0 && is_over(lives_[w] + listening_.notice)) dead.push_back(w);
    std::stable_sort(dead.begin(), dead.end(), [&](auto a, auto b) { return lives_[a] < lives_[b]; });
    for (const std::uint32_t w : dead) {
      heard_.insert(w);
      heard = true;
      lose(w);
    }
    if (heard)
      for (const std::uint32_t w : std::exchange(idle_, {})) asking.insert(w);
    for (const std::uint32_t w : asking)
      if (lost_[w] == 0) ask(w);
  }

  bool busy(std::uint32_t worker) const {
    return std::any_of(tasks_.begin(), tasks_.end(),
                       [&](const Past& task) { return task.worker == worker && task.state == State::kRunning; });
  }

  void drop(std::set<std::uint32_t>& asking) {
    for (Past& task : tasks_) {
      if (task.state != State::kRunning) continue;
      if (!std::all_of(task.pieces.begin(), task.pieces.end(), [&](auto piece) { return known_[piece] != 0; }))
        continue;
      task.state = State::kDropped;
      task.stopped = now_;
      asking.insert(task.worker);
    }
  }

  void lose(std::uint32_t worker) {
    if (lost_[worker] != 0) return;
    lost_[worker] = 1;
    --not_lost_;
    // From the last that it was given on, as the pool grows in that order.
    for (std::size_t i = tasks_.size(); i-- > 0;) {
      Past& task = tasks_[i];
      if (task.worker != worker || task.end <= lives_[worker]) continue;
      if (task.state == State::kRunning) task.state = State::kStopped;
      for (std::size_t k = task.pieces.size(); k-- > 0;)
        if (--living_[task.pieces[k]] == 0 && known_[task.pieces[k]] == 0 && task.pieces[k] >= kept_)
          to_pool(task.pieces[k]);
    }
    policy_->lost(*this, worker);
    if (kept_ == 0 || policy_->keeps_plan()) return;
    for (std::uint32_t piece = 0; piece < kept_; ++piece)
      if (living_[piece] == 0 && known_[piece] == 0) to_pool(piece);
    kept_ = 0;
  }

  void to_pool(std::uint32_t piece) {
    gone_[piece] = 1;
    pool_ += size_[piece];
  }

  void ask(std::uint32_t worker) {
    const double way = now_ > 0 && waits(worker) ? listening_.latency : 0;
    const Order order = policy_->next(*this, worker);
    if (order.kind == Order::Kind::kNothing) idle_.push_back(worker);
    if (order.kind == Order::Kind::kNothing || order.kind == Order::Kind::kNoMore) return;
    const double ready = ready_.count(worker) > 0 ? ready_.at(worker) : now_;
    Past task{worker, {}, ready + way, 0};
    double sum = 0;
    if (order.kind == Order::Kind::kFresh) {
      sum = pool_ - order.size <= 1e-12 * work_ ? pool_ : order.size;
      pool_ = std::max(0.0, pool_ - sum);
      task.pieces = {static_cast<std::uint32_t>(pieces())};
      add_piece(sum);
    } else {
      for (std::uint32_t i = 0; i < order.pieces; ++i)
        if (known_[order.first_piece + i] == 0) {
          task.pieces.push_back(order.first_piece + i);
          sum += size_[order.first_piece + i];
        }
      if (task.pieces.empty()) return ask(worker);
    }
    const bool planned = task.begin == order.planned_begin && task.pieces.size() == order.pieces;
    task.end = planned ? order.planned_finish : task.begin + startup_cost_ + sum;
    for (const std::uint32_t piece : task.pieces) {
      ++living_[piece];
      holders_.push_back(
          {worker, static_cast<std::uint32_t>(tasks_.size() + 1), piece, first_holder_[piece], task.begin, task.end});
      before_.push_back(of_worker_[worker]);
      of_worker_[worker] = first_holder_[piece] = static_cast<std::uint32_t>(holders_.size() - 1);
    }
    tasks_.push_back(task);
  }

  DispatchOutcome outcome() const {
    DispatchOutcome result;
    for (const std::uint32_t piece : complete_) result.completed += size_[piece];
    bool all = pool_ <= 0;
    for (std::uint32_t i = 0; i < pieces(); ++i) all = all && (gone_[i] != 0 || complete_.count(i) > 0);
    result.makespan = all ? last_ : kNever;
    for (const Past& task : tasks_) {
      const double spent = std::max(0.0, std::min({task.end, task.stopped, lives_[task.worker]}) - task.begin);
      result.machine_time += spent;
      result.wasted += std::max(0.0, spent - (task.useful > 0 ? task.useful + startup_cost_ : 0));
    }
    return result;
  }

  ListeningPolicy* policy_ = nullptr;
  std::vector<double> lives_;
  std::size_t kept_ = 0;
  std::vector<Past> tasks_;
  std::set<std::uint32_t> complete_;
  std::set<std::size_t> heard_;  // workers whose notices came
  std::vector<std::uint32_t> idle_;
  std::map<std::uint32_t, double> ready_;  // workers that ended something at this event, and when to the last bit
  double last_ = 0;
};

}  // namespace coterie::heuristics
