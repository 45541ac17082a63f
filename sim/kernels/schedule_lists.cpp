#include "sim/kernels/schedule_lists.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coterie::sim {
namespace {

/// Differences by rounding do not count, nor others below 1e-9 of a size, which are taken for such.
bool is_size(double size, double known) { return std::abs(size - known) <= 1e-9 * known; }

}  // namespace

ScheduleLists::ScheduleLists(const Schedule& schedule, std::span<const std::uint32_t> order, const CapacityGrid& grid,
                             const FinishTimes& common)
    : first_worker_(order.size() + 1, 0), workers_(schedule.workers()), all_begin_common_(!common.empty()) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (std::size_t w = 0; w < workers_.size(); ++w) ++first_worker_[place[schedule.list_of(w)] + 1];
  std::partial_sum(first_worker_.begin(), first_worker_.end(), first_worker_.begin());
  std::vector<std::uint32_t> next(first_worker_.begin(), first_worker_.end());
  for (std::uint32_t w = 0; w < workers_.size(); ++w) workers_[next[place[schedule.list_of(w)]]++] = w;
  views_.reserve(order.size());
  alone_.reserve(order.size());
  for (const std::uint32_t list : order) {
    const FinishTimes& finish = schedule.lists()[list].finish;
    views_.push_back(view_of(finish, grid));
    all_begin_common_ = all_begin_common_ && finish.are_first_of(common);
    const auto of_list = workers(alone_.size());
    alone_.push_back(of_list.size() == 1 && views_.back()->corrections == 0 ? of_list.front() : ListsView::kNobody);
  }
}

const TaskCounterView* ScheduleLists::view_of(const FinishTimes& finish, const CapacityGrid& grid) {
  // A schedule has few different counters, or as many as lists: then there is no point in comparing them all.
  constexpr std::size_t kMost = 64;
  const std::size_t compared = counters_.size() < kMost ? counters_.size() : 1;
  const auto same = std::find_if(counters_.rbegin(), counters_.rbegin() + static_cast<std::ptrdiff_t>(compared),
                                 [&](const TaskCounter& counter) { return counter.is_of(finish); });
  if (same != counters_.rbegin() + static_cast<std::ptrdiff_t>(compared)) return &same->view();
  return &counters_.emplace_back(finish, grid).view();
}

std::vector<std::size_t> ScheduleLists::tasks_done(std::span<const double> capacities) const {
  std::vector<std::size_t> done(workers_.size());
  for (std::size_t list = 0; list < views_.size(); ++list)
    for (const std::uint32_t w : workers(list)) done[w] = sim::tasks_done(counter(list), capacities[w]);
  return done;
}

PieceSizes::PieceSizes(const Schedule& schedule) : of_piece_(schedule.pieces()), deployed_(schedule.deployed_work()) {
  const auto sizes = schedule.piece_sizes();
  std::size_t i = 0;
  if (!sizes.empty()) {  // mostly all are of one size
    const double first = sizes[0];
    std::int32_t given = 0;
    for (; i < sizes.size() && is_size(sizes[i], first); ++i) given += schedule.is_given(i) ? 1 : 0;
    sizes_.push_back(first);
    pieces_.push_back(given);
  }
  for (; i < sizes.size(); ++i) {
    std::size_t size = 0;
    while (size < sizes_.size() && !is_size(sizes[i], sizes_[size])) ++size;
    if (size == sizes_.size()) {
      sizes_.push_back(sizes[i]);
      pieces_.push_back(0);
    }
    if (!few()) return;
    of_piece_[i] = static_cast<std::uint32_t>(size);
    pieces_[size] += schedule.is_given(i) ? 1 : 0;
  }
}

}  // namespace coterie::sim
