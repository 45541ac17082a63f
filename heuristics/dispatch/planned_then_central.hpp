#pragma once

#include "heuristics/dispatch/central.hpp"
#include "heuristics/dispatch/planned_lists.hpp"

namespace coterie::heuristics {

/// A static schedule, without what is known to be complete, until the first worker is known to be lost; then the work
/// that nobody has goes into the queue of `central`.
class PlannedThenCentral final : public ListeningPolicy {
 public:
  PlannedThenCentral(Schedule schedule, Central central) : lists_(std::move(schedule)), central_(std::move(central)) {}
  std::span<const double> pieces() const override { return lists_.pieces(); }
  void begin(const Heard& heard) override;
  Order next(const Heard& heard, std::uint32_t worker) override;
  bool gives_nothing(const Heard& heard) const override { return !planned_ && central_.gives_nothing(heard); }
  void complete(const Heard& heard, std::uint32_t piece) override { central_.complete(heard, piece); }
  void lost(const Heard& heard, std::uint32_t worker) override;
  void returned(const Heard& heard, std::uint32_t worker) override { central_.returned(heard, worker); }
  bool holds_next(const Heard&, std::uint32_t) const override { return planned_; }
  bool keeps_plan() const override { return planned_; }
  PolicyPlan plan() const override;

 private:
  PlannedLists lists_;
  Central central_;
  bool planned_ = true;
};

}  // namespace coterie::heuristics
