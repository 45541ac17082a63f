#include "heuristics/dispatch/planned_lists.hpp"

namespace coterie::heuristics {

Order PlannedLists::next(const Heard&, std::uint32_t worker) {
  const auto& [tasks, finish] = schedule_.tasks(worker);
  const std::size_t k = position_[worker];
  if (k == tasks.size()) return Order::no_more();
  ++position_[worker];
  return {.kind = Order::Kind::kPieces,
          .first_piece = tasks[k].first_piece,
          .pieces = tasks[k].pieces,
          .size = 0,
          .planned_begin = k == 0 ? 0 : finish[k - 1],
          .planned_finish = finish[k]};
}

}  // namespace coterie::heuristics
