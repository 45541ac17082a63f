#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "core/stream.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {

/// A risk as a user wrote it, resolved once: what plans are made for, what each worker lives, and its canonical text.
/// Several classes of workers where it is mix(WEIGHT : RISK, ...), one otherwise.
class UserRisk {
 public:
  struct Class {
    double weight = 1;
    RiskPtr risk;                                    ///< of a worker of whom no more is known
    std::shared_ptr<const traces::TraceRisk> trace;  ///< where it is trace(...)
  };

  /// trace(...) or a parametric risk.
  explicit UserRisk(Class only);
  /// mix(...).
  static UserRisk mixed(std::vector<Class> classes);

  /// The risk of a worker of whom no more is known: of mix(...), and of ages that differ, the mixture.
  const RiskPtr& planned() const { return planned_; }
  /// The text that the identity of a configuration is made of: every parameter written, a trace by its checksum.
  const std::string& canonical() const { return canonical_; }
  /// Do all workers have one risk, whatever is drawn?
  bool alike() const;
  /// Has no worker an age?
  bool are_new() const;
  /// Does a campaign draw the ages of some workers (age=drawn)?
  bool draws_ages() const;
  /// The risk of each of `workers` workers, as they live: one alone where all have the same. The classes of mix(...)
  /// get workers in proportion to their weights (whole numbers by the largest remainders) and stand spread evenly over
  /// the list; ages of age=drawn come from `ages`, one draw a worker.
  std::vector<RiskPtr> of_workers(std::size_t workers, const StreamKey& ages) const;
  /// The same risk with every open tail of Kaplan-Meier completed the other way (tail=gone); null where no trace in it
  /// leaves a tail open, or where the user has said what becomes of it.
  std::shared_ptr<const UserRisk> if_gone() const;
  /// The trace that it is; null where it is no trace(...).
  const traces::TraceRisk* trace() const { return mixed_ ? nullptr : classes_.front().trace.get(); }

 private:
  UserRisk() = default;

  std::vector<Class> classes_;
  bool mixed_ = false;
  RiskPtr planned_;
  std::string canonical_;
};

}  // namespace coterie::sim
