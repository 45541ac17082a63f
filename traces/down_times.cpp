#include "traces/down_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/printable.hpp"

namespace coterie::traces {
namespace {

struct Spell {
  double begin;
  double end;
  bool interrupted;
};

}  // namespace

Durations down_times(const AvailabilityTrace& trace) {
  std::map<std::string, std::vector<Spell>> hosts;
  double last = 0;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.host || !record.start)
      throw InputError(fmt::format("a spell has no {}: to know when machines return takes hosts and times",
                                   record.host ? "start" : "host"));
    const double end = *record.start + record.duration;
    hosts[*record.host].push_back({*record.start, end, record.observed});
    last = trace.records.data() == &record ? end : std::max(last, end);
  }
  std::vector<Duration> downs;
  for (auto& [name, spells] : hosts) {
    std::stable_sort(spells.begin(), spells.end(), [](const Spell& a, const Spell& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < spells.size(); ++i) {
      const bool returns = i + 1 < spells.size();
      const double until = returns ? spells[i + 1].begin : last;
      if (until < spells[i].end)
        throw InputError(fmt::format("the host {} is up twice at the same time", echoed(name)));
      if (spells[i].interrupted && (returns || until > spells[i].end))
        downs.push_back({until - spells[i].end, returns});
    }
  }
  if (std::none_of(downs.begin(), downs.end(), [](const Duration& one) { return one.observed; }))
    throw InputError("no machine returns under its name, so it does not tell how long lost ones stay away");
  return Durations(std::move(downs));
}

}  // namespace coterie::traces
