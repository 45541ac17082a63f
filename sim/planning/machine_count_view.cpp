#include "sim/planning/machine_count_view.hpp"

#include <fmt/format.h>

#include "sim/planning/listening_view.hpp"

namespace coterie::sim {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string try_text(const CountTry& one) {
  return fmt::format("{} ({} to {}, 19 times out of 20)", share_text(one.in_time.share), share_text(one.in_time.low),
                     share_text(one.in_time.high));
}

/// Of the numbers that were looked at, the one that keeps the deadline most often.
const CountTry& most_often(const CountResult& result) {
  return *std::max_element(result.tried.begin(), result.tried.end(),
                           [](const CountTry& a, const CountTry& b) { return a.in_time.share < b.in_time.share; });
}

std::string result_text(const std::string& how, const CountResult& result, double confidence) {
  if (!result.found) {
    const CountTry& most = most_often(result);
    return paragraph(fmt::format("{}: no number that was tried is enough; most often {} {}, with {} in {}.", how,
                                 most.workers, most.workers == 1 ? "is" : "are", most.strategy, try_text(most)));
  }
  std::string text =
      fmt::format("{}: {}, with {} in {}", how, result.found->workers, result.found->strategy, try_text(*result.found));
  if (result.one_less) {
    const bool missed = verdict_of(result.one_less->in_time, confidence) == Verdict::kMissed;
    text += fmt::format("; {} {} {}: {}", result.one_less->workers, result.one_less->workers == 1 ? "is" : "are",
                        missed ? "not enough" : "too close to tell", try_text(*result.one_less));
  }
  return paragraph(text + ".");
}

std::string tried_text(const CountResult& result) {
  std::string text;
  for (const CountTry& one : result.tried) text += (text.empty() ? "" : ", ") + std::to_string(one.workers);
  return text;
}

OrderedJson try_json(const PlanView& view, const std::optional<CountTry>& one) {
  if (!one) return nullptr;
  return {{"workers", one->workers},
          {"strategy", one->strategy},
          {"in_time", one->in_time.share},
          {"in_time_interval", {one->in_time.low, one->in_time.high}},
          {"policy", policy_json(view, one->goes_by)}};
}

OrderedJson result_json(const PlanView& view, const CountResult& result) {
  OrderedJson tried = OrderedJson::array();
  for (const CountTry& one : result.tried) tried.push_back(try_json(view, one));
  return {{"found", try_json(view, result.found)}, {"one_less", try_json(view, result.one_less)}, {"tried", tried}};
}

}  // namespace

std::string machine_count_text(const PlanView& view) {
  if (!view.count) return "";
  const CountAnswer& count = *view.count;
  const ListeningQuestion& asked = view.listening_question;
  std::string text = fmt::format("How many machines have all done by {} in at least {} of the runs?\n",
                                 view.alone(*asked.deadline), asked_share_text(asked.confidence));
  if (count.least > count.most)
    return text +
           paragraph(fmt::format("None of up to {}: even if none leaves, these have not the time.", count.most)) + '\n';
  text += result_text("Hearing nothing", count.fixed, asked.confidence);
  text += result_text(asked.latency > 0 ? fmt::format("Hearing what happened after {}", view.alone(asked.latency))
                                        : "Hearing at once what happened",
                      count.listening, asked.confidence);
  return text +
         paragraph(fmt::format(
             "Tried: {} (nothing heard); {} (heard). What is found was confirmed on {} fresh runs. Numbers "
             "below it that were not tried would be enough only if fewer machines could do better.{}",
             tried_text(count.fixed), tried_text(count.listening), view.count_runs,
             view.answer.question.if_gone ? " Whether those whose end is open leave or not: the worse case counts."
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
