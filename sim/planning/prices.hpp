#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "sim/planning/listening.hpp"
#include "sim/planning/planner.hpp"

namespace coterie::sim {

/// Price of a machine for an hour, or for a unit of time if its length is not given; above 0.
struct Prices {
  double spot = 1;
  double on_demand = 1;
};

/// Which mixes of spot machines and machines on demand, which are never interrupted, are worth their price?
struct PriceQuestion {
  std::function<PlanQuestion(std::size_t workers)> question;  ///< for this number of spot machines
  std::size_t most = 1;                                       ///< machines in all
  Prices prices;
  ListeningQuestion listening;
  /// Runs after which options that are far behind are dropped. With more than 100 machines there are proportionally
  /// fewer, but at least 32.
  std::uint64_t first_look = 256;
  double far_behind = 0.05;  ///< that is, by this share of cost and of time
  /// Called before each mix that is tried, by any thread.
  std::function<void(const std::string& mix)> tell = [](const std::string&) {};
};

/// A mix with a way to hand out the work, and the outcome.
struct PricedMix {
  std::size_t spot = 0;
  std::size_t on_demand = 0;
  std::string strategy;
  bool listens = false;
  std::uint64_t instances = 0;  ///< runs; 0: there is no randomness
  /// Whether central's parameters were chosen in planning runs; if not, they are those of unplanned_central().
  bool planned = false;
  double cost = 0;                                ///< mean over all runs of the cost of computing
  double cost_error = 0;                          ///< its standard error
  double done_by = kInfinity;                     ///< when the required share of runs has all work done
  double completion = 0;                          ///< share of the runs in which all work is done
  heuristics::PolicyPlan goes_by = {};            ///< parameters of central
  std::shared_ptr<const Schedule> schedule = {};  ///< what each machine runs if it does not listen
  bool on_frontier = false;                       ///< no other is as cheap and sooner, or as soon and cheaper
};

struct PriceAnswer {
  Prices prices;
  std::vector<PricedMix> mixes;  ///< by cost
  std::uint64_t instances = 0;
};

/// The mixes (spot, on demand) that are tried: both numbers are 0, powers of 2 or `most`, and at most `most` in all; or
/// a power of 2 are on demand and the rest of `most` spot.
std::vector<std::pair<std::size_t, std::size_t>> priced_mixes(std::size_t most);

/// Machines on demand alone get equal parts. Other mixes run the static strategies no-replication, brute (if
/// none is on demand), cyclic-replication and greedy, planned for the mixture of both laws, and the policy central,
/// which listens. Each option first has `first_look` runs. Options that finish in nearly the required share of
/// these, and that no other option is ahead of in both cost and time, by `far_behind` and by twice the greatest gain
/// seen from planning, then have all runs, central with parameters chosen for the mix (in an eighth of the usual
/// planning runs if some machines are on demand); finally so does everything on the resulting frontier. Cost is in the
/// question's unit of time (all of the work on one machine) times the price. Throws InputError as answer() does.
PriceAnswer price_mixes(const PriceQuestion& question);

/// Marks the mixes that finish at all and that no other is at least as good as in both cost and time; of equals the
/// first.
void mark_frontier(std::vector<PricedMix>& mixes);

}  // namespace coterie::sim
