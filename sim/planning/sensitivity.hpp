#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/planning/planner.hpp"
#include "traces/durations.hpp"

namespace coterie::sim {

/// The trace that a question's risk was made of, and how: enough to make it again of other durations.
struct TraceBasis {
  traces::Durations durations;                          ///< in the unit of the question
  bool kaplan_meier = true;                             ///< or the paper's: every end of a spell an interruption
  double age = 0;                                       ///< of the workers, in the unit of the question
  bool stationary = false;                              ///< met at a random moment of their lives, in place of `age`
  traces::OpenTail tail = traces::OpenTail::kImmortal;  ///< where the question does not ask for both

  /// Throws InputError where no interruption at that age is known.
  RiskPtr risk(const traces::Durations& of, traces::OpenTail completion = traces::OpenTail::kImmortal) const;
};

/// How sure a trace makes us: what the schedules would expect, had we seen other spells of the same machines.
struct Confidence {
  std::size_t resamples = 0;
  std::size_t without_answer = 0;  ///< resamples that say nothing of that age
  Summary expected_work;           ///< of the chosen schedule, one value a resample
  double low = 0, high = 0;        ///< 2.5 % of it, of the lower answer to what is open, 97.5 % of the higher
  std::map<std::string, double> better_than;     ///< by strategy: the share of resamples in which the choice is better
  std::map<std::string, double> better_if_gone;  ///< the same where all who are open leave; none where nothing is open
};

/// Durations drawn from the trace with replacement, as many as there are; schedules stay as they are. [Efron 1979]
Confidence bootstrap(const PlanAnswer& answer, const TraceBasis& basis, std::size_t resamples);

/// Things that may turn out otherwise than planned.
struct Circumstance {
  std::string name;
  std::vector<double> expected_work;  ///< by option of the answer
  std::string kind;                   ///< one word for programs
  std::optional<double> value = {};   ///< what it is a matter of: the share that is absent, how much sooner, the age
};

/// The same schedules where fewer machines come, where machines are interrupted sooner or later than thought, and where
/// they have been up for long already. `length` shows a length in the unit of the question.
std::vector<Circumstance> circumstances(const PlanAnswer& answer, const std::optional<TraceBasis>& basis,
                                        const std::function<std::string(double)>& length);

}  // namespace coterie::sim
