#include "heuristics/chunks/chunking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {

void refuse_too_many_tasks(std::size_t tasks) {
  constexpr std::size_t kMost = 100'000'000;
  if (tasks > kMost)
    throw InputError(fmt::format("all workers together would have {} tasks, more than {}; use fewer or larger chunks",
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

FinishTimes Chunking::back_to_back(std::span<const Task> chunks, double startup_cost, std::size_t first_piece) const {
  std::vector<double> finish;
  finish.reserve(chunks.size());
  bool with_last = false;
  for (const Task& chunk : chunks) {
    with_last = with_last || chunk.first_piece + std::size_t{1} == first_piece + count_;
    const std::size_t done = finish.size() + 1;
    finish.push_back(elapsed(done, with_last) + static_cast<double>(done) * startup_cost);
  }
  return finish;
}

const FinishTimes& ListTimes::of(std::span<const Task> chunks, std::size_t first_piece) {
  if (chunking_.uniform() && chunks.size() == last_.size()) return last_;
  if (chunking_.uniform() && chunks.size() <= longest_.size()) return last_ = longest_.first(chunks.size());
  return last_ = longest_ = chunking_.back_to_back(chunks, startup_cost_, first_piece);
}

}  // namespace coterie::heuristics
