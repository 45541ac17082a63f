#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "heuristics/dispatch/dispatch_log.hpp"
#include "heuristics/dispatch/event_times.hpp"
#include "heuristics/dispatch/heard.hpp"
#include "heuristics/dispatch/spells.hpp"

namespace coterie::heuristics {

/// The outcome of one instance. In units of work, or of time at full speed.
struct DispatchOutcome {
  double completed = 0;           ///< work done at least once
  double completed_in_time = 0;   ///< the part of it done by DispatchRun::count_until()
  double makespan = kInfinity;    ///< when all work is done; infinite: never
  double machine_time = 0;        ///< time that workers computed, start-up costs included
  double wasted = 0;              ///< the part of it that was lost, dropped, or complete before
  std::size_t interruptions = 0;  ///< of rented workers
  std::size_t failed = 0;         ///< tasks that were lost too often
  std::size_t events = 0;
};

/// Runs a policy on instances: interruption times in, work completed out. For one thread; it reuses its memory from
/// instance to instance.
///   At equal times, up to rounding (core/ties.hpp): first chunks end, then news is heard, then workers come back, then
///   work is handed out; each in the order of workers.
/// An interrupted worker is given work until the dispatcher knows: at its interruption + notice, or when the first task
/// that it does not end should have been reported (end + latency), or when it comes back, whichever comes first. A
/// worker that comes back asks for work and gets it at once, as all do at the start. It first repeats tasks of a plan
/// that it was given but has not completed.
class DispatchRun final : public Heard {
 public:
  /// `risks`: one per worker, or one for all. `name`: of the policy, for messages.
  DispatchRun(std::string name, std::size_t workers, double work, double startup_cost, std::span<const RiskPtr> risks,
              const Listening& listening);
  DispatchRun(std::string name, std::shared_ptr<const Crew> crew, double work, const Listening& listening);

  /// A chunk that ends at its worker's interruption time is done. Throws InputError if the policy gives a worker what
  /// it had before, more than kMostTasks tasks outside a plan, or endlessly what is known to be complete.
  DispatchOutcome operator()(ListeningPolicy& policy, std::span<const double> interruptions,
                             std::vector<DispatchEvent>* log = nullptr);

  /// The same with workers that come back. Some may be down at the start, which the dispatcher knows.
  DispatchOutcome operator()(ListeningPolicy& policy, const Spells& spells, std::vector<DispatchEvent>* log = nullptr);

  /// The time until which work counts as in time; initially unlimited.
  void count_until(double deadline) { deadline_ = deadline; }
  /// What each worker computed in the last instance.
  std::span<const double> machine_times() const { return machine_times_; }
  /// For how long each worker was rented in the last instance: from up until interrupted, or until nothing was left for
  /// it; and how much of that is billed.
  std::span<const double> rented_times() const { return rented_times_; }
  std::span<const double> billed_times() const { return billed_times_; }
  /// Whether, if it came back after its last spell of the last instance, the worker could get more.
  bool may_go_on(std::size_t worker) const {
    if (is_finished_) return false;
    return rented_since_[worker] < kInfinity || (crew_->of(worker).fallback && !tasks_for_fallback_.empty());
  }

  static constexpr std::size_t kMostTasks = 20'000'000;
  static constexpr std::size_t kMostPlanned = 1'000'000'000;

 private:
  struct Running {
    std::uint32_t task = 0;
    std::uint32_t first_piece = 0;
    std::uint32_t pieces = 0;
    std::uint32_t unknown = 0;  // pieces not known to be complete
    double begin = 0;
    double end = 0;
    double work = 0;
    double setup = 0;  // right before `begin`
    double saved = 0;  // work that is saved at the end of the spell
    bool busy = false;
    bool ended = false;  // but not reported yet
    bool planned = false;
  };
  /// The orders of a plan that a worker has not completed.
  struct Unfinished {
    std::vector<Order> begun;  // since it came up, or while nobody knew that it was down
    std::vector<Order> again;  // the first one last
  };
  struct Report {
    double time;
    std::uint32_t worker;
    std::uint32_t task;
    std::uint32_t first_piece;
    std::uint32_t pieces;
    double end;  // of the task
    bool complete;
    std::uint32_t spells_begun;
  };

