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

/// How many machines meet a deadline?
struct CountQuestion {
  std::function<PlanQuestion(std::size_t workers)> question;  ///< for this number of machines
  std::size_t least = 1;
  std::size_t most = 1;                                                ///< at least `least`
  ListeningQuestion listening;                                         ///< with its deadline
  std::function<void(std::size_t workers)> tell = [](std::size_t) {};  ///< called before each number that is tried
};

/// A number of machines, and the strategy that finishes in time most often with them; where it is open how long some
/// machines stay, in the worse case.
struct CountTry {
  std::size_t workers = 0;
  std::string strategy;
  ShareEstimate in_time;
  heuristics::PolicyPlan goes_by = {};  ///< parameters of a policy, chosen in planning runs
  bool keeps_lambda = true;             ///< as PlanOption and ListeningOption say
};

/// What was found for static schedules, or for strategies that listen.
struct CountResult {
  std::vector<CountTry> tried;       ///< in the order in which they were tried, on the same runs
  std::optional<CountTry> found;     ///< meets the deadline as often as asked, on fresh runs
  std::optional<CountTry> one_less;  ///< on the same fresh runs; nothing if below `least`
  std::optional<CountTry> nearest;   ///< if none was found: what came nearest, on fresh runs
};

struct CountAnswer {
  std::size_t least = 1;  ///< the smallest number asked about that has enough time if none leaves; may exceed `most`
  std::size_t most = 1;   ///< the largest number asked about
  CountResult fixed;      ///< static schedules
  CountResult listening;  ///< static schedules without completed chunks, and the policies help and central
};

/// The smallest number of machines that can do all of the work by the deadline if none leaves: each has at least one
/// start-up cost. Nothing if no number can.
std::optional<std::size_t> least_machines(double deadline, double startup_cost);

/// Tries numbers that grow by half until one is enough on some runs, then bisects the gap below it. If machines are
/// alike and not in zones, those of a smaller number live as long as the first ones of a larger number. The number
/// found is checked on fresh runs: if these do not confirm it, it is raised; while one machine less is enough on them,
/// it is lowered. Where none is enough on the first runs, fresh runs judge the one that came nearest, and larger ones.
/// More machines are not assumed to be always better: if they are not, numbers that were not tried may
/// be enough. Throws InputError as answer() and listen() do.
CountAnswer count_machines(const CountQuestion& question);

}  // namespace coterie::sim
