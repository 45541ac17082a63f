#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/schedule.hpp"

namespace coterie {

struct HandMadeList {
  std::vector<Task> tasks;
  FinishTimes finish;
};

/// One for each worker; workers may share one.
using HandMadeLists = std::vector<std::shared_ptr<const HandMadeList>>;

inline std::shared_ptr<const HandMadeList> hand_made_list(std::vector<Task> tasks,
                                                          const std::vector<double>& piece_sizes, double startup) {
  const FinishTimes finish = back_to_back(tasks, piece_sizes, startup);
  return std::make_shared<const HandMadeList>(HandMadeList{std::move(tasks), finish});
}

inline Schedule hand_made_schedule(const std::vector<double>& boundaries, const HandMadeLists& workers) {
  TaskLists lists;
  HandMadeLists different;
  std::vector<std::uint32_t> list_of;
  for (const auto& list : workers) {
    const auto known = std::find(different.begin(), different.end(), list);
    list_of.push_back(static_cast<std::uint32_t>(known - different.begin()));
    if (known != different.end()) continue;
    different.push_back(list);
    for (const Task& task : list->tasks) lists.add(task);
    lists.close(list->finish);
  }
  return Schedule(boundaries, std::move(lists), std::move(list_of));
}

}  // namespace coterie
