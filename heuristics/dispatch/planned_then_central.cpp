#include "heuristics/dispatch/planned_then_central.hpp"

#include <utility>

namespace coterie::heuristics {

void PlannedThenCentral::begin(const Heard& heard) {
  planned_ = true;
  lists_.begin(heard);
  central_.begin(heard);
}

Order PlannedThenCentral::next(const Heard& heard, std::uint32_t worker) {
  if (!planned_) return central_.next(heard, worker);
  const Order order = lists_.next(heard, worker);
  return order.kind == Order::Kind::kNoMore ? Order::nothing() : order;
}

void PlannedThenCentral::lost(const Heard& heard, std::uint32_t worker) {
  if (std::exchange(planned_, false)) central_.take_over(heard);
  central_.lost(heard, worker);
}

PolicyPlan PlannedThenCentral::plan() const {
  PolicyPlan plan = central_.plan();
  plan.chosen = chosen_as_;
  return plan;
}

}  // namespace coterie::heuristics
