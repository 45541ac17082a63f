#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Places plans on workers in zones, and evaluates them there. Beyond worksharing-2013.
class ZonePlacement {
 public:
  /// Which workers run the lists of a plan if workers are interrupted by zones. Copies of a piece are mostly on
  /// neighbours in a plan, the workers of a coterie.
  enum class Rule {
    kKnown,   ///< the best of the others and more deals by expected work, then with lists exchanged
    kPacked,  ///< neighbours in one zone, as far as there is room: list k to worker k
    kSpread,  ///< neighbours in different zones: the lists are dealt to the zones in turn
    kBlind,   ///< zones are not known: the lists are dealt to the workers at random, once per configuration
  };
  /// The words for them, in their order: "known", "packed", "spread", "blind".
  static const std::vector<std::string>& words();

  /// `zones` must bind the workers of `problem`, and plans are made for its risks(); `deal`: for kBlind, which kKnown
  /// also tries.
  ZonePlacement(const WorksharingProblem& problem, const Zones& zones, Rule rule, const StreamKey& deal);

  const Zones& zones() const { return zones_; }
  /// Whether the planner knows the zones, so that plans should be chosen by expected_work().
  bool known() const { return rule_ == Rule::kKnown; }
  /// Exact expected work of a plan in its placement. Orders drawn anew for each instance are worth the same anywhere.
  double expected_work(const Plan& plan) const;
  /// The plan in its placement: with that expected work, and without coteries if neighbours are moved.
  Plan placed(Plan plan) const;

 private:
  struct Choice {
    std::size_t order = 0;
    double expected_work = 0;
  };
  Choice best_order(const Schedule& schedule) const;

  Zones zones_;
  Rule rule_;
  std::size_t workers_;
  std::vector<RiskPtr> risks_;
  std::vector<std::vector<std::uint32_t>> orders_;  // worker of each list, in the order in which they are tried
  std::size_t always_tried_ = 0;  // this many of them; the others only for plans that are quick to evaluate
};

}  // namespace coterie::heuristics
