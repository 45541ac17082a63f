#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/length.hpp"
#include "core/zones.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::sim {

/// A plan together with the problem that it is for.
struct ScheduleView {
  std::string strategy;
  heuristics::WorksharingProblem problem;
  heuristics::Plan plan;
  /// Exact as well, where the risk comes from a trace that does not tell how long some workers live: the expected work
  /// if all of these are interrupted at the last time seen (`plan`: never).
  std::optional<double> expected_work_if_gone = std::nullopt;
  /// Expected work that no static schedule on these workers can exceed; nothing if it is not to be shown.
  std::optional<double> ceiling = {};
  Zones zones = {};           ///< of the workers
  std::string remark = {};    ///< beside the title of a picture
  bool brought = false;       ///< the schedule is the user's own, with chunks of any size
  LengthFormat lengths = {};  ///< for times and work in a picture, where they are seconds; else bare numbers
};

/// What `coterie schedule --format json` prints: numbers count workers and chunks from 0, orders from 1.
nlohmann::ordered_json schedule_json(const ScheduleView& view);
/// One row per task: worker,order,chunk,begin,end,finish. A dispatcher can execute it.
std::string schedule_csv(const ScheduleView& view);
/// "1.7 %" for 0.016901: with that many digits, rounded up, and at least 0.001 %.
std::string percent_rounded_up(double share, int digits);
/// "no static schedule can expect more than SHOWN; this one is at most 1.7 % below that".
std::string ceiling_text(double expected, double ceiling, const std::string& shown);
/// For people: partition, execution charts as the paper prints them, expected work.
std::string schedule_text(const ScheduleView& view);
/// A Gantt chart, workers x time: replicas of a chunk in one colour, the risk as a shade behind.
std::string schedule_svg(const ScheduleView& view);

}  // namespace coterie::sim
