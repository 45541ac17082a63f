#include "sim/fleet/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

void require_fleet(bool holds, const std::string& name, double value, const std::string& right) {
  if (!holds) throw InputError(fmt::format("{} = {}: give {}", name, to_text(value), right));
}

void require_time(double value, const std::string& name) {
  require_fleet(value >= 0 && std::isfinite(value), name, value, "a time of 0 or more");
}

void require_some_time(double value, const std::string& name) {
  require_fleet(value > 0, name, value, "a time above 0");
}

RiskPtr in_unit_of(const RiskPtr& risk, double unit) { return risk && unit != 1 ? risk->in_unit(unit) : risk; }

}  // namespace

void Fleet::validate() const {
  require_fleet(work > 0 && std::isfinite(work), "work", work, "a time above 0");
  require_time(task, "task");
  require_time(checkpoint, "checkpoint");
  require_time(warning, "warning");
  require_fleet(latency >= 0, "latency", latency, "a time of 0 or more, or infinity");
  require_fleet(notice >= 0, "notice", notice, "a time of 0 or more, or infinity");
  require_some_time(deadline, "deadline");
  require_some_time(horizon, "horizon");
  if (tries > 0 && task == 0) throw InputError("tries needs a task: only whole tasks are tried again");
  std::size_t workers = 0;
  for (const FleetGroup& group : groups) {
    const auto named = [&](const char* key) { return fmt::format("{}: {}", group.name, key); };
    require_fleet(group.speed > 0 && std::isfinite(group.speed), named("speed"), group.speed, "a number above 0");
    require_time(group.restart, named("restart"));
    require_time(group.price, named("price"));
    require_time(group.billed, named("billed"));
    require_fleet(group.zones.count >= 1, named("zones"), static_cast<double>(group.zones.count), "1 or more");
    require_fleet(group.zones.common >= 0 && group.zones.common <= 1, named("common"), group.zones.common,
                  "a number from 0 to 1");
    if (!group.fallback) workers += group.count;
    if (group.fallback && tries == 0)
      throw InputError(fmt::format("{}: a fallback group gets tasks only by tries; give tries", group.name));
  }
  if (replay && machines() > replay->machines())
    throw InputError(fmt::format("a recording of {} machines cannot be lived by {}", replay->machines(), machines()));
  if (workers == 0) throw InputError("no machines: give at least one that is not a fallback");
}

std::size_t Fleet::machines() const {
  std::size_t count = 0;
  for (const FleetGroup& group : groups) count += group.count;
  return count;
}

double Fleet::end() const { return replay ? std::min(horizon, replay->window()) : horizon; }

bool Fleet::is_endless() const {
  return std::isinf(end()) && std::any_of(groups.begin(), groups.end(), [](const auto& group) { return !!group.down; });
}

Fleet Fleet::in_unit(double unit) const {
  Fleet scaled = *this;
  if (replay) scaled.replay = replay->in_unit(unit);
  for (double* time : {&scaled.work, &scaled.task, &scaled.checkpoint, &scaled.latency, &scaled.notice, &scaled.warning,
                       &scaled.deadline, &scaled.horizon})
    *time /= unit;
  for (FleetGroup& group : scaled.groups) {
    for (RiskPtr* risk : {&group.life, &group.first, &group.down}) *risk = in_unit_of(*risk, unit);
    group.restart /= unit;
    group.billed /= unit;
    group.price *= unit;
  }
  return scaled;
}

RiskPtr never_interrupted() {
  // No workload lasts until kEnd. The law has an end for code that looks for one, near enough that a start-up cost
  // still makes a difference in what is expected until then.
  constexpr double kEnd = 1e6;
  constexpr double kEndWeight = 1e-100;
  static const RiskPtr risk = std::make_shared<EmpiricalRisk>(StepLaw{{kEnd}, {kEndWeight}}, "never interrupted");
  return risk;
}

std::shared_ptr<const heuristics::Crew> crew_of(const Fleet& fleet) {
  auto crew = std::make_shared<heuristics::Crew>();
  crew->startup_cost = fleet.checkpoint;
  crew->task = fleet.task;
  crew->tries = fleet.tries;
  crew->warning = fleet.warning;
  const auto law = [&](const RiskPtr& risk) {
    crew->laws.push_back(risk ? risk : never_interrupted());
    return crew->laws.size() - 1;
  };
  for (const FleetGroup& group : fleet.groups) {
    const std::size_t later = law(group.life);
    crew->groups.push_back({.speed = group.speed,
                            .restart = group.restart,
                            .billed = group.billed,
                            .fallback = group.fallback,
                            .first_law = group.first ? law(group.first) : later,
                            .later_law = later});
  }
  for (const bool fallback : {false, true})
    for (std::uint32_t g = 0; g < fleet.groups.size(); ++g)
      if (fleet.groups[g].fallback == fallback) crew->group_of.insert(crew->group_of.end(), fleet.groups[g].count, g);
  return crew;
}

}  // namespace coterie::sim
