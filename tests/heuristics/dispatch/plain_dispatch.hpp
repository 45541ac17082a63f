#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/infinity.hpp"
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
    double time = 0;
    for (std::size_t w = 0; w < workers; ++w) {
      const Risk& risk = *risks[risks.size() == 1 ? 0 : w];
      const bool may_stay = risk.survival(std::numeric_limits<double>::max()) > 0;
      time += std::isfinite(listening.horizon) ? listening.horizon : may_stay ? kInfinity : risk.effective_horizon();
    }
    least_chunk_ = kLeastChunk * std::min(work, time);
    lost_.assign(workers, 0);
    up_since_.assign(workers, 0);
    reported_.assign(workers, 0);
    of_worker_.assign(workers, kNone);
    not_lost_ = workers;
  }

  DispatchOutcome operator()(ListeningPolicy& policy, const std::vector<double>& lives) {
    std::vector<std::vector<Spell>> spells;
    for (const double life : lives) spells.push_back({{0, life}});
    return (*this)(policy, spells);
  }

  /// By worker.
  DispatchOutcome operator()(ListeningPolicy& policy, const std::vector<std::vector<Spell>>& spells) {
    policy_ = &policy;
    spells_ = spells;
    orders_.resize(workers());
    tried_.resize(workers(), 0);
    double last_end = 0;
    for (const auto& of_worker : spells) {
      is_up_.push_back(!of_worker.empty() && of_worker.front().begin <= 0);
      spell_.push_back(is_up_.back() ? 0 : -1);
      lives_.push_back(is_up_.back() ? of_worker.front().end : 0);
      for (const Spell& spell : of_worker) last_end = std::max(last_end, spell.end);
    }
    for (const double size : policy.pieces()) add_piece(size);
    kept_ = pieces();
    pool_ = work_;
    for (const double size : size_) pool_ -= size;
    if (pool_ < 1e-9 * work_) pool_ = 0;
    policy.begin(*this);
    for (std::uint32_t w = 0; w < workers(); ++w)
      if (!is_up_[w]) lose(w);
    for (std::uint32_t w = 0; w < workers(); ++w)
      if (is_up_[w] && lives_[w] + listening_.notice <= 0) {
        heard_.insert({w, 0});
        lose(w);
      }
    for (std::uint32_t w = 0; w < workers(); ++w)
      if (lost_[w] == 0) ask(w);
    while (!all_known()) {
      const double next = next_time();
      if (next == kNever || next > last_end) break;
      now_ = next;
      ++news_;
      step();
    }
    return outcome();
  }

 private:
  static constexpr double kNever = kInfinity;
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
    int spell = 0;  // of its worker
    double life = 0;
    std::size_t order = 0;  // of the plan's orders that its worker was given, from 1; 0: not of a plan
  };
  /// A plan's order.
  struct Given {
    Order order;
    bool settled = false;  // completed, or known to be complete before it was
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
      for (int k = 0; k < static_cast<int>(spells_[w].size()); ++k) {
        const Spell& spell = spells_[w][static_cast<std::size_t>(k)];
        if (heard_.count({w, k}) == 0) next = std::min(next, spell.end + listening_.notice);
        if (k > spell_[w]) next = std::min(next, spell.begin);
      }
    return next;
  }

  bool waits(std::uint32_t worker) const {
    return listening_.prefetch == 0 && listening_.latency > 0 && !has_unsettled(worker) &&
           !policy_->holds_next(*this, worker);
  }

  /// Whether it was given orders of a plan before it came back that are to be run again.
  bool has_unsettled(std::uint32_t worker) const {
    for (std::size_t i = tried_[worker]; i < orders_[worker].size(); ++i)
      if (!orders_[worker][i].settled) return true;
    return false;
  }

  /// Times that differ by rounding alone are the same.
  bool is_over(double time) const { return time <= just_after(just_after(now_)); }

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
        if (lives_[w] >= task.end) settle(task);
        asking.insert(w);
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
      const bool is_old = task->spell != spell_[task->worker];
      if (task->life < task->end) {
        if (!is_old) lose(task->worker);
        continue;
      }
      if (!is_old) reported_[task->worker] = task->end;
      for (const std::uint32_t piece : task->pieces) {
        if (known_[piece] != 0) continue;
        known_[piece] = 1;
        if (listening_.drop) drop(asking);
        policy_->complete(*this, piece);
      }
      if (!is_old && task == last_of(task->worker) && waits(task->worker)) asking.insert(task->worker);
    }
    struct Change {
      double time;
      std::uint32_t worker;
      int spell;
    };
    std::vector<Change> dead;
    std::vector<Change> back;
    for (std::uint32_t w = 0; w < workers(); ++w)
      for (int k = 0; k < static_cast<int>(spells_[w].size()); ++k) {
        const Spell& spell = spells_[w][static_cast<std::size_t>(k)];
        if (heard_.count({w, k}) == 0 && is_over(spell.end + listening_.notice)) dead.push_back({spell.end, w, k});
        if (k > spell_[w] && is_over(spell.begin)) back.push_back({spell.begin, w, k});
      }
    for (auto* list : {&dead, &back})
      std::stable_sort(list->begin(), list->end(), [](const Change& a, const Change& b) { return a.time < b.time; });
    for (const auto& [time, w, k] : dead) {
      heard_.insert({w, k});
      heard = true;
      if (k == spell_[w]) lose(w);
    }
    for (const auto& [time, w, k] : back) {
      heard = true;
      lose(w);
      spell_[w] = k;
      lives_[w] = spells_[w][static_cast<std::size_t>(k)].end;
      up_since_[w] = reported_[w] = ready_[w] = time;
      lost_[w] = 0;
      ++not_lost_;
      tried_[w] = 0;
      policy_->returned(*this, w);
      asking.insert(w);
    }
    if (heard)
      for (const std::uint32_t w : std::exchange(idle_, {})) asking.insert(w);
    for (const std::uint32_t w : asking)
      if (lost_[w] == 0) ask(w);
  }

  void drop(std::set<std::uint32_t>& asking) {
    for (Past& task : tasks_) {
      if (task.state != State::kRunning) continue;
      if (!std::all_of(task.pieces.begin(), task.pieces.end(), [&](auto piece) { return known_[piece] != 0; }))
        continue;
      task.state = State::kDropped;
      task.stopped = now_;
      settle(task);
      asking.insert(task.worker);
    }
  }

  void settle(const Past& task) {
    if (task.order > 0 && task.order <= orders_[task.worker].size())
      orders_[task.worker][task.order - 1].settled = true;
  }

  void lose(std::uint32_t worker) {
    if (lost_[worker] != 0) return;
    lost_[worker] = 1;
    --not_lost_;
    // From the last that it was given on, as the pool grows in that order.
    for (std::size_t i = tasks_.size(); i-- > 0;) {
      Past& task = tasks_[i];
      if (task.worker != worker || task.spell != spell_[worker] || task.end <= lives_[worker]) continue;
      if (task.state == State::kRunning) task.state = State::kStopped;
      for (Holder& holder : holders_)
        if (holder.task == i + 1) holder.worker = kNone;
      for (std::size_t k = task.pieces.size(); k-- > 0;)
        if (--living_[task.pieces[k]] == 0 && known_[task.pieces[k]] == 0 && task.pieces[k] >= kept_)
          to_pool(task.pieces[k]);
    }
    policy_->lost(*this, worker);
    if (kept_ == 0 || policy_->keeps_plan()) return;
    for (std::uint32_t piece = 0; piece < kept_; ++piece)
      if (living_[piece] == 0 && known_[piece] == 0) to_pool(piece);
    kept_ = 0;
    for (auto& orders : orders_) orders.clear();
  }

  void to_pool(std::uint32_t piece) {
    gone_[piece] = 1;
    pool_ += size_[piece];
  }

  /// What it was given last since it is up, or null.
  const Past* last_of(std::uint32_t worker) const {
    const auto last = std::find_if(tasks_.rbegin(), tasks_.rend(), [&](const Past& task) {
      return task.worker == worker && task.spell == spell_[worker];
    });
    return last == tasks_.rend() ? nullptr : &*last;
  }

  /// Whether what it did last has ended, which the dispatcher has not heard yet.
  bool is_about_to_report(std::uint32_t worker) const {
    const Past* last = last_of(worker);
    return last != nullptr && last->state == State::kEnded && !last->reported;
  }

  void ask(std::uint32_t worker) {
    if (waits(worker) && is_about_to_report(worker)) return;
    way_ = now_ > up_since_[worker] && waits(worker) ? listening_.latency : 0;
    std::size_t number = 0;
    const Order order = next_order(worker, number);
    if (order.kind == Order::Kind::kNothing) idle_.push_back(worker);
    if (order.kind == Order::Kind::kNothing || order.kind == Order::Kind::kNoMore) return;
    const double ready = ready_.count(worker) > 0 ? ready_.at(worker) : now_;
    Past task{worker, {}, ready + way_, 0};
    task.spell = spell_[worker];
    task.life = lives_[worker];
    task.order = number;
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
      if (task.pieces.empty()) {
        settle(task);
        return ask(worker);
      }
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

  /// What of the plan it has to begin anew comes first. `number`: of the plan's order, from 1.
  Order next_order(std::uint32_t worker, std::size_t& number) {
    std::vector<Given>& orders = orders_[worker];
    while (tried_[worker] < orders.size()) {
      number = ++tried_[worker];
      if (!orders[number - 1].settled) return orders[number - 1].order;
    }
    number = 0;
    const Order order = policy_->next(*this, worker);
    if (order.kind == Order::Kind::kPieces && order.planned_begin >= 0) {
      orders.push_back({order});
      tried_[worker] = number = orders.size();
    }
    return order;
  }

  DispatchOutcome outcome() const {
    DispatchOutcome result;
    for (const std::uint32_t piece : complete_) result.completed += size_[piece];
    bool all = pool_ <= 0;
    for (std::uint32_t i = 0; i < pieces(); ++i) all = all && (gone_[i] != 0 || complete_.count(i) > 0);
    result.makespan = all ? last_ : kNever;
    for (const Past& task : tasks_) {
      const double spent = std::max(0.0, std::min({task.end, task.stopped, task.life}) - task.begin);
      result.machine_time += spent;
      result.wasted += std::max(0.0, spent - (task.useful > 0 ? task.useful + startup_cost_ : 0));
    }
    return result;
  }

  ListeningPolicy* policy_ = nullptr;
  std::vector<std::vector<Spell>> spells_;
  std::vector<char> is_up_;    // at the start
  std::vector<int> spell_;     // by worker: the one it is in, or was last; -1: none yet
  std::vector<double> lives_;  // by worker: the end of that
  std::vector<std::vector<Given>> orders_;
  std::vector<std::size_t> tried_;  // of these, since the worker came back
  std::size_t kept_ = 0;
  std::vector<Past> tasks_;
  std::set<std::uint32_t> complete_;
  std::set<std::pair<std::size_t, int>> heard_;  // spells whose notices came
  std::vector<std::uint32_t> idle_;
  std::map<std::uint32_t, double> ready_;  // workers that ended something at this event, and when to the last bit
  double last_ = 0;
};

}  // namespace coterie::heuristics
