#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/planning/planner.hpp"

namespace coterie::sim {

/// What is asked of work that is handed out by what is heard; in units of the work.
struct ListeningQuestion {
  double latency = 0;              ///< a completed chunk, and an interruption, are known that much later
  std::optional<double> deadline;  ///< when all should be done
  std::uint64_t instances = 1000;  ///< simulated, the same for all ways
};

/// Until when a share of the runs has everything done; infinite where fewer ever do.
struct DoneTimes {
  double half = std::numeric_limits<double>::infinity();
  double nine_tenths = half;
  double nineteen_twentieths = half;
};

/// One way to hand out the work, and what comes of it.
struct ListeningOption {
  std::string name;
  bool listens = true;
  double completed = 0;             ///< of the work, on average
  double completion = 0;            ///< share of the runs in which everything is done
  std::optional<double> in_time{};  ///< share of the runs in which it is done by the deadline
  DoneTimes done = {};
  double machine_time = 0;  ///< that machines computed, start-up costs included, on average
  double wasted = 0;        ///< of these, what was lost, dropped or complete before
};

/// What listening is worth.
struct ListeningAnswer {
  ListeningQuestion question;
  std::vector<ListeningOption> options;  ///< the chosen plan as it is, then what listens
  std::vector<ListeningOption> if_gone;  ///< the same where PlanQuestion has that, else none
};

/// The chosen plan as it is; the same without what is known to be complete; and the policies central and adaptive,
/// planned for how long machines stay. Throws InputError beside background jobs.
ListeningAnswer listen(const PlanAnswer& answer, const ListeningQuestion& question);

/// The one that does most; of those that do about as much (kNegligibleGain) the one that computes least.
const ListeningOption& most_done(const std::vector<ListeningOption>& options);

/// Of times of which some may be infinite; not empty.
DoneTimes done_times(std::vector<double> makespans);

}  // namespace coterie::sim
