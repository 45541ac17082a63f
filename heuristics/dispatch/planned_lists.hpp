#pragma once

#include "core/schedule.hpp"
#include "heuristics/dispatch/heard.hpp"

namespace coterie::heuristics {

/// A static schedule, as the policy skip(...) runs it: each worker runs its list, without what is known to be complete
/// when its turn comes. If nothing is ever heard, this is exactly the schedule itself.
class PlannedLists final : public ListeningPolicy {
 public:
  explicit PlannedLists(Schedule schedule) : schedule_(std::move(schedule)) {}
  const Schedule& schedule() const { return schedule_; }
  std::span<const double> pieces() const override { return schedule_.piece_sizes(); }
  void begin(const Heard&) override { position_.assign(schedule_.workers(), 0); }
  Order next(const Heard& heard, std::uint32_t worker) override;
  bool holds_next(const Heard&, std::uint32_t) const override { return true; }

 private:
  Schedule schedule_;
  std::vector<std::size_t> position_;  // by worker: number of tasks it was given
};

}  // namespace coterie::heuristics
