#include "sim/planning/listening_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/table.hpp"
#include "core/text.hpp"
#include "heuristics/dispatch/policies.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

/// A number of the table, in its unit.
std::string cell(const PlanView& view, double time) {
  if (!std::isfinite(time)) return "-";
  const std::string text = view.length(time);
  return text.substr(0, text.find(' '));
}

/// Of the lengths of the table; "" where they are bare numbers.
std::string unit_of(const PlanView& view) {
  const std::string text = view.length(1);
  return text.find(' ') == text.npos ? "" : text.substr(text.find(' ') + 1);
}

std::string table(const PlanView& view, const std::vector<ListeningOption>& options) {
  constexpr const char* kRow = "{:24}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}{:>8}\n";
  const ListeningQuestion& asked = view.listening->question;
  const std::string unit = unit_of(view);
  std::string text = fmt::format("{:24}{:>8}{:>8}{:>24}{:>16}\n", unit.empty() ? "" : "(times in " + unit + ")", "work",
                                 "all", "all done in", "machine time");
  text += fmt::format(kRow, "", asked.deadline ? "in time" : "done", asked.deadline ? "in time" : "done", "50 % by",
                      "90 % by", asked_share_text(asked.confidence) + " by", "used", "wasted");
  for (const ListeningOption& option : options)
    text += fmt::format(kRow, option.name, cell(view, option.counted()),
                        share_text(option.in_time ? option.in_time->share : option.completion),
                        cell(view, option.done.half), cell(view, option.done.nine_tenths),
                        cell(view, option.done.confident), cell(view, option.machine_time), cell(view, option.wasted));
  return text;
}

/// The chosen plan, and what listens.
std::vector<ListeningOption> compared(const std::vector<ListeningOption>& options) {
  std::vector<ListeningOption> kept = {options.front()};
  std::copy_if(options.begin() + 1, options.end(), std::back_inserter(kept),
               [](const auto& one) { return one.listens; });
  return kept;
}

/// The share of the runs in which all work is done; with a deadline, by then.
double all_done(const ListeningOption& option) { return option.in_time ? option.in_time->share : option.completion; }

const ListeningOption& most_of_all(const std::vector<ListeningOption>& options) {
  return *std::max_element(options.begin(), options.end(), [](const ListeningOption& a, const ListeningOption& b) {
    return a.counted() < b.counted();
  });
}

/// Whether all work is done in surely more of the runs.
bool is_done_more_often(const ListeningOption& option, const ListeningOption& than, std::uint64_t instances) {
  const auto runs = static_cast<double>(instances);
  return all_done(option) > all_done(than) + kNegligibleGain &&
         surely_more(all_done(option) * runs, all_done(than) * runs, runs);
}

/// What the best way gains over the plan: more work, or as much work sooner, in more of the runs or with less machine
/// time.
std::string gain_text(const PlanView& view, const std::vector<ListeningOption>& all) {
  constexpr double kWorthTelling = 0.99;
  const std::vector<ListeningOption> options = compared(all);
  const ListeningOption& plan = options.front();
  const ListeningOption& best = most_done(options);
  const auto machine_time = [&](const ListeningOption& option) {
    return fmt::format("using {} of machine time instead of {}.", view.length(option.machine_time),
                       view.length(plan.machine_time));
  };
  const char* const in_time = plan.in_time ? " in time" : "";
  std::vector<const ListeningOption*> asked = {&best, &most_of_all(options)};
  for (const ListeningOption& option : options) asked.push_back(&option);  // less may be gained more surely
  std::stable_sort(asked.begin() + 2, asked.end(), [](auto* a, auto* b) { return a->counted() > b->counted(); });
  bool seems_more = false;
  for (const ListeningOption* option : asked) {
    if (!(option->counted() > plan.counted() * (1 + kNegligibleGain))) continue;
    seems_more = true;
    if (option->counted() - plan.counted() > kSurely * option->gain_error)
      return fmt::format("Listening pays off: {} does {} of the work{} instead of {}, {}", option->name,
                         share_in_words(option->counted()), in_time, share_in_words(plan.counted()),
                         machine_time(*option));
  }
  const std::string gainer = fmt::format("strategy that listens {}does over {} more work{}",
                                         seems_more ? "surely " : "", percent_text(kNegligibleGain), in_time);
  const ListeningOption *soonest = &plan, *surest = &plan;
  for (const ListeningOption& option : options) {
    if (option.counted() * (1 + kNegligibleGain) < best.counted()) continue;
    if (option.done.half < soonest->done.half) soonest = &option;
    if (all_done(option) > all_done(*surest)) surest = &option;
  }
  if (soonest->done.half < kWorthTelling * plan.done.half)
    return fmt::format("No {}, but {} is done in half of the runs by {}{}, {}", gainer, soonest->name,
                       view.length(soonest->done.half),
                       std::isfinite(plan.done.half) ? " instead of " + view.length(plan.done.half)
                                                     : ", while " + plan.name + " never is",
                       machine_time(*soonest));
  if (is_done_more_often(*surest, plan, view.listening->question.instances))
    return fmt::format("No {}, but {} has all work done{} in {} of the runs instead of {}, {}", gainer, surest->name,
                       in_time, share_in_words(all_done(*surest)), share_in_words(all_done(plan)),
                       machine_time(*surest));
  if (best.machine_time < kWorthTelling * plan.machine_time)
    return fmt::format("No {}, but {} does about as much, {}", gainer, best.name, machine_time(best));
  return fmt::format("Listening hardly gains anything here: no {}.", gainer);
}

