#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/stream.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::heuristics {

/// Places plans on workers in zones, and tells what they are worth there. Beyond worksharing-2013.
class ZonePlacement {
 public:
  /// Who runs the lists of a plan where workers are interrupted by zones. Copies of a piece are mostly on neighbours of
  /// a plan, the workers of a coterie.
  enum class Rule {
    kKnown,   ///< of the others and more deals, what most work is expected of, then with lists exchanged
    kPacked,  ///< neighbours in one zone, as far as there is room: list k to worker k
    kSpread,  ///< neighbours in different zones: the lists are dealt to the zones in turn
    kBlind,   ///< nobody knows the zones: the lists are dealt to the workers at random, once for a configuration
  };
  /// The words for them, in their order: "known", "packed", "spread", "blind".
  static const std::vector<std::string>& words();

  /// Zones that bind the workers of `problem`, plans being made for its risks(); `deal`: for kBlind, and what kKnown
  /// compares with it.
  ZonePlacement(const WorksharingProblem& problem, const Zones& zones, Rule rule, const StreamKey& deal);

  const Zones& zones() const { return zones_; }
  /// Whether zones are known to who makes the plan, so that plans are to be chosen by expected_work().
  bool known() const { return rule_ == Rule::kKnown; }
  /// Exact expected work of a plan where it is placed. Orders drawn anew for each instance are worth the same wherever
  /// they are.
  double expected_work(const Plan& plan) const;
  /// The plan, placed: with that expected work, and without coteries where neighbours are moved.
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
  std::size_t always_tried_ = 0;                    // so many of them; the others of plans that are quickly told
};

}  // namespace coterie::heuristics
