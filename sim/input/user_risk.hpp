#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "core/stream.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {

/// A risk as a user wrote it, resolved once: the risk for plans, the risk of each worker, and its canonical text. It
/// has several classes of workers if it is mix(WEIGHT : RISK, ...), otherwise one.
class UserRisk {
 public:
  struct Class {
    double weight = 1;
    RiskPtr risk;                                    ///< of a worker about whom nothing else is known
    std::shared_ptr<const traces::TraceRisk> trace;  ///< if it is trace(...)
    std::string canonical;                           ///< with files by checksum
  };

  /// trace(...) or a parametric risk.
  explicit UserRisk(Class only);
  /// mix(...).
  static UserRisk mixed(std::vector<Class> classes);

  /// The risk of a worker about whom nothing else is known: for mix(...), and for different ages, the mixture.
  const RiskPtr& planned() const { return planned_; }
  /// The text used for the identity of a configuration: with every parameter, and traces by checksum.
  const std::string& canonical() const { return canonical_; }
  /// Do all workers have one risk, whatever is drawn?
  bool alike() const;
  /// Has no worker an age?
  bool are_new() const;
  /// Does a campaign draw the ages of some workers (age=drawn)?
  bool draws_ages() const;
  /// The actual risk of each of `workers` workers; a single one if all are the same. The classes of mix(...) get
  /// workers in proportion to their weights (whole numbers by largest remainders), spread evenly over the list; ages of
  /// age=drawn come from `ages`, one draw per worker.
  std::vector<RiskPtr> of_workers(std::size_t workers, const StreamKey& ages) const;
  /// The same risk with every open Kaplan-Meier tail completed the other way (tail=gone); null if no trace in it has an
  /// open tail, or if the user has chosen the tail.
  std::shared_ptr<const UserRisk> if_gone() const;
  /// Its trace; null if it is not trace(...).
  const traces::TraceRisk* trace() const { return mixed_ ? nullptr : classes_.front().trace.get(); }

 private:
  UserRisk() = default;

  std::vector<Class> classes_;
  bool mixed_ = false;
  RiskPtr planned_;
  std::string canonical_;
};

}  // namespace coterie::sim
