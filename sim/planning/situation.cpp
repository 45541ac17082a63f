#include "sim/planning/situation.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "sim/planning/planner.hpp"
#include "traces/resampler.hpp"

namespace coterie::sim {
namespace {

/// The workers of an expression's risk, by group of equal ones.
std::vector<std::pair<RiskPtr, std::size_t>> by_law(const UserRisk& risk, std::size_t count, std::uint64_t seed) {
  if (risk.alike()) return {{risk.planned(), count}};
  std::vector<std::pair<RiskPtr, std::size_t>> laws;
  for (const RiskPtr& one : risk.of_workers(count, StreamKey::derive(seed, plan_identity(), Use::kAge))) {
    const auto known = std::find_if(laws.begin(), laws.end(), [&](const auto& law) { return law.first == one; });
    if (known == laws.end())
      laws.emplace_back(one, 1);
    else
      ++known->second;
  }
  return laws;
}

}  // namespace

bool Situation::is_deaf() const {
  return std::isinf(latency) || question.form == PlanForm::kLists || background != nullptr;
}

bool Situation::is_open() const {
  return !replay && std::any_of(machines.begin(), machines.end(), [](const GroupLaws& one) { return one.open; });
}

bool Situation::is_static() const {
  const MachineGroup& group = question.machines.front();
  return machines.size() == 1 && !replay && machines.front().down == nullptr && task == 0 && restart == 0 &&
         warning == 0 && group.speed == 1 && (machines.front().basis || machines.front().risk) && checkpoint > 0;
}

bool Situation::finds_count() const {
  return std::any_of(question.machines.begin(), question.machines.end(),
                     [](const MachineGroup& group) { return group.count.is_open(); });
}

std::string Situation::length(double share) const {
  return has_unit ? length_text(share * work) : LengthFormat()(share * work);
}

Fleet fleet_of(const Situation& situation, std::span<const std::size_t> counts, const LivesAsked& lives) {
  constexpr double kHour = 3600;
  Fleet fleet;
  fleet.work = 1;
  fleet.task = situation.task;
  fleet.checkpoint = situation.checkpoint;
  fleet.tries = situation.question.tries;
  fleet.latency = situation.latency;
  fleet.notice = situation.notice;
  fleet.warning = situation.warning;
  fleet.deadline = situation.deadline;
  fleet.replay = situation.replay;
  double speed = 0;
  bool replaced = false;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    if (counts[g] == 0) continue;
    const MachineGroup& asked = situation.question.machines[g];
    const GroupLaws& machines = situation.machines[g];
    FleetGroup group;
    group.name = asked.name;
    group.count = counts[g];
    group.down = machines.down;
    group.speed = asked.speed;
    group.restart = situation.restart;
    group.price = asked.price * situation.work / (situation.has_unit ? kHour : 1);
    group.billed = asked.billed / situation.work;
    group.zones = machines.zones;
    group.fallback = asked.fallback;
    speed += asked.speed * static_cast<double>(counts[g]);
    replaced = replaced || group.down;
    if (machines.basis) {
      const TraceBasis& basis = *machines.basis;
      const traces::OpenTail tail = machines.open ? lives.tail : basis.tail;
      std::vector<traces::SpellCount> of = basis.durations.counts();
      if (lives.resample != nullptr) {
        Stream stream = *lives.resample;
        of = traces::Resampler(std::move(of)).draw(stream);
      }
      group.life = basis.new_risk(of, tail);
      if (!machines.is_new) group.first = basis.risk(of, tail);
      if (lives.smooth && machines.interruptions < kFewInterruptions) {
        group.life = smoothed(group.life);
        if (group.first) group.first = smoothed(group.first);
      }
    }
    if (!machines.risk) {
      fleet.groups.push_back(group);
      continue;
    }
    const auto gone = machines.open && lives.tail == traces::OpenTail::kGone ? machines.risk->if_gone() : machines.risk;
    for (const auto& [law, count] : by_law(*gone, counts[g], situation.question.seed)) {
      group.life = law->in_unit(machines.risk_unit);
      group.count = count;
      fleet.groups.push_back(group);
    }
  }
  // Machines that are replaced finish some day, unless no task can ever be completed.
  constexpr double kPatience = 200, kDeadlines = 4;
  if (std::isfinite(situation.horizon))
    fleet.horizon = situation.horizon;
  else if (replaced)
    fleet.horizon = std::isfinite(situation.deadline)
                        ? std::max(kDeadlines * situation.deadline, 20 / speed)
                        : kPatience * (1 / speed + situation.checkpoint + situation.task + situation.restart);
  return fleet;
}

nlohmann::ordered_json question_json(const Situation& situation) {
  using Json = nlohmann::ordered_json;
  const double work = situation.work;
  const auto finite = [&](double share) { return std::isfinite(share) ? Json(share * work) : Json(); };
  const Question& question = situation.question;
  Json json = {{"work", work},
               {"task", situation.task > 0 ? Json(situation.task * work) : Json()},
               {"checkpoint", situation.checkpoint * work},
               {"restart", situation.restart * work},
               {"tries", question.tries > 0 ? Json(question.tries) : Json()},
               {"start", question.start.empty() ? Json() : Json(question.start)},
               {"deadline", finite(situation.deadline)},
               {"confidence", question.confidence},
               {"machines", Json::array()},
               {"replay", nullptr},
               {"latency", finite(situation.latency)},
               {"notice", finite(situation.notice)},
               {"warning", situation.warning * work},
               {"policies", question.policies},
               {"background", nullptr},
               {"seed", question.seed}};
  for (std::size_t g = 0; g < question.machines.size(); ++g) {
    const MachineGroup& group = question.machines[g];
    const GroupLaws& machines = situation.machines[g];
    Json count = group.count.least;
    if (group.count.is_open())
      count = group.count.automatic ? Json("auto") : Json({group.count.least, group.count.most});
    Json one = {
        {"name", printable(group.name)},
        {"count", count},
        {"trace", group.trace ? Json(printable(group.trace->file)) : Json()},
        {"spells", group.trace ? Json(machines.basis->durations.size()) : Json()},
        {"risk", group.risk.empty() ? Json() : Json(printable(group.risk))},
        {"risk_unit", group.risk_unit ? Json(*group.risk_unit) : Json()},
        {"age", group.age == "stationary" ? Json(group.age) : Json(machines.basis ? machines.basis->age * work : 0.0)},
        {"tail", group.tail},
        {"replaced", printable(group.replaced)},
        {"speed", group.speed},
        {"price", group.price},
        {"billed", group.billed},
        {"zones", machines.zones.count},
        {"common", machines.zones.common},
        {"fallback", group.fallback}};
    json["machines"].push_back(std::move(one));
  }
  if (question.replay)
    json["replay"] = {{"trace", printable(question.replay->trace.file)}, {"window", finite(situation.horizon)}};
  if (question.jobs) json["background"] = {{"every", question.jobs->every.value}, {"last", question.jobs->last.value}};
  return json;
}

}  // namespace coterie::sim
