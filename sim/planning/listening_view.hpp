#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// "49.8 %"; "<0.1 %" and ">99.9 %" where one digit more or less would make it none or all.
std::string share_text(double share);
/// "95 %" of what somebody asked for, with all its digits.
std::string asked_share_text(double share);
/// What listening is worth, in plain words, for 80 columns, or why that is not known.
std::string listening_text(const PlanView& view);
/// What was chosen for a policy, with times in seconds or in the user's bare numbers; null: nothing was.
nlohmann::ordered_json policy_json(const PlanView& view, const heuristics::PolicyPlan& goes_by);
/// The same with all times in seconds, or in the user's bare numbers; null where it was not looked at.
nlohmann::ordered_json listening_json(const PlanView& view);

}  // namespace coterie::sim
