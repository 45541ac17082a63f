#include "heuristics/dispatch/dispatch_log.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/ties.hpp"

namespace coterie::heuristics {

void DispatchLog::ran(const DispatchTask& task, double life) {
  using Kind = DispatchEvent::Kind;
  if (task.begin > std::min(life, task.until)) return;
  add({Kind::kBegins, task.begin, task.worker, task.first_piece, task.pieces, task.work});
  if (task.until > life) {
    add({Kind::kInterrupted, life, task.worker, task.first_piece, task.pieces, 0});
  } else {
    add({task.dropped ? Kind::kDrops : Kind::kEnds, task.until, task.worker, task.first_piece, task.pieces,
         task.new_work});
  }
}

std::vector<DispatchEvent> DispatchLog::finish(std::span<const WorkerTime> interruptions) {
  std::set<std::pair<std::uint32_t, double>> told;
  double last = 0;
  for (const DispatchEvent& event : events_) {
    last = std::max(last, event.time);
    if (event.kind == DispatchEvent::Kind::kInterrupted) told.emplace(event.worker, event.time);
  }
  for (const WorkerTime& one : interruptions)
    if (one.time <= last && !told.contains({one.worker, one.time}))
      add({DispatchEvent::Kind::kInterrupted, one.time, one.worker, 0, 0, 0});
  const auto in_order = [](const DispatchEvent& a, const DispatchEvent& b) {
    return std::tie(a.time, a.kind) < std::tie(b.time, b.kind);
  };
  std::stable_sort(events_.begin(), events_.end(), in_order);
  double time = 0;
  for (DispatchEvent& event : events_) event.time = time = event.time <= just_after(time) ? time : event.time;
  std::stable_sort(events_.begin(), events_.end(), in_order);
  return std::exchange(events_, {});
}

}  // namespace coterie::heuristics
