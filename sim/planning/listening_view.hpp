#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/planning/plan_view.hpp"

namespace coterie::sim {

/// "49.8 %"; "<0.1 %" and ">99.9 %" where rounding to one decimal would make it none or all.
std::string share_text(double share);
/// The same in a sentence: "more than 99.9 %".
std::string share_in_words(double share);
/// "49.8 % (95 % interval 47.1 % to 52.5 %)"
std::string estimate_text(const ShareEstimate& share);
/// "95 %" as the user asked for it, with all its digits.
std::string asked_share_text(double share);
/// What listening is worth, in plain words for 80 columns, or why that is not known.
std::string listening_text(const PlanView& view);
/// What was chosen for a policy, with times in seconds or in the user's bare numbers; null where nothing was.
nlohmann::ordered_json policy_json(const PlanView& view, const heuristics::PolicyPlan& goes_by);
/// What listening is worth, with all times in seconds or in the user's bare numbers; null where it was not examined.
nlohmann::ordered_json listening_json(const PlanView& view);

}  // namespace coterie::sim
