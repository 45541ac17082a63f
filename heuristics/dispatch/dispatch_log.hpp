#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::heuristics {

/// Something that happened in an instance, or was heard or decided; for people.
struct DispatchEvent {
  /// Those at one time come in this order.
  enum class Kind {
    kEnds,           ///< `work`: what nobody had completed before
    kDrops,          ///< what is known to be complete elsewhere
    kInterrupted,    ///< with what the worker was computing; no pieces: nothing
    kHeardComplete,  ///< the dispatcher hears
    kHeardLost,      ///< the dispatcher hears, or concludes from a chunk that is not reported
    kReturns,        ///< it is up again, which the dispatcher hears at once
    kGiven,          ///< the dispatcher decides; a worker that is interrupted then never begins it
    kBegins,         ///< `work`: of what it computes
  };
  Kind kind;
  double time;
  std::uint32_t worker;
  std::uint32_t first_piece;
  std::uint32_t pieces;
  double work;
};

/// When something happens to a worker.
struct WorkerTime {
  double time;
  std::uint32_t worker;
  std::uint32_t spell = 0;  ///< which of its spells that begins or ends
};

/// What a worker computed, or began to.
struct DispatchTask {
  std::uint32_t worker;
  std::uint32_t first_piece;
  std::uint32_t pieces;
  double work;   ///< of the pieces that are computed
  double begin;  ///< when the worker was to begin
  double until;  ///< when it ended it, dropped it, or was to end it
  double new_work = 0;
  bool dropped = false;
};

/// The log of one instance: who ran what when, what was heard, what was decided.
class DispatchLog {
 public:
  void add(const DispatchEvent& event) { events_.push_back(event); }
  /// What became of a task on a worker that lives until `life`.
  void ran(const DispatchTask& task, double life);
  /// All events in the order of time, with the interruptions of workers that were idle; `interruptions`: all of them.
  /// What happens after the last of the other events is not told. Times that differ by rounding alone are made the
  /// same.
  std::vector<DispatchEvent> finish(std::span<const WorkerTime> interruptions);

 private:
  std::vector<DispatchEvent> events_;
};

}  // namespace coterie::heuristics
