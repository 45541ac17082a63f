#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "sim/planning/listening.hpp"
#include "sim/planning/planner.hpp"

namespace coterie::sim {

/// Of an hour of a machine's computing, or of a unit of time where nobody says what that is; above 0.
struct Prices {
  double spot = 1;
  double on_demand = 1;
};

/// Which mixes of spot machines and of machines on demand, which are never interrupted, are worth their price?
struct PriceQuestion {
  std::function<PlanQuestion(std::size_t workers)> question;  ///< for so many spot machines
  std::size_t most = 1;                                       ///< machines in all
  Prices prices;
  ListeningQuestion listening;
  std::uint64_t first_look = 256;  ///< runs after which those that are far behind are left:
  double far_behind = 0.05;        ///< by this part of cost and of time
  /// Before each that is looked at, by any thread.
  std::function<void(const std::string& mix)> tell = [](const std::string&) {};
};

/// A mix and a way to hand out the work, and what comes of them.
struct PricedMix {
  std::size_t spot = 0;
  std::size_t on_demand = 0;
  std::string strategy;
  bool listens = false;
  std::uint64_t instances = 0;  ///< runs; 0: nothing is left to chance
  /// Whether central's parameters were chosen in planning runs; else they are those of unplanned_central().
  bool planned = false;
  double cost = 0;                                           ///< mean over all runs, of what the machines compute
  double cost_error = 0;                                     ///< its standard error
  double done_by = std::numeric_limits<double>::infinity();  ///< the time by which as many runs as asked have all done
  double completion = 0;                                     ///< share of the runs in which all is done
  heuristics::PolicyPlan goes_by = {};                       ///< what central goes by
  std::shared_ptr<const Schedule> schedule = {};             ///< what each machine runs where it does not listen
  bool on_frontier = false;  ///< no other is as cheap and sooner done, or as soon done and cheaper
};

struct PriceAnswer {
  Prices prices;
  std::vector<PricedMix> mixes;  ///< by cost
  std::uint64_t instances = 0;
};

/// The numbers of either kind that are tried: 0, powers of 2, and those that make `most`.
std::vector<std::pair<std::size_t, std::size_t>> priced_mixes(std::size_t most);

/// Machines on demand alone get equal parts. Other mixes run the static strategies no-replication, brute,
/// cyclic-replication and greedy, planned for the mixture of both laws, and what listens: the policy central. Each way
/// to hand out the work of a mix has `first_look` runs. Those that some other way is not ahead of in cost and time, by
/// `far_behind` and by twice what planning was seen to gain, have all runs, central with parameters chosen for the mix;
/// at last so has whatever is on the frontier of all that is told. Cost is in the unit of time of the question (all of
/// the work on one machine) times the price. Throws InputError as answer().
PriceAnswer price_mixes(const PriceQuestion& question);

/// Marks those that are done at all and that no other is better than in both cost and time; of equals the first.
void mark_frontier(std::vector<PricedMix>& mixes);

}  // namespace coterie::sim
