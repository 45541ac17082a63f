#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/drawing/schedule_view.hpp"
#include "sim/planning/listening.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/sensitivity.hpp"

namespace coterie::sim {

/// An answer as it is shown, with all that was asked in the user's words.
struct PlanView {
  PlanAnswer answer;
  double work = 1;       ///< seconds, or bare numbers
  bool has_unit = true;  ///< whether they are seconds
  std::string machines;  ///< "machines that stay as long as those of lab.csv (1125 spells, median 19 min)"
  std::string background = "none";
  std::optional<Confidence> confidence;      ///< where the risk comes from a trace
  std::optional<ListeningAnswer> listening;  ///< nothing beside background jobs
  std::vector<Circumstance> circumstances;
  std::vector<std::string> warnings;
  std::string exported;  ///< file of the schedule, if it is written

  std::string length(double share) const;  ///< a length in the unit of the question, in the unit that suits the work
  std::string alone(double share) const;   ///< the same in the unit that suits itself
};

/// "4.67 %"
std::string percent_text(double share);
/// In plain words, for 80 columns.
std::string plan_text(const PlanView& view);
/// All lengths and amounts of work in seconds, or in the user's bare numbers.
nlohmann::ordered_json plan_json(const PlanView& view);
/// The chosen schedule in seconds (or bare numbers), for a dispatcher or a picture.
ScheduleView chosen_schedule(const PlanView& view);

}  // namespace coterie::sim