/// Of the options that surely meet the deadline often enough, the one that computes least; null: there is none.
const ListeningOption* cheapest_in_time(const std::vector<ListeningOption>& options, double confidence) {
  const ListeningOption* found = nullptr;
  for (const ListeningOption& option : options)
    if (verdict_of(*option.in_time, confidence) == Verdict::kMet &&
        (found == nullptr || option.machine_time < found->machine_time))
      found = &option;
  return found;
}

/// Whether all is done by the deadline often enough: judged on the runs on which schedules were chosen.
std::string verdict_text(const PlanView& view, const std::vector<ListeningOption>& options) {
  const ListeningQuestion& asked = view.listening->question;
  const char* const chosen =
      view.answer.question.strategy.empty()
          ? " Schedules were chosen on the same runs, on which the best of several may look slightly better than it is."
          : "";
  const auto shares = [](const ListeningOption& option) { return estimate_text(*option.in_time); };
  const std::string text = fmt::format("Is all work done by {} in at least {} of the runs? ",
                                       view.alone(*asked.deadline), asked_share_text(asked.confidence));
  if (const ListeningOption* kept = cheapest_in_time(options, asked.confidence))
    return text +
           fmt::format("Yes. Of those that manage it, {} uses the least machine time: it succeeds in {}.", kept->name,
                       shares(*kept)) +
           (kept->listens
                ? fmt::format(" Without news, {} succeeds in {}.", options.front().name, shares(options.front()))
                : "") +
           chosen;
  const ListeningOption& most = most_in_time(options);
  if (verdict_of(*most.in_time, asked.confidence) == Verdict::kOpen)
    return text +
           fmt::format("Too close to tell: {} succeeds in {}. Simulate more --instances.", most.name, shares(most)) +
           chosen;
  if (most.in_time->share <= 0) return text + "No: none of these succeeds in any run.";
  return text + fmt::format("No: {} succeeds most often, in {}.", most.name, shares(most)) + chosen;
}

/// Which of the options that listen do not keep to --lambda; where lives are left open, if none stays longer than seen.
std::string lambda_text(const PlanView& view) {
  const ListeningAnswer& heard = *view.listening;
  const std::vector<ListeningOption>& options = heard.if_gone.empty() ? heard.options : heard.if_gone;
  std::string names;
  std::size_t count = 0;
  for (const ListeningOption& option : options)
    if (option.listens && !option.keeps_lambda) names += (count++ == 0 ? "" : ", ") + option.name;
  if (count == 0) return "";
  return paragraph(fmt::format("{} {} not keep to --lambda {}{}.", names, count == 1 ? "does" : "do",
                               to_text(view.answer.question.lambda),
                               heard.if_gone.empty() ? "" : ", if none stays longer than was seen"));
}

/// What the rows of the table are.
std::string names_text(const PlanView& view) {
  const std::string plan = view.answer.choice().strategy;
  std::string text =
      fmt::format("(skip({0}): the lists of {0} without the chunks that are known to be complete.", plan);
  for (const std::string& name : view.listening->question.policies) {
    const auto& policy = find_row(heuristics::listening_strategies(), name, "policy");
    text += fmt::format(" {}: {}.", name, policy.summary);
  }
  return paragraph(text + " For the others see coterie list strategies.)");
}

std::string section(const PlanView& view, const std::vector<ListeningOption>& options) {
  std::string text = table(view, options) + paragraph(gain_text(view, options));
  return view.listening->question.deadline ? text + paragraph(verdict_text(view, options)) : text;
}

Json time_json(const PlanView& view, double time) { return std::isfinite(time) ? Json(time * view.work) : Json(); }

Json interval_json(const std::optional<ShareEstimate>& share) { return share ? Json{share->low, share->high} : Json(); }

/// Null where there is no deadline, and where the runs do not decide.
Json meets_json(const std::optional<ShareEstimate>& share, double confidence) {
  const Verdict verdict = share ? verdict_of(*share, confidence) : Verdict::kOpen;
  return verdict == Verdict::kOpen ? Json() : Json(verdict == Verdict::kMet);
}

}  // namespace

nlohmann::ordered_json policy_json(const PlanView& view, const heuristics::PolicyPlan& goes_by) {
  if (goes_by.empty()) return nullptr;
  Json json = {{"chosen", goes_by.chosen.empty() ? Json() : Json(goes_by.chosen)}};
  for (const auto& [name, value] : goes_by.parameters)
    json[name] = value * (name == "b" || name == "c" ? 1 : view.work);  // shares, lengths
  if (!goes_by.first_chunks.empty()) json["first_chunks"] = Json::array();
  for (const auto& of_worker : goes_by.first_chunks) json["first_chunks"].push_back((*of_worker)(0) * view.work);
  return json;
}