  DispatchOutcome run(ListeningPolicy& policy, std::vector<DispatchEvent>* log);
  void start(ListeningPolicy& policy);
  void take_plan(std::span<const double> pieces);
  double greatest_time() const;
  void lose_who_is_not_up();
  void come_back(std::uint32_t worker);
  std::vector<WorkerTime> interruptions() const;
  void release(std::uint32_t worker, double at);
  void settle(std::uint32_t worker, double at);
  double next_time() const;
  void end_tasks(double until);
  void hear_news(double until);
  void close();
  void end_task(std::uint32_t worker);
  bool needs_no_answer(std::uint32_t worker) const;
  bool holds_next(std::uint32_t worker) const;
  Order next_order(std::uint32_t worker);
  void spend(const Running& task, std::uint32_t worker, double until, double useful, bool dropped = false);
  void hear(const Report& report);
  void hear_loss(std::uint32_t worker);
  void free_pieces_of(std::uint32_t worker);
  void give_up_plan();
  void to_pool(std::uint32_t piece);
  void to_queue(std::uint32_t task);
  double next_task(std::uint32_t worker, std::uint32_t piece);
  bool is_fallback(std::uint32_t worker) const { return crew_ && crew_->of(worker).fallback; }
  bool saves_parts() const { return crew_ && crew_->task == 0 && crew_->warning > 0; }
  double& left_of(std::uint32_t piece) { return saves_parts() ? left_[piece] : size_[piece]; }
  double complete(std::uint32_t piece);
  double to_do(const Order& order, std::uint32_t piece) const;
  void foresee_end(std::uint32_t worker, const Order& order, Running& task);
  void save_part(std::uint32_t worker);
  void know(std::uint32_t piece);
  void hear_of_saved(std::uint32_t worker);
  void drop_holders(std::uint32_t piece);
  void ask(std::uint32_t worker);
  void ask_all();
  bool begin_task(std::uint32_t worker, const Order& order, double begin, double setup);
  std::uint32_t new_piece(double size);
  [[noreturn]] void refuse(const std::string& problem) const;

  std::string name_;
  ListeningPolicy* policy_ = nullptr;
  std::optional<DispatchLog> log_;  // if one is wanted
  const Spells* spells_ = nullptr;  // null: each worker has one spell
  std::vector<double> lives_;       // by worker: when its spell ends; 0 if it has had none
  double last_life_ = 0;
  DispatchOutcome outcome_;
  std::vector<double> machine_times_;  // by worker
  std::vector<double> rented_times_;
  std::vector<double> billed_times_;
  std::vector<double> rented_since_;  // infinite: it is not
  std::vector<double> ready_;         // by worker: when it has restarted; negative: it has not begun to
  bool is_finished_ = false;          // all that can be done is known to be done
  double deadline_ = kInfinity;
  double last_end_ = 0;         // of completed work
  std::vector<double> plan_;    // sizes of the policy's pieces
  double beside_plan_ = 0;      // work that they leave
  std::size_t planned_ = 0;     // pieces of the plan, while it is kept
  std::size_t unfinished_ = 0;  // pieces that are not complete and not gone
  std::size_t unheard_ = 0;     // the same, as far as is known
  /// Tasks that nobody has, those lost last at the end.
  struct Tasks {
    std::vector<std::uint32_t> waiting;
    std::size_t taken = 0;
    bool empty() const { return taken == waiting.size(); }
  };
  std::vector<double> task_sizes_;
  Tasks tasks_to_do_;
  Tasks tasks_for_fallback_;
  bool has_fallback_ = false;
  std::vector<std::uint32_t> idle_fallback_;
  std::vector<double> left_;  // by piece: what is not saved, if parts are saved
  /// What the present chunk of a worker that will save a part of it consists of.
  struct Part {
    std::uint32_t piece;
    double size;
  };
  std::vector<std::vector<Part>> parts_;  // by worker
  std::uint32_t tasks_ = 0;
  std::size_t chosen_ = 0;        // tasks outside a plan
  std::vector<char> done_;        // by piece
  std::vector<Running> running_;  // by worker
  EventTimes ends_;               // by worker
  std::vector<Report> reports_;   // in time order
  std::size_t heard_reports_ = 0;
  std::vector<WorkerTime> interruptions_;  // in time order, if they are heard
  std::size_t heard_lives_ = 0;
  std::vector<WorkerTime> returns_;  // in time order
  std::size_t heard_returns_ = 0;
  std::vector<std::uint32_t> spells_begun_;    // by worker
  std::vector<Unfinished> unfinished_orders_;  // by worker, if workers come back
  std::vector<std::uint32_t> ending_;
  std::vector<std::uint32_t> asking_;
  std::vector<std::uint32_t> idle_;
};

}  // namespace coterie::heuristics
