#include "sim/kernels/schedule_lists.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace coterie::sim {

ScheduleLists::ScheduleLists(const Schedule& schedule, const CapacityGrid& grid) {
  std::unordered_map<const TaskList*, std::uint32_t> seen;
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const auto [entry, fresh] = seen.emplace(&schedule.tasks(w), static_cast<std::uint32_t>(lists_.size()));
    of_worker_.push_back(entry->second);
    if (!fresh) continue;
    lists_.push_back(schedule.shared_tasks(w));
    const std::span<const double> finish = lists_.back()->finish;
    if (clocks_of_lists_.empty() || !clocks_of_lists_.back()->is_of(finish)) {
      const auto same = std::find_if(clocks_.begin(), clocks_.end(), [&](const Clock& c) { return c.is_of(finish); });
      // A schedule has few different clocks, or as many as lists: then there is no point in comparing them all.
      if (same != clocks_.end() && clocks_.size() < 64) {
        clocks_of_lists_.push_back(&*same);
        continue;
      }
      clocks_of_lists_.push_back(&clocks_.emplace_back(finish, grid));
    } else {
      clocks_of_lists_.push_back(clocks_of_lists_.back());
    }
  }
  index();
}

void ScheduleLists::index() {
  first_worker_.assign(lists_.size() + 1, 0);
  for (const std::uint32_t list : of_worker_) ++first_worker_[list + 1];
  for (std::size_t list = 0; list < lists_.size(); ++list) first_worker_[list + 1] += first_worker_[list];
  workers_.resize(of_worker_.size());
  std::vector<std::uint32_t> next(first_worker_.begin(), first_worker_.end());
  for (std::uint32_t w = 0; w < of_worker_.size(); ++w) workers_[next[of_worker_[w]]++] = w;
  views_.clear();
  for (const Clock* clock : clocks_of_lists_) views_.push_back(&clock->view());
}

void ScheduleLists::sort_by(std::span<const std::uint32_t> number) {
  if (std::is_sorted(number.begin(), number.end())) return;
  std::vector<std::uint32_t> order(number.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return number[a] < number[b]; });
  std::vector<std::shared_ptr<const TaskList>> lists;
  std::vector<const Clock*> clocks;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    lists.push_back(std::move(lists_[order[i]]));
    clocks.push_back(clocks_of_lists_[order[i]]);
    place[order[i]] = i;
  }
  lists_ = std::move(lists);
  clocks_of_lists_ = std::move(clocks);
  for (std::uint32_t& list : of_worker_) list = place[list];
  index();
}

std::vector<std::size_t> ScheduleLists::tasks_done(std::span<const double> capacities) const {
  std::vector<std::size_t> done;
  for (std::size_t w = 0; w < of_worker_.size(); ++w) done.push_back(clock(of_worker_[w]).done(capacities[w]));
  return done;
}

PieceSizes::PieceSizes(const Schedule& schedule) : of_piece_(schedule.pieces()), deployed_(schedule.deployed_work()) {
  const auto sizes = schedule.piece_sizes();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::size_t size = 0;  // differences by rounding alone do not count
    while (size < sizes_.size() && !(std::abs(sizes[i] - sizes_[size]) <= 1e-9 * sizes_[size])) ++size;
    if (size == sizes_.size()) sizes_.push_back(sizes[i]);
    if (!few()) return;
    of_piece_[i] = static_cast<std::uint32_t>(size);
  }
  pieces_.assign(sizes_.size(), 0);
  std::vector<bool> given(sizes.size(), false);
  const TaskList* previous = nullptr;
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList* list = &schedule.tasks(w);
    if (list == previous) continue;
    previous = list;
    for (const Task& task : list->tasks)
      for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece) {
        if (!given[piece]) ++pieces_[of_piece_[piece]];
        given[piece] = true;
      }
  }
}

}  // namespace coterie::sim
