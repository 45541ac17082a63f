#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/planning/listening.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/share_estimate.hpp"

namespace coterie::sim {

/// How many machines keep a deadline?
struct CountQuestion {
  std::function<PlanQuestion(std::size_t workers)> question;  ///< the same for so many machines
  std::size_t least = 1;
  std::size_t most = 1;                                                ///< at least `least`
  ListeningQuestion listening;                                         ///< with its deadline
  std::function<void(std::size_t workers)> tell = [](std::size_t) {};  ///< before each number that is looked at
};

/// A number of machines, and the strategy that has all done in time most often with them; where it is open how long
/// some machines stay, in the worse case.
struct CountTry {
  std::size_t workers = 0;
  std::string strategy;
  ShareEstimate in_time;
  heuristics::PolicyPlan goes_by = {};  ///< what was chosen for a policy in planning runs
};

/// What was found for static schedules, or for what listens.
struct CountResult {
  std::vector<CountTry> tried;       ///< in their order, on the same runs
  std::optional<CountTry> found;     ///< on fresh runs the deadline is kept as often as is asked for
  std::optional<CountTry> one_less;  ///< on the same fresh runs; nothing where that would be below `least`
};

struct CountAnswer {
  std::size_t least = 1;  ///< fewer machines have not the time, even if none leaves; may be above `most`
  std::size_t most = 1;   ///< that were asked about
  CountResult fixed;      ///< static schedules
  CountResult listening;  ///< static schedules without what is complete, and the policies help and central
};

/// The smallest number of machines that all of the work needs by the deadline if none leaves: each needs one start-up
/// cost at least. Nothing where no number does.
std::optional<std::size_t> least_machines(double deadline, double startup_cost);

/// Looks at numbers that grow by half until one is enough on some runs, then halves the gap below it; where machines
/// are alike and not in zones, those of a smaller number live as long as the first of a greater one. What is found is
/// confirmed on fresh runs and, where these say no or do not tell, raised; as long as one machine less is enough on the
/// fresh runs, it is lowered. That more machines are never worse is not taken for granted; numbers that were not tried
/// may be enough where they are. Throws InputError as answer() and listen() do.
CountAnswer count_machines(const CountQuestion& question);

}  // namespace coterie::sim
