#include "heuristics/worksharing/whole_tasks.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/contract.hpp"
#include "core/ties.hpp"

namespace coterie::heuristics {

std::size_t count_of_tasks(double work, double task) {
  COTERIE_REQUIRE(task > 0);
  return static_cast<std::size_t>(std::max(1.0, std::ceil(work / task * (1 - kSameTime))));
}

std::vector<double> task_sizes(double work, double task) {
  std::vector<double> sizes(count_of_tasks(work, task), task);
  sizes.back() = work - static_cast<double>(sizes.size() - 1) * task;
  return sizes;
}

Schedule in_whole_tasks(const Schedule& schedule, double work, double task, double startup_cost) {
  const std::vector<double> sizes = task_sizes(work, task);
  std::vector<double> boundaries(sizes.size() + 1, 0);
  std::vector<double> middles(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    boundaries[i] = static_cast<double>(i) * task;
    middles[i] = boundaries[i] + sizes[i] / 2;
  }
  boundaries.back() = work;
  const auto first_from = [&](double begin) {
    return static_cast<std::uint32_t>(std::lower_bound(middles.begin(), middles.end(), begin) - middles.begin());
  };
  TaskLists lists;
  for (std::size_t list = 0; list < schedule.lists().size(); ++list) {
    for (const Task& run : schedule.lists()[list].tasks) {
      const std::uint32_t end = first_from(schedule.boundaries()[run.first_piece + run.pieces]);
      for (std::uint32_t i = first_from(schedule.boundaries()[run.first_piece]); i < end; ++i) lists.add({i, 1});
    }
    lists.close(back_to_back(lists.open(), sizes, startup_cost));
  }
  std::vector<std::uint32_t> list_of;
  for (std::size_t w = 0; w < schedule.workers(); ++w) list_of.push_back(schedule.list_of(w));
  return {std::move(boundaries), std::move(lists), std::move(list_of)};
}

Plan in_whole_tasks(Plan plan, double work, double task, double startup_cost) {
  plan.schedule = std::make_shared<const Schedule>(in_whole_tasks(*plan.schedule, work, task, startup_cost));
  plan.chunks = plan.schedule->pieces();
  plan.chunk_size = task;
  plan.coteries.clear();
  plan.expected_work = std::nan("");
  return plan;
}

}  // namespace coterie::heuristics
