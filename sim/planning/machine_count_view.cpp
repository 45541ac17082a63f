#include "sim/planning/machine_count_view.hpp"

#include <fmt/format.h>

#include "core/text.hpp"
#include "sim/planning/listening_view.hpp"

namespace coterie::sim {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string result_text(const std::string& how, const CountResult& result, double confidence) {
  if (!result.found) {
    const CountTry& most = *result.nearest;
    const bool open = verdict_of(most.in_time, confidence) == Verdict::kOpen;
    return paragraph(
        fmt::format("{}: {}; {} with {} {} nearest, with {}.{}", how,
                    open ? "these runs do not show that a number is enough" : "no number that was tried is enough",
                    counted(most.workers, "machine"), most.strategy, most.workers == 1 ? "comes" : "come",
                    estimate_text(most.in_time), open ? " Simulate more --instances." : ""));
  }
  const CountTry& found = *result.found;
  std::string text = fmt::format("{}: {} with {} {} in {}", how, counted(found.workers, "machine"), found.strategy,
                                 found.workers == 1 ? "succeeds" : "succeed", estimate_text(found.in_time));
  if (result.one_less) {
    const CountTry& less = *result.one_less;
    text += verdict_of(less.in_time, confidence) == Verdict::kMissed
                ? fmt::format("; with {} the best that was tried succeeds only in {}", less.workers,
                              estimate_text(less.in_time))
                : fmt::format("; with {} it is too close to tell: {}", less.workers, estimate_text(less.in_time));
  }
  if (!found.keeps_lambda) text += fmt::format("; {} does not keep to --lambda", found.strategy);
  return paragraph(text + ".");
}

std::string tried_text(const CountResult& result) {
  std::string text;
  for (const CountTry& one : result.tried) text += (text.empty() ? "" : ", ") + std::to_string(one.workers);
  return text;
}

OrderedJson try_json(const PlanView& view, const std::optional<CountTry>& one) {
  if (!one) return nullptr;
  return {{"workers", one->workers},           {"strategy", one->strategy},
          {"in_time", one->in_time.share},     {"in_time_interval", {one->in_time.low, one->in_time.high}},
          {"keeps_lambda", one->keeps_lambda}, {"policy", policy_json(view, one->goes_by)}};
}

OrderedJson result_json(const PlanView& view, const CountResult& result) {
  OrderedJson tried = OrderedJson::array();
  for (const CountTry& one : result.tried) tried.push_back(try_json(view, one));
  return {{"found", try_json(view, result.found)},
          {"one_less", try_json(view, result.one_less)},
          {"nearest", try_json(view, result.nearest)},
          {"tried", tried}};
}

}  // namespace

std::string machine_count_text(const PlanView& view) {
  if (!view.count) return "";
  const CountAnswer& count = *view.count;
  const ListeningQuestion& asked = view.listening_question;
  std::string text = fmt::format("How many machines finish all work by {} in at least {} of the runs?\n",
                                 view.alone(*asked.deadline), asked_share_text(asked.confidence));
  if (count.least > count.most)
    return text +
           paragraph(fmt::format("Up to {}, no number is enough: even if no machine leaves, there is too little time.",
                                 count.most)) +
           '\n';
  text += result_text("Without news", count.fixed, asked.confidence);
  text += result_text(
      asked.latency > 0 ? fmt::format("With news after {}", view.alone(asked.latency)) : "With news at once",
      count.listening, asked.confidence);
  const bool found = count.fixed.found || count.listening.found;
  return text +
         paragraph(fmt::format(
             "Tried first: {} (without news); {} (with news). {}{}", tried_text(count.fixed),
             tried_text(count.listening),
             found ? fmt::format("What was found was confirmed on {} fresh runs, where the best of several strategies "
                                 "may look slightly better than it is. Smaller numbers that were not tried, and "
                                 "smaller numbers with other chunks, are not ruled out.",
                                 view.count_runs)
                   : fmt::format("The plan below is for {}, the most that were asked about.",
                                 counted(count.most, "machine")),
             view.answer.question.if_gone ? " Where it is unknown whether machines leave, the worse case counts."
                                          : "")) +
         '\n';
}

nlohmann::ordered_json machine_count_json(const PlanView& view) {
  if (!view.count) return nullptr;
  return {{"least", view.count->least},
          {"most", view.count->most},
          {"static", result_json(view, view.count->fixed)},
          {"listening", result_json(view, view.count->listening)}};
}

}  // namespace coterie::sim
