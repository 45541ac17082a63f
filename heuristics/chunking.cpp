#include "heuristics/chunking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {

void refuse_too_many_tasks(std::size_t tasks) {
  constexpr std::size_t kMost = 100'000'000;
  if (tasks > kMost)
    throw InputError(fmt::format("all workers together would have {} tasks, more than {}; take fewer or larger chunks",
                                 tasks, kMost));
}

Chunking Chunking::per_unit(double work, std::size_t per_unit) {
  const auto n = static_cast<double>(per_unit);
  const double count = std::max(1.0, std::ceil(work * n - 1e-9));
  if (!(count <= kMostChunks))
    throw InputError(fmt::format("work {} at {} chunks per unit makes more than {} chunks", to_text(work), per_unit,
                                 to_text(kMostChunks)));
  // Within rounding of a whole number of full chunks, the last chunk is a full one.
  const bool uniform = std::abs(work * n - count) <= 1e-9;
  return {work, static_cast<std::size_t>(count), 1.0, per_unit, uniform};
}

Chunking Chunking::equal(double work, std::size_t count) { return {work, count, work, count, true}; }

double Chunking::elapsed(std::size_t chunks, bool with_last) const {
  if (!with_last || uniform_) return share_of(whole_, chunks, parts_);
  return share_of(whole_, chunks - 1, parts_) + last_size();
}

TaskList Chunking::tasks(std::span<const std::size_t> chunks, double startup_cost, std::size_t first_piece,
                         const TaskList* timed) const {
  TaskList list;
  list.tasks.reserve(chunks.size());
  if (uniform_ && timed != nullptr && timed->finish.size() >= chunks.size()) {
    for (const std::size_t chunk : chunks) list.tasks.push_back({static_cast<std::uint32_t>(first_piece + chunk), 1});
    list.finish.assign(timed->finish.begin(), timed->finish.begin() + static_cast<std::ptrdiff_t>(chunks.size()));
    return list;
  }
  list.finish.reserve(chunks.size());
  bool with_last = false;
  for (const std::size_t chunk : chunks) {
    with_last = with_last || chunk + 1 == count_;
    list.tasks.push_back({static_cast<std::uint32_t>(first_piece + chunk), 1});
    const std::size_t done = list.tasks.size();
    list.finish.push_back(elapsed(done, with_last) + static_cast<double>(done) * startup_cost);
  }
  return list;
}

}  // namespace coterie::heuristics
