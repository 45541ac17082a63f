#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/infinity.hpp"
#include "core/risk.hpp"
#include "heuristics/dispatch/crew.hpp"
#include "heuristics/dispatch/policy_plan.hpp"

namespace coterie::heuristics {

/// How a dispatcher hears about its workers. Times in units of work at full speed.
struct Listening {
  double latency = 0;        ///< L >= 0: a completion is known this much later; infinite: never
  double notice = 0;         ///< d >= 0: an interruption is known this much later; infinite: never by itself
  std::size_t prefetch = 1;  ///< 1: a worker is given its next chunk in time; 0: it waits a round trip of 2 L for it
  bool drop = true;          ///< a chunk that is known to be complete elsewhere is not computed to its end
  /// After this time nothing counts, and policies know it. The caller cuts lives there.
  double horizon = kInfinity;

  /// From the end of a worker's chunk to the beginning of its next.
  double wait() const { return prefetch == 0 ? 2 * latency : 0; }
};

/// What a worker gets next.
struct Order {
  enum class Kind : std::uint8_t {
    kNothing,  ///< nothing until something is heard
    kNoMore,   ///< nothing any more
    kFresh,    ///< `size` of the work that nobody has, or all the rest of it; the next task if there are tasks
    kPieces,   ///< consecutive pieces, without those known to be complete when it is given
  };
  Kind kind = Kind::kNothing;
  std::uint32_t first_piece = 0;
  std::uint32_t pieces = 1;
  double size = 0;
  /// In a planned schedule: when the run begins and ends. If it begins at that time, it ends at exactly that time.
  double planned_begin = -1;
  double planned_finish = -1;
  double rest = kInfinity;  ///< of the first piece, if the worker itself has saved a part of it

  static Order nothing() { return {}; }
  static Order no_more() { return {.kind = Kind::kNoMore}; }
  static Order fresh(double size) { return {.kind = Kind::kFresh, .size = size}; }
  static Order piece(std::uint32_t piece) { return {.kind = Kind::kPieces, .first_piece = piece}; }
};

/// The state of a run as the dispatcher knows it: what it has handed out, and what it has heard. Policies read it; only
/// the run itself knows who is still alive.
class Heard {
 public:
  static constexpr std::uint32_t kNone = 0xffffffff;
  static constexpr double kLeastChunk = 1e-7;  ///< of the work, or of all workers' time if that is less

  /// A worker that was given a piece.
  struct Holder {
    std::uint32_t worker;  ///< kNone once it is known to have been interrupted with it
    std::uint32_t task;    ///< its number, in the order of beginnings
    std::uint32_t piece;
    std::uint32_t next;  ///< next holder of the same piece, or kNone
    double begin;        ///< or when its worker begins to restart for it
    double end;          ///< when the task with the piece ends, if its worker lives
  };

  const Listening& listening() const { return listening_; }
  /// Fresh chunks are at least this large, except for the last of the pool.
  double least_chunk() const { return least_chunk_; }
  double work() const { return work_; }
  double startup_cost() const { return startup_cost_; }
  std::span<const RiskPtr> risks() const { return risks_; }  ///< one per worker, one for all, or those of the crew
  /// The place of the worker's present law among the risks.
  std::size_t law(std::size_t worker) const {
    if (risks_.size() == 1) return 0;
    return crew_ ? law_[worker] : worker;
  }
  const Risk& risk(std::size_t worker) const { return *risks_[law(worker)]; }
  double speed(std::size_t worker) const { return crew_ ? crew_->of(worker).speed : 1; }
  double greatest_speed() const { return greatest_speed_; }
  bool same_speed() const { return same_speed_; }
  /// What a chunk takes.
  double time_of(std::size_t worker, double size) const { return startup_cost_ + size / speed(worker); }

  double now() const { return now_; }
  std::size_t workers() const { return lost_.size(); }
  bool is_lost(std::size_t worker) const { return lost_[worker] != 0; }  ///< known to be interrupted and not back
  /// The age at `time` of a worker that is not known to be lost: since the start, or since it last came back.
  double age(std::size_t worker, double time) const { return std::max(0.0, time - up_since_[worker]); }
  /// Until when a worker that is not known to be lost is known to have lived: by its last reported chunk, or because no
  /// notice came.
  double lived_until(std::size_t worker) const { return std::max(reported_[worker], now_ - listening_.notice); }
  std::size_t not_lost() const { return not_lost_; }
  /// The speeds of these, added up.
  double speed_not_lost() const { return crew_ ? speed_not_lost_ : static_cast<double>(not_lost_); }
  /// Whether every worker that is interrupted may be replaced by a new one.
  bool has_crew() const { return crew_ != nullptr; }
  /// How long the requested order is on its way: its task begins this much later than now.
  double way() const { return way_; }

