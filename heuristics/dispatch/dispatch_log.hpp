#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace coterie::heuristics {

/// Something that happened in an instance, or was heard or decided; for human readers.
struct DispatchEvent {
  /// Events at the same time come in this order.
  enum class Kind {
    kEnds,           ///< `work`: the part that nobody had completed before
    kDrops,          ///< a chunk that is known to be complete elsewhere
    kInterrupted,    ///< with what the worker was computing; no pieces: it was idle
    kHeardComplete,  ///< the dispatcher hears
    kHeardLost,      ///< the dispatcher hears, or concludes it from a missing report
    kReturns,        ///< it is up again, which the dispatcher hears at once
    kGiven,          ///< the dispatcher decides; a worker interrupted at that time never begins it
    kBegins,         ///< `work`: the amount that it computes
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
  std::uint32_t spell = 0;  ///< which of its spells begins or ends
};

/// What a worker computed, or began to compute.
struct DispatchTask {
  std::uint32_t worker;
  std::uint32_t first_piece;
  std::uint32_t pieces;
  double work;   ///< of the pieces that are computed
  double begin;  ///< when the worker was to begin
  double until;  ///< when the worker ended it, dropped it, or was to end it
  double new_work = 0;
  bool dropped = false;
};

/// The log of one instance: who ran what and when, what was heard, what was decided.
class DispatchLog {
 public:
  void add(const DispatchEvent& event) { events_.push_back(event); }
  /// The outcome of a task on a worker that lives until `life`.
  void ran(const DispatchTask& task, double life);
  /// All events in time order, including interruptions of idle workers; `interruptions`: all of them. Interruptions
  /// after the last of the other events are left out. Times that differ only by rounding are made equal.
  std::vector<DispatchEvent> finish(std::span<const WorkerTime> interruptions);

 private:
  std::vector<DispatchEvent> events_;
};

}  // namespace coterie::heuristics
