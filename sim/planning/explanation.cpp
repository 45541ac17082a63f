#include "sim/planning/explanation.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/mixture_risk.hpp"
#include "sim/planning/intervals.hpp"
#include "sim/planning/sensitivity.hpp"
#include "sim/planning/short_chunks.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

Json or_null(const std::optional<double>& value, double unit) { return value ? Json(*value * unit) : Json(); }

Lives lives_of(const Situation& situation, std::size_t machines, traces::OpenTail tail) {
  Lives lives;
  const Fleet fleet = fleet_of(situation, std::vector{machines}, {.tail = tail});
  std::vector<double> shares;
  for (const FleetGroup& group : fleet.groups) {
    shares.push_back(static_cast<double>(group.count));
    lives.risks.insert(lives.risks.end(), group.count, group.first ? group.first : group.life);
  }
  lives.planned = lives.risks.front();
  if (fleet.groups.size() == 1) {
    lives.risks = {lives.planned};
    return lives;
  }
  std::vector<RiskPtr> laws;
  for (const FleetGroup& group : fleet.groups) laws.push_back(group.life);
  lives.planned = std::make_shared<MixtureRisk>(laws, shares, "mix");
  return lives;
}

Json outcome_json(const PlanOutcome& outcome, double work) {
  const Summary& simulated = outcome.simulated;
  return {{"expected_work", outcome.expected_work * work},
          {"mean", simulated.mean * work},
          {"standard_error", simulated.standard_error * work},
          {"q05", simulated.quantiles[0] * work},
          {"q50", simulated.quantiles[2] * work},
          {"q95", simulated.quantiles[4] * work},
          {"all_done", outcome.completion}};
}

Json strategies_json(const PlanAnswer& answer, double work) {
  Json all = Json::array();
  for (const PlanOption& option : answer.options) {
    const Schedule& schedule = *option.plan.schedule;
    const Copies copies = copies_of(schedule);
    Json one = {{"strategy", option.strategy},
                {"chunks", option.plan.chunks},
                {"chunk_size", option.plan.chunk_size * work},
                {"coteries", option.plan.coteries.size()},
                {"copies", {{"least", copies.least}, {"mean", copies.mean}, {"most", copies.most}}},
                {"deployed_work", schedule.deployed_work() * work},
                {"last_finish", last_finish(schedule) * work}};
    one.update(outcome_json(option, work));
    one["if_gone"] = option.if_gone ? outcome_json(*option.if_gone, work) : Json();
    all.push_back(std::move(one));
  }
  return all;
}

Json intervals_json(const PlanQuestion& question, double work) {
  const auto found = other_intervals(question);
  if (!found) return nullptr;
  Json json = {{"mean_life", found->mean * work}};
  for (const Interval& one : found->rules)
    json[one.rule] = {{"interval", one.length * work}, {"expected_work", or_null(one.expected_work, work)}};
  return json;
}

Json confidence_json(const PlanAnswer& answer, const TraceBasis& basis, std::size_t resamples, double work) {
  if (resamples == 0 || basis.durations.size() < 2) return nullptr;  // resamples of one spell are that spell
  const Confidence sure = bootstrap(answer, basis, resamples);
  Json json = {
      {"resamples", sure.resamples}, {"without_answer", sure.without_answer}, {"interruptions", sure.interruptions}};
  if (sure.resamples == 0) return json;
  json["expected_work_low"] = sure.is_interval() ? Json(sure.low * work) : Json();
  json["expected_work_high"] = sure.is_interval() ? Json(sure.high * work) : Json();
  json["better_than"] = sure.better_than;
  json["better_than_if_gone"] = sure.better_if_gone.empty() ? Json() : Json(sure.better_if_gone);
  return json;
}

Json what_if_json(const PlanAnswer& answer, const std::optional<TraceBasis>& basis, const Situation& situation) {
  Json all = Json::array();
  for (const Circumstance& one : circumstances(answer, basis, [&](double share) { return situation.length(share); })) {
    Json expected;
    for (std::size_t s = 0; s < one.expected_work.size(); ++s)
      expected[answer.options[s].strategy] = one.expected_work[s] * situation.work;
    Json value;
    if (one.value) value = one.kind == "up-longer" ? *one.value * situation.work : *one.value;
    all.push_back({{"circumstance", one.name}, {"kind", one.kind}, {"value", value}, {"expected_work", expected}});
  }
  return all;
}

}  // namespace

PlanQuestion static_question(const Situation& situation, std::size_t machines) {
  PlanQuestion question;
  question.workers = machines;
  question.startup_cost = situation.checkpoint;
  question.zones = situation.machines.front().zones;
  question.background = situation.background;
  question.seed = situation.question.seed;
  question.instances = situation.question.runs.value_or(question.instances);
  const bool open = situation.is_open();
  question.lives = lives_of(situation, machines, open ? traces::OpenTail::kImmortal : traces::OpenTail::kGone);
  if (open) question.if_gone = lives_of(situation, machines, traces::OpenTail::kGone);
  return question;
}

Json explanation_json(const Situation& situation, std::size_t machines) {
  if (!situation.is_static())
    return {{"why_not",
             "what is exact is known for fixed lists on machines of one kind and speed 1 that are never replaced, with "
             "work that can be cut anywhere; all numbers of this answer are simulated"}};
  const double work = situation.work;
  const PlanQuestion question = static_question(situation, machines);
  const PlanAnswer found = answer(question);
  std::optional<TraceBasis> basis;
  if (situation.question.machines.front().trace) basis = situation.machines.front().basis;
  Json json = {{"why_not", nullptr}, {"chosen", found.choice().strategy}, {"open", nullptr}};
  if (const auto open = open_tail(question))
    json["open"] = {{"share", open->share},
                    {"last_seen", std::isfinite(open->last_seen) ? Json(open->last_seen * work) : Json()}};
  json["strategies"] = strategies_json(found, work);
  json["static_ceiling"] = or_null(found.static_ceiling, work);
  json["static_ceiling_if_gone"] = or_null(found.static_ceiling_if_gone, work);
  json["other_intervals"] = intervals_json(question, work);
  json["confidence"] = basis ? confidence_json(found, *basis, situation.question.resamples, work) : Json();
  json["what_if"] = what_if_json(found, basis, situation);
  return json;
}

}  // namespace coterie::sim