  /// Work that nobody has: never handed out, or known to be lost by all that had it.
  double pool() const { return pool_; }
  bool has_tasks() const { return crew_ && crew_->task > 0; }
  /// Pieces of a plan come first; each fresh order adds one.
  std::size_t pieces() const { return size_.size(); }
  double size(std::size_t piece) const { return size_[piece]; }
  bool is_known(std::size_t piece) const { return known_[piece] != 0; }  ///< known to be complete
  bool is_gone(std::size_t piece) const { return gone_[piece] != 0; }    ///< back in the pool
  /// Workers that have or had it, without those known to have been interrupted before they ended it.
  std::size_t living_holders(std::size_t piece) const { return living_[piece]; }
  std::uint32_t first_holder(std::size_t piece) const { return first_holder_[piece]; }
  const Holder& holder(std::uint32_t place) const { return holders_[place]; }
  std::size_t holders() const { return holders_.size(); }
  /// The last piece that a worker was given, and the one before that: places of holders, or kNone.
  std::uint32_t last_holder_of(std::size_t worker) const { return of_worker_[worker]; }
  std::uint32_t holder_before(std::uint32_t place) const { return before_[place]; }
  /// Those that the worker was given since it last came back end before this place.
  std::uint32_t last_before_spell(std::size_t worker) const {
    return before_spell_.empty() ? kNone : before_spell_[worker];
  }
  bool has_had(std::size_t worker, std::size_t piece) const {
    // Walks the holders of the piece and the pieces of the worker in step, until the shorter list ends.
    std::uint32_t of_piece = first_holder_[piece];
    std::uint32_t of_worker = of_worker_[worker];
    while (of_piece != kNone && of_worker != kNone) {
      if (holders_[of_piece].worker == worker) return true;
      if (holders_[of_worker].piece == piece && holders_[of_worker].worker == worker) return true;
      of_piece = holders_[of_piece].next;
      of_worker = before_[of_worker];
    }
    return false;
  }
  /// Whether the piece is a task that was lost too often to be tried again.
  bool is_given_up(std::size_t piece) const {
    return has_tasks() && crew_->tries > 0 && losses_[task_of_[piece]] >= crew_->tries;
  }
  /// Whether the worker may be given a piece that is neither known nor gone.
  bool may_get(std::size_t worker, std::size_t piece) const { return !is_given_up(piece) && !has_had(worker, piece); }
  /// The number of news items so far.
  std::size_t news() const { return news_; }

 protected:
  Heard() = default;
  ~Heard() = default;

  Listening listening_;
  double work_ = 0;
  double startup_cost_ = 0;
  double least_chunk_ = 0;
  std::span<const RiskPtr> risks_;
  double now_ = 0;
  double way_ = 0;
  double pool_ = 0;
  std::size_t not_lost_ = 0;
  std::shared_ptr<const Crew> crew_;  // null: one speed, divisible work
  double speed_not_lost_ = 0;
  double greatest_speed_ = 1;
  bool same_speed_ = true;
  std::size_t news_ = 0;
  std::vector<char> lost_;        // by worker
  std::vector<std::size_t> law_;  // by worker, of a crew
  std::vector<double> up_since_;  // by worker
  std::vector<double> reported_;  // by worker: end of its last chunk since then known to be complete, if any
  std::vector<double> size_;
  std::vector<char> known_;
  std::vector<char> gone_;
  std::vector<std::uint32_t> task_of_;  // by piece, if there are tasks
  std::vector<std::size_t> losses_;     // by task, by workers that are not a fallback
  std::vector<std::uint32_t> living_;
  std::vector<std::uint32_t> first_holder_;
  std::vector<Holder> holders_;
  std::vector<std::uint32_t> of_worker_;     // by worker: its last holder place
  std::vector<std::uint32_t> before_spell_;  // by worker: its last holder place before it came back
  std::vector<std::uint32_t> before_;        // by holder place: the previous one of the same worker
};

/// A way to hand out work: a function of what was heard. One object runs many instances, one after another, on one
/// thread; what it stores after begin() depends only on the same history.
class ListeningPolicy {
 public:
  virtual ~ListeningPolicy() = default;
  /// The pieces before anything is handed out; the rest of the work is in the pool.
  virtual std::span<const double> pieces() const { return {}; }
  virtual void begin(const Heard&) {}
  /// What `worker`, which has nothing left to do, runs next. Not what it was given before, except in a plan.
  virtual Order next(const Heard& heard, std::uint32_t worker) = 0;
  /// Whether no waiting worker would get anything, so that all continue to wait.
  /// False is always correct, but slow if many wait.
  virtual bool gives_nothing(const Heard&) const { return false; }
  /// Whether the worker already has its next order, from a plan given at the start, so that it need not wait.
  virtual bool holds_next(const Heard&, std::uint32_t) const { return false; }
  /// A piece is known to be complete.
  virtual void complete(const Heard&, std::uint32_t) {}
  /// A worker is known to be interrupted; pieces that nobody else has are back in the pool, except those of a plan.
  virtual void lost(const Heard&, std::uint32_t) {}
  /// A worker is up again and asks for work; one that is down at the start is lost first.
  virtual void returned(const Heard&, std::uint32_t) {}
  /// Whether to keep the pieces of the plan; called when a worker is lost. After the first "no", those that nobody has
  /// go into the pool.
  virtual bool keeps_plan() const { return true; }
  /// The decisions made beforehand that the policy follows.
  virtual PolicyPlan plan() const { return {chosen_as_, {}, {}}; }
  /// Names the one that it is of several policies. `strategy`: the strategy that runs the same for the same question,
  /// or nothing.
  void set_chosen_as(std::string name, std::string strategy = "") {
    chosen_as_ = std::move(name);
    runs_as_ = std::move(strategy);
  }
  const std::string& runs_as() const { return runs_as_; }

 protected:
  std::string chosen_as_;
  std::string runs_as_;
};

}  // namespace coterie::heuristics
