#include "sim/planning/short_chunks.hpp"

#include <algorithm>
#include <set>

#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

double size_of(const Schedule& schedule, const Task& task) {
  return schedule.boundaries()[task.first_piece + std::size_t{task.pieces}] - schedule.boundaries()[task.first_piece];
}

bool lies_before(const Task& first, const Task& second) {
  return first.first_piece + first.pieces == second.first_piece;
}

/// The list with short chunks joined.
std::vector<Task> joined(const Schedule& schedule, std::span<const Task> tasks, double least) {
  std::vector<Task> list;
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    Task task = tasks[k];
    while (size_of(schedule, task) < least && k + 1 < tasks.size() && lies_before(task, tasks[k + 1]))
      task.pieces += tasks[++k].pieces;
    const bool is_last = k + 1 == tasks.size();
    if (size_of(schedule, task) < least && !is_last && !list.empty() && lies_before(list.back(), task))
      list.back().pieces += task.pieces;
    else
      list.push_back(task);
  }
  return list;
}

}  // namespace

heuristics::Plan without_short_chunks(const heuristics::Plan& plan, double startup_cost) {
  const Schedule& schedule = *plan.schedule;
  constexpr double kSums = 1e-9;
  const double least = startup_cost * (1 - kSums);
  bool changed = false;
  TaskLists lists;
  for (std::size_t l = 0; l < schedule.lists().size(); ++l) {
    const TaskList list = schedule.lists()[l];
    const std::vector<Task> tasks = joined(schedule, list.tasks, least);
    for (const Task& task : tasks) lists.add(task);
    const bool differs = tasks.size() < list.tasks.size();
    changed = changed || differs;
    lists.close(differs ? back_to_back(tasks, schedule.piece_sizes(), startup_cost) : list.finish);
  }
  if (!changed) return plan;
  std::vector<std::uint32_t> list_of;
  for (std::size_t w = 0; w < schedule.workers(); ++w) list_of.push_back(schedule.list_of(w));
  heuristics::Plan longer = plan;
  longer.schedule = std::make_shared<const Schedule>(schedule.boundaries(), std::move(lists), std::move(list_of));
  longer.chunks = chunk_sizes(*longer.schedule).chunks;
  longer.coteries.clear();
  return longer;
}

ChunkSizes chunk_sizes(const Schedule& schedule) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> chunks;
  double least = kInfinity, least_of_all = kInfinity, greatest = 0;
  for (std::size_t l = 0; l < schedule.lists().size(); ++l) {
    const TaskList list = schedule.lists()[l];
    for (std::size_t k = 0; k < list.tasks.size(); ++k) {
      chunks.emplace(list.tasks[k].first_piece, list.tasks[k].pieces);
      const double size = size_of(schedule, list.tasks[k]);
      greatest = std::max(greatest, size);
      least_of_all = std::min(least_of_all, size);
      if (k + 1 < list.tasks.size()) least = std::min(least, size);
    }
  }
  if (chunks.empty()) return {};
  return {chunks.size(), std::isfinite(least) ? least : least_of_all, greatest};
}

}  // namespace coterie::sim
