#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/length.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::sim {

/// A plan together with what it is a plan for.
struct ScheduleView {
  std::string strategy;
  heuristics::WorksharingProblem problem;
  heuristics::Plan plan;
  /// Exact as well, where the risk is that of a trace which does not tell how long some workers live (plan: for ever):
  /// all of these are interrupted at the last time seen.
  std::optional<double> expected_work_if_gone = std::nullopt;
  /// What no static schedule of the work on these workers can exceed; nothing where that is not to be shown.
  std::optional<double> ceiling = {};
  Zones zones = {};           ///< of the workers
  bool brought = false;       ///< the schedule is the user's, of chunks of any size
  LengthFormat lengths = {};  ///< of times and work in a picture, where they are seconds; else bare numbers
};

/// What `coterie schedule --format json` prints: numbers count workers and chunks from 0, orders from 1.
nlohmann::ordered_json schedule_json(const ScheduleView& view);
/// One row a task: worker,order,chunk,begin,end,finish. A dispatcher can execute it.
std::string schedule_csv(const ScheduleView& view);
/// "1.7 %" of 0.016901: so many digits, no less than the share, and 0.001 % at least.
std::string percent_rounded_up(double share, int digits);
/// "no static schedule can expect more than CEILING; this one is within 1.7 %", with the ceiling as it is shown.
std::string ceiling_text(double expected, double ceiling, const std::string& shown);
/// For people: partition, execution charts as the paper prints them, expected work.
std::string schedule_text(const ScheduleView& view);
/// A Gantt picture, workers x time: replicas of a chunk in one colour, the risk as a shade behind.
std::string schedule_svg(const ScheduleView& view);

}  // namespace coterie::sim
