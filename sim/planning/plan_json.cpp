#include "sim/planning/plan_json.hpp"

#include <cmath>

#include "sim/planning/intervals.hpp"
#include "sim/planning/listening_view.hpp"
#include "sim/planning/machine_count_view.hpp"
#include "sim/planning/prices_view.hpp"

namespace coterie::sim {
namespace {

nlohmann::ordered_json intervals_json(const PlanView& view) {
  const auto found = other_intervals(view.answer.question);
  if (!found || !view.coming_back.empty()) return nullptr;
  nlohmann::ordered_json json = {{"mean_life", found->mean * view.work}};
  for (const Interval& one : found->rules) {
    json[one.rule] = {{"interval", one.length * view.work}, {"expected_work", nullptr}};
    if (one.expected_work) json[one.rule]["expected_work"] = *one.expected_work * view.work;
  }
  return json;
}

nlohmann::ordered_json simulated_json(const PlanView& view, const PlanOutcome& outcome) {
  const Summary& simulated = outcome.simulated;
  return {{"mean", simulated.mean * view.work},        {"standard_error", simulated.standard_error * view.work},
          {"q05", simulated.quantiles[0] * view.work}, {"q50", simulated.quantiles[2] * view.work},
          {"q95", simulated.quantiles[4] * view.work}, {"all_done", outcome.completion}};
}

nlohmann::ordered_json option_json(const PlanView& view, const PlanOption& option) {
  const Schedule& schedule = *option.plan.schedule;
  const Copies copies = copies_of(schedule);
  nlohmann::ordered_json json = {{"strategy", option.strategy},
                                 {"coteries", option.plan.coteries.size()},
                                 {"chunks", option.plan.chunks},
                                 {"chunk_size", option.plan.chunk_size * view.work},
                                 {"copies", {{"least", copies.least}, {"mean", copies.mean}, {"most", copies.most}}},
                                 {"deployed_work", schedule.deployed_work() * view.work},
                                 {"last_finish_without_jobs", last_finish(schedule) * view.work},
                                 {"expected_work", option.expected_work * view.work},
                                 {"simulated", simulated_json(view, option)},
                                 {"assured", option.assured},
                                 {"keeps_lambda", option.keeps_lambda},
                                 {"if_gone", nullptr},
                                 {"with_returns", nullptr}};
  if (const ListeningOption* returns = view.with_returns(option))
    json["with_returns"] = {{"completed", returns->completed * view.work}, {"all_done", returns->completion}};
  if (option.if_gone)
    json["if_gone"] = {{"expected_work", option.if_gone->expected_work * view.work},
                       {"simulated", simulated_json(view, *option.if_gone)}};
  return json;
}

nlohmann::ordered_json open_json(const PlanView& view) {
  const auto open = open_tail(view.answer.question);
  if (!open) return nullptr;
  nlohmann::ordered_json json = {{"share", open->share}, {"last_seen", nullptr}};
  if (std::isfinite(open->last_seen)) json["last_seen"] = open->last_seen * view.work;
  return json;
}

nlohmann::ordered_json confidence_json(const PlanView& view) {
  if (!view.confidence) return nullptr;
  const Confidence& sure = *view.confidence;
  nlohmann::ordered_json json = {
      {"resamples", sure.resamples}, {"without_answer", sure.without_answer}, {"interruptions", sure.interruptions}};
  if (sure.resamples == 0) return json;
  json["expected_work_low"] = json["expected_work_high"] = nullptr;
  if (sure.is_interval()) {
    json["expected_work_low"] = sure.low * view.work;
    json["expected_work_high"] = sure.high * view.work;
  }
  json["better_than"] = sure.better_than;
  json["better_than_if_gone"] = nullptr;
  if (!sure.better_if_gone.empty()) json["better_than_if_gone"] = sure.better_if_gone;
  return json;
}

/// Shares and factors as they are, ages as lengths.
nlohmann::ordered_json value_json(const PlanView& view, const Circumstance& one) {
  if (!one.value) return nullptr;
  return one.kind == "up-longer" ? *one.value * view.work : *one.value;
}

}  // namespace

nlohmann::ordered_json plan_json(const PlanView& view) {
  const PlanQuestion& question = view.answer.question;
  nlohmann::ordered_json json;
  json["unit"] = view.has_unit ? nlohmann::ordered_json("s") : nlohmann::ordered_json();
  json["question"] = {
      {"workers", question.workers},     {"work", view.work},         {"checkpoint", question.startup_cost * view.work},
      {"machines", view.machine_facts},  {"background", view.jobs},   {"zones", question.zones.count},
      {"common", question.zones.common}, {"lambda", question.lambda}, {"seed", question.seed},
      {"instances", question.instances}};
  const double horizon = view.listening_question.horizon * view.work;
  json["assumed"] = {{"machines_return", view.availability != "once"},
                     {"availability", view.availability},
                     {"horizon", std::isfinite(horizon) ? nlohmann::ordered_json(horizon) : nlohmann::ordered_json()},
                     {"machines_leave_independently",
                      !question.zones.bind(question.workers) && !view.availability.starts_with("replay")}};
  json["open"] = open_json(view);
  json["answer"] = option_json(view, view.answer.choice());
  const auto ceiling_json = [&](std::optional<double> share) {
    return share ? nlohmann::ordered_json(*share * view.work) : nlohmann::ordered_json();
  };
  json["static_ceiling"] = ceiling_json(view.answer.static_ceiling);
  json["static_ceiling_if_gone"] = ceiling_json(view.answer.static_ceiling_if_gone);
  json["alternatives"] = nlohmann::ordered_json::array();
  for (const PlanOption& option : view.answer.options)
    if (&option != &view.answer.choice()) json["alternatives"].push_back(option_json(view, option));
  json["other_intervals"] = intervals_json(view);
  json["machine_count"] = machine_count_json(view);
  json["listening"] = listening_json(view);
  const std::string missing = no_listening(view.answer);
  json["listening_missing"] = missing.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(missing);
  json["prices"] = prices_json(view);
  json["confidence"] = confidence_json(view);
  json["what_if"] = nlohmann::ordered_json::array();
  for (const Circumstance& one : view.circumstances) {
    nlohmann::ordered_json expected;
    for (std::size_t s = 0; s < one.expected_work.size(); ++s)
      expected[view.answer.options[s].strategy] = one.expected_work[s] * view.work;
    json["what_if"].push_back({{"circumstance", one.name},
                               {"kind", one.kind},
                               {"value", value_json(view, one)},
                               {"expected_work", expected}});
  }
  json["warnings"] = view.warnings;
  for (const std::string& doubt : view.doubts) json["warnings"].push_back(doubt);
  return json;
}

}  // namespace coterie::sim
