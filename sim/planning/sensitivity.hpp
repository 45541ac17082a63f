#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/planning/planner.hpp"
#include "sim/planning/trace_basis.hpp"

namespace coterie::sim {

/// How sure the answer is: what the schedules would expect with other spells of the same machines, if spells are
/// independent.
struct Confidence {
  static constexpr std::size_t kFewest = 6;            ///< interruptions, below which resamples say little
  static constexpr std::size_t kFewestResamples = 40;  ///< for an interval of 95 %

  std::size_t resamples = 0;
  std::size_t interruptions = 0;   ///< in the trace, of spells that reach the age
  std::size_t without_answer = 0;  ///< resamples that do not say how long machines of that age stay
  Summary expected_work;           ///< of the chosen schedule, one value a resample
  double least = 0, greatest = 0;  ///< of all, in the worse case of what is open, and in the better
  double low = 0, high = 0;        ///< its 2.5 % quantile in the worse case of what is open, 97.5 % in the better
  std::map<std::string, double> better_than;     ///< by strategy: share of resamples in which the choice is better
  std::map<std::string, double> better_if_gone;  ///< the same if all open ones leave; empty if nothing is open

  /// Whether low and high are an interval of 95 %.
  bool is_interval() const { return least < greatest && interruptions >= kFewest && resamples >= kFewestResamples; }
};

/// Durations drawn from the trace with replacement, as many as there are; schedules stay as they are. [Efron 1979]
Confidence bootstrap(const PlanAnswer& answer, const TraceBasis& basis, std::size_t resamples);

/// Something that may turn out other than planned.
struct Circumstance {
  std::string name;
  std::vector<double> expected_work;  ///< by option of the answer
  std::string kind;                   ///< one word for programs
  std::optional<double> value = {};   ///< its size: the share that is absent, the factor of lives, the age
};

/// The same schedules if fewer machines show up, if machines are interrupted sooner or later than assumed, and if they
/// have already been up for long. `length` shows a length in the unit of the question.
std::vector<Circumstance> circumstances(const PlanAnswer& answer, const std::optional<TraceBasis>& basis,
                                        const std::function<std::string(double)>& length);

}  // namespace coterie::sim
