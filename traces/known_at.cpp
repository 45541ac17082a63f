#include "traces/known_at.hpp"

#include "core/errors.hpp"

namespace coterie::traces {

AvailabilityTrace known_at(const AvailabilityTrace& trace, double time) {
  AvailabilityTrace known = trace;
  known.records.clear();
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.start) throw InputError("the format does not say when each machine was up");
    if (!(*record.start + record.entry < time)) continue;
    known.records.push_back(record);
    if (*record.start + record.duration <= time) continue;
    known.records.back().duration = time - *record.start;
    known.records.back().observed = false;
  }
  return known;
}

}  // namespace coterie::traces
