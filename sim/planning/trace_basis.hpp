#pragma once

#include <span>

#include "core/risk.hpp"
#include "traces/durations.hpp"

namespace coterie::sim {

/// The trace that a risk was made from, and how: enough to make the risk again from other durations.
struct TraceBasis {
  traces::Durations durations;  ///< in the unit of the question
  bool kaplan_meier = true;     ///< or the paper's estimator: every end of a spell is an interruption
  double age = 0;               ///< of the workers, in the unit of the question
  bool stationary = false;      ///< seen at a random moment of their lives, instead of `age`
  traces::OpenTail tail = traces::OpenTail::kImmortal;  ///< if the question does not ask for both

  /// Of a machine at the start. Throws InputError if no interruption at that age is known.
  RiskPtr risk(std::span<const traces::SpellCount> of, traces::OpenTail completion = traces::OpenTail::kImmortal) const;
  /// Of a machine that comes up.
  RiskPtr new_risk(std::span<const traces::SpellCount> of, traces::OpenTail completion) const;
  /// Whether it is not known how long some machines stay.
  bool is_open() const;
};

/// A law of steps as if durations between the recorded ones had been as likely: linear between the steps.
RiskPtr smoothed(const RiskPtr& risk);

}  // namespace coterie::sim