namespace {

/// After the decimal point of per cent: one, or two of what is missing to 0 or 100 %; none where nothing is.
std::optional<int> digits_of(double share) {
  const double missing = std::min(share, 1 - share);
  if (missing < 1e-9) return std::nullopt;
  return missing >= 0.001 ? 1 : static_cast<int>(std::ceil(-std::log10(missing))) - 1;
}

std::string fine_share_text(double share) {
  const std::optional<int> digits = digits_of(share);
  return digits ? fmt::format("{:.{}f} %", 100 * share, *digits) : share_text(share);
}

/// An end of an interval, rounded outwards, with as many digits.
std::string end_text(double share, bool up) {
  if (!digits_of(share)) return share_text(share);
  const int digits = *digits_of(share);
  const double unit = std::pow(10.0, digits + 2);
  const double rounded = (up ? std::ceil(share * unit - 1e-6) : std::floor(share * unit + 1e-6)) / unit;
  return fmt::format("{:.{}f} %", 100 * rounded, digits);
}

Json options_json(const PlanView& view, const std::vector<ListeningOption>& options) {
  Json list = Json::array();
  for (const ListeningOption& option : options)
    list.push_back(
        {{"strategy", option.name},
         {"listens", option.listens},
         {"completed", option.completed * view.work},
         {"completed_in_time", option.completed_in_time ? Json(*option.completed_in_time * view.work) : Json()},
         {"all_done", option.completion},
         {"in_time", option.in_time ? Json(option.in_time->share) : Json()},
         {"in_time_interval", interval_json(option.in_time)},
         {"meets_deadline", meets_json(option.in_time, view.listening->question.confidence)},
         {"done_by",
          {{"q50", time_json(view, option.done.half)},
           {"q90", time_json(view, option.done.nine_tenths)},
           {"q95", time_json(view, option.done.nineteen_twentieths)},
           {"confident", time_json(view, option.done.confident)}}},
         {"machine_time", option.machine_time * view.work},
         {"wasted", option.wasted * view.work},
         {"keeps_lambda", option.keeps_lambda},
         {"policy", policy_json(view, option.goes_by)}});
  return list;
}

}  // namespace

std::string asked_share_text(double share) { return to_text(std::round(1e12 * share) / 1e10) + " %"; }

std::string share_in_words(double share) {
  const std::string text = share_text(share);
  if (text.starts_with('<')) return "less than " + text.substr(1);
  return text.starts_with('>') ? "more than " + text.substr(1) : text;
}

std::string estimate_text(const ShareEstimate& share) {
  return fmt::format("{} (95 % interval {} to {})", fine_share_text(share.share), end_text(share.low, false),
                     end_text(share.high, true));
}

std::string share_text(double share) {
  if (share <= 0 || share >= 1) return share <= 0 ? "0 %" : "100 %";
  if (share < 0.001) return "<0.1 %";
  return share > 0.999 ? ">99.9 %" : fmt::format("{:.1f} %", 100 * share);
}

std::string listening_text(const PlanView& view) {
  const std::string missing = no_listening(view.answer);
  if (!missing.empty())
    return fmt::format("\nThe value of news about completed chunks is not known {}.\n",
                       missing == "tasks" ? "for so many chunks" : "with background jobs");
  if (!view.listening) return "";
  const ListeningAnswer& answer = *view.listening;
  const std::string known =
      answer.question.latency > 0 ? view.alone(answer.question.latency) + " after it happens" : "at once";
  std::string text =
      '\n' +
      paragraph(fmt::format(
          "What is it worth to listen: to learn, {}, that a chunk is complete or a machine is gone, and to hand out "
          "work "
          "accordingly? A machine drops the chunk that it is computing when it learns that the chunk is complete. {} "
          "simulated runs (-: not reached):",
          known, answer.question.instances));
  if (answer.if_gone.empty()) return text + section(view, answer.options) + names_text(view) + lambda_text(view);
  return text + "If the machines whose stay is unknown never leave:\n" + section(view, answer.options) +
         "If all of them leave:\n" + section(view, answer.if_gone) + names_text(view) + lambda_text(view);
}

nlohmann::ordered_json listening_json(const PlanView& view) {
  if (!view.listening) return nullptr;
  const ListeningAnswer& answer = *view.listening;
  Json json = {{"latency", answer.question.latency * view.work},
               {"deadline", answer.question.deadline ? Json(*answer.question.deadline * view.work) : Json()},
               {"confidence", answer.question.confidence},
               {"instances", answer.question.instances},
               {"strategies", options_json(view, answer.options)},
               {"if_gone", nullptr}};
  if (!answer.if_gone.empty()) json["if_gone"] = options_json(view, answer.if_gone);
  return json;
}

}  // namespace coterie::sim
