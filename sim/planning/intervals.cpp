#include "sim/planning/intervals.hpp"

#include "heuristics/chunks/checkpoint_intervals.hpp"

namespace coterie::sim {

std::optional<Intervals> other_intervals(const PlanQuestion& question) {
  const RiskPtr& risk = question.lives.risks.front();
  if (question.workers != 1 || question.background || !(question.startup_cost > 0)) return std::nullopt;
  const auto mean = heuristics::mean_life(*risk);
  if (!mean) return std::nullopt;
  Intervals found{*mean, {}};
  const auto add = [&](const char* rule, double length) {
    const auto schedule = heuristics::schedule_by_interval(1, length, question.startup_cost);
    found.rules.push_back({rule, length, {}});
    if (schedule) found.rules.back().expected_work = expected_work(*schedule, risk);
  };
  add("young", heuristics::young_interval(question.startup_cost, *mean));
  add("daly", heuristics::daly_interval(question.startup_cost, *mean));
  return found;
}

}  // namespace coterie::sim
