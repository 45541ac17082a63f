#include "sim/planning/listening_view.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/length.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

std::string time_text(const PlanView& view, double time) { return std::isfinite(time) ? view.length(time) : "-"; }

std::string table(const PlanView& view, const std::vector<ListeningOption>& options) {
  constexpr const char* kRow = "{:24}{:>9}{:>9}{:>10}{:>10}{:>10}{:>8}\n";
  const bool has_deadline = view.listening->question.deadline.has_value();
  std::string text = fmt::format("{:24}{:>9}{:>9}{:>20}{:>18}\n", "", "", has_deadline ? "all done" : "", "all done in",
                                 "machine time");
  text += fmt::format(kRow, "Strategy", "expected", has_deadline ? "in time" : "all done", "50 % by", "90 % by", "used",
                      "wasted");
  for (const ListeningOption& option : options)
    text += fmt::format(kRow, option.name, view.length(option.completed),
                        percent_text(option.in_time.value_or(option.completion)), time_text(view, option.done.half),
                        time_text(view, option.done.nine_tenths), view.length(option.machine_time),
                        percent_text(option.machine_time > 0 ? option.wasted / option.machine_time : 0));
  return text;
}

/// What the best way does that the plan does not: more, or as much sooner, or with less.
std::string gain_text(const PlanView& view, const std::vector<ListeningOption>& options) {
  constexpr double kWorthTelling = 0.99;
  const ListeningOption& plan = options.front();
  const ListeningOption& best = most_done(options);
  const auto machine_time = [&](const ListeningOption& option) {
    return fmt::format("with {} of machine time\nin place of {}.\n", view.length(option.machine_time),
                       view.length(plan.machine_time));
  };
  if (best.completed > plan.completed * (1 + kNegligibleGain))
    return fmt::format("{} does {} of the work in place of {},\n{}", best.name, percent_text(best.completed),
                       percent_text(plan.completed), machine_time(best));
  const ListeningOption* soonest = &plan;
  for (const ListeningOption& option : options)
    if (option.completed * (1 + kNegligibleGain) >= best.completed && option.done.half < soonest->done.half)
      soonest = &option;
  if (soonest->done.half < kWorthTelling * plan.done.half)
    return fmt::format(
        "Nothing that listens does more, but {} has all done in half of\nthe runs by {} in place of {}, {}",
        soonest->name, view.length(soonest->done.half), view.length(plan.done.half), machine_time(*soonest));
  if (best.machine_time < kWorthTelling * plan.machine_time)
    return fmt::format("Nothing that listens does more, but {} does as much,\n{}", best.name, machine_time(best));
  return "Nothing that listens does more.\n";
}

Json time_json(const PlanView& view, double time) { return std::isfinite(time) ? Json(time * view.work) : Json(); }

Json options_json(const PlanView& view, const std::vector<ListeningOption>& options) {
  Json list = Json::array();
  for (const ListeningOption& option : options)
    list.push_back({{"strategy", option.name},
                    {"listens", option.listens},
                    {"completed", option.completed * view.work},
                    {"all_done", option.completion},
                    {"in_time", option.in_time ? Json(*option.in_time) : Json()},
                    {"done_by",
                     {{"q50", time_json(view, option.done.half)},
                      {"q90", time_json(view, option.done.nine_tenths)},
                      {"q95", time_json(view, option.done.nineteen_twentieths)}}},
                    {"machine_time", option.machine_time * view.work},
                    {"wasted", option.wasted * view.work}});
  return list;
}

}  // namespace

std::string listening_text(const PlanView& view) {
  if (!view.listening) return "";
  const ListeningAnswer& answer = *view.listening;
  const std::string known =
      answer.question.latency > 0 ? fmt::format("after {}", view.alone(answer.question.latency)) : "at once";
  std::string text = fmt::format(
      "\nAll this takes it that machines never come back, and that nothing is heard of\nthem. If it is known {} which "
      "chunks are complete and which machines\nare gone, work can be handed out by that ({} simulated runs",
      known, answer.question.instances);
  if (answer.question.deadline) text += fmt::format(";\nin time: by {}", view.alone(*answer.question.deadline));
  text += "):\n";
  if (answer.if_gone.empty()) return text + table(view, answer.options) + gain_text(view, answer.options);
  return text + "if those whose end is open never leave,\n" + table(view, answer.options) +
         gain_text(view, answer.options) + "if all of them leave,\n" + table(view, answer.if_gone) +
         gain_text(view, answer.if_gone);
}

nlohmann::ordered_json listening_json(const PlanView& view) {
  if (!view.listening) return nullptr;
  const ListeningAnswer& answer = *view.listening;
  Json json = {{"latency", answer.question.latency * view.work},
               {"deadline", answer.question.deadline ? Json(*answer.question.deadline * view.work) : Json()},
               {"instances", answer.question.instances},
               {"strategies", options_json(view, answer.options)},
               {"if_gone", nullptr}};
  if (!answer.if_gone.empty()) json["if_gone"] = options_json(view, answer.if_gone);
  return json;
}

}  // namespace coterie::sim
