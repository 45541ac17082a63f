#include "sim/planning/plan_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/length.hpp"
#include "core/text.hpp"
#include "core/wrapped.hpp"
#include "sim/models/dispatch_trial.hpp"
#include "sim/planning/intervals.hpp"
#include "sim/planning/listening_view.hpp"
#include "sim/planning/machine_count_view.hpp"
#include "sim/planning/prices_view.hpp"
#include "sim/planning/static_runs.hpp"
#include "sim/sampling/capacity_risk.hpp"
#include "sim/sampling/interruptions.hpp"

namespace coterie::sim {
namespace {

/// "5" or "4 to 6 (4.7 on average)"
std::string copies_text(const Copies& copies) {
  if (copies.least == copies.most) return std::to_string(copies.least);
  return fmt::format("{} to {} ({:.3g} on average)", copies.least, copies.most, copies.mean);
}

/// "30 min", or "10 min to 30 min" where chunks differ by more than 1 %.
std::string sizes_text(const PlanView& view, const Schedule& schedule) {
  double least = schedule.boundaries().back(), most = 0;
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (const Task& task : schedule.tasks(w).tasks) {
      const double size =
          schedule.boundaries()[task.first_piece + task.pieces] - schedule.boundaries()[task.first_piece];
      least = std::min(least, size);
      most = std::max(most, size);
    }
  if (least >= 0.99 * most) return view.alone(most);
  return fmt::format("{} to {}", view.alone(least), view.alone(most));
}

/// Whether some chunks have work in common with others: they are several pieces.
bool overlap(const Schedule& schedule) {
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (const Task& task : schedule.tasks(w).tasks)
      if (task.pieces > 1) return true;
  return false;
}

/// Who is in which zone.
std::string zones_text(const PlanQuestion& question) {
  constexpr std::size_t kMostTold = 8;
  if (!question.zones.bind(question.workers)) return "";
  const std::string zones = counted(question.zones.count, "zone");
  if (question.zones.count > kMostTold)
    return paragraph(fmt::format("They are in {} of {} consecutive machines, independent of each other.", zones,
                                 question.workers % question.zones.count == 0
                                     ? std::to_string(question.workers / question.zones.count)
                                     : fmt::format("{} to {}", question.workers / question.zones.count,
                                                   question.workers / question.zones.count + 1)));
  std::string text;
  std::size_t first = 0;
  for (std::size_t w = 1; w <= question.workers; ++w) {
    if (w < question.workers && question.zones.of(w, question.workers) == question.zones.of(first, question.workers))
      continue;
    if (first > 0) text += ", ";
    text += first == w - 1 ? std::to_string(first) : fmt::format("{} to {}", first, w - 1);
    first = w;
  }
  return paragraph(question.zones.count == 1
                       ? "They are in one zone."
                       : fmt::format("They are in {}, independent of each other: machines {}.", zones, text));
}

/// "machines leave independently of each other and never come back"
std::string leaving_text(const PlanView& view) {
  const PlanQuestion& question = view.answer.question;
  if (question.zones.bind(question.workers))
    return question.lives.risks.size() > 1
               ? fmt::format("machines of a zone share {:.6g} % of their risk of leaving; no machine comes back",
                             100 * question.zones.common)
               : fmt::format("{:.6g} % of the risk of leaving hits whole zones; no machine comes back",
                             100 * question.zones.common);
  return view.coming_back.empty() ? "machines leave independently of each other and never come back" : view.coming_back;
}

/// For machines that come back: what is not made for them.
std::string first_lives_text(const PlanView& view) {
  if (view.coming_back.empty()) return "";
  return paragraph(fmt::format(
      "Nothing done after {} counts. Schedules are made for the time before a machine first leaves, but compared for "
      "machines that come back. For these, this answer does not say how sure it is, nor what happens if machines "
      "behave otherwise{}.",
      view.alone(view.listening_question.horizon),
      view.answer.question.workers == 1 ? ", nor what Young's and Daly's rules would do" : ""));
}

/// What is assumed, and what casts doubt on it.
std::string assumptions_text(const PlanView& view) {
  std::string text = paragraph("Assumed: " + leaving_text(view) + '.');
  if (!view.listening) {
    text += "Schedules are static: they are fixed in advance and get no news of the machines.\n";
  } else {
    const double latency = view.listening->question.latency;
    text += paragraph(fmt::format("Static schedules are fixed lists; others get news of machines {}.",
                                  latency > 0 ? view.alone(latency) + " later" : "at once"));
  }
  text += first_lives_text(view);
  for (const std::string& doubt : view.doubts)
    text += paragraph("It is also assumed that machines go on as recorded. But " + doubt + '.');
  return text;
}

/// "1 machine that stays as ...": the description of the machines, with their number.
std::string machines_text(const PlanView& view) {
  const std::size_t workers = view.answer.question.workers;
  std::string text = view.machines;
  if (workers == 1) {
    for (const auto& [many, one] : {std::pair{"machines that stay ", "machine that stays "}, {"machines ", "machine "}})
      if (text.starts_with(many)) {
        text.replace(0, std::string_view(many).size(), one);
        break;
      }
  }
  return fmt::format("{} {}", workers, text);
}

/// Which machines are of which class, a paragraph each.
std::string classes_text(const PlanView& view) {
  constexpr std::size_t kMostTold = 40;
  std::string text;
  for (std::size_t kind = 0; kind < view.class_texts.size(); ++kind) {
    std::string numbers;
    std::size_t count = 0;
    for (std::size_t w = 0; w < view.class_of_machine.size(); ++w)
      if (view.class_of_machine[w] == kind) numbers += fmt::format("{}{}", count++ == 0 ? "" : ", ", w);
    text += paragraph(fmt::format(
        "{} {} as long as those in {}: {}", count, count == 1 ? "stays" : "stay", view.class_texts[kind],
        count > kMostTold ? "--format json lists them" : fmt::format("machine{} {}", count == 1 ? "" : "s", numbers)));
  }
  return text;
}

/// Whether there are as many orders as machines: those of a group are rotations of its chunks.
bool have_own_orders(const heuristics::Plan& plan) {
  return std::all_of(plan.coteries.begin(), plan.coteries.end(),
                     [](const heuristics::Coterie& one) { return one.workers <= one.chunking.count(); });
}

/// Who runs what, in words.
std::string who_text(const heuristics::Plan& plan, const Copies& copies, std::size_t workers) {
  const std::size_t coteries = plan.coteries.size();
  const std::string order = have_own_orders(plan) ? ", in an order of its own," : "";
  if (coteries == 1)
    return workers == 1 ? "The machine runs all chunks until it is taken away.\n"
                        : paragraph(fmt::format("Each of the {} machines runs all chunks{} until it is taken away.",
                                                workers, order));
  if (coteries > 1 && coteries < workers)
    return paragraph(fmt::format(
        "Make {} groups of {} machines. Each group gets a part of the work, and each of its machines runs all of that "
        "part{} until it is taken away.",
        coteries,
        workers % coteries == 0 ? std::to_string(workers / coteries)
                                : fmt::format("{} or {}", workers / coteries, workers / coteries + 1),
        order));
  if (copies.most <= 1) return "Each chunk is run by one machine only.\n";
  if (copies.least == workers) return "Every machine runs all of the work until it is taken away.\n";
  return "Each machine has its own list of chunks, some of which are on other lists too,\nand works through it until "
         "it is taken away.\n";
}

/// How much work alike machines can be given, as far as lambda or the end of all lives limits it.
double most_work(const PlanView& view) {
  const PlanQuestion& question = view.answer.question;
  double slice = view.answer.problem.max_slice();
  if (question.if_gone) slice = std::min(slice, planned_problem(question, *question.if_gone).max_slice());
  return static_cast<double>(question.workers) * (question.lambda < 1 ? slice : slice - question.startup_cost);
}

/// "12 % of the work is left out", and why.
std::string left_out_text(const PlanView& view, double share) {
  const PlanOption& choice = view.answer.choice();
  if (ScheduleLibrary::is_file(choice.strategy))
    return fmt::format("{} of the work is in no list of the file.\n", percent_text(share));
  const bool alike = view.answer.problem.worker_risks.empty();
  if (alike && !(1 > most_work(view) * (1 + 1e-9)))
    return fmt::format("{} of the work is left out: with it, less would be expected.\n", percent_text(share));
  return fmt::format("{} of the work is left out{}.\n", percent_text(share),
                     !(view.answer.question.lambda < 1) ? ": it is more than the machines can take"
                     : (choice.keeps_lambda || view.answer.question.if_gone) && alike
                         ? ": it is more than --lambda allows"
                         : "");
}

/// When lists end: a length, or from the first to the last.
std::string ends_text(const PlanView& view, const Schedule& schedule) {
  constexpr double kAlike = 0.99;
  const double last = last_finish(schedule);
  double first = last;
  for (std::size_t l = 0; l < schedule.lists().size(); ++l)
    if (const FinishTimes& finish = schedule.lists()[l].finish; !finish.empty()) first = std::min(first, finish.back());
  return (first < kAlike * last ? view.alone(first) + " to " : "") + view.alone(last);
}

std::string sharing_text(const PlanView& view) {
  const PlanOption& choice = view.answer.choice();
  const Schedule& schedule = *choice.plan.schedule;
  if (!(schedule.deployed_work() > 0))
    return fmt::format("Do this: strategy {}. It gives no machine any work.\n", choice.strategy);
  const Copies copies = copies_of(schedule);
  const std::size_t workers = view.answer.question.workers;
  const double deployed = schedule.deployed_work();
  const double left_out = gives_all(schedule) ? 0 : 1 - deployed;
  const std::string amount = left_out == 0     ? "all"
                             : left_out < 0.01 ? fmt::format("all but {}", percent_text(left_out))
                                               : percent_text(deployed);
  const std::string chunks = choice.plan.chunks == 1 ? "one chunk"
                                                     : fmt::format("{} chunks{}", choice.plan.chunks,
                                                                   overlap(schedule) ? " (some overlap)" : "");
  std::string text =
      fmt::format("Do this: strategy {}.\nCut {} of the work into {} of {},\n{}with a checkpoint of {}.\n",
                  choice.strategy, amount, chunks, sizes_text(view, schedule), choice.plan.chunks == 1 ? "" : "each ",
                  view.alone(view.answer.question.startup_cost));
  text += who_text(choice.plan, copies, workers);
  if (copies.most > 1 && copies.least < workers)
    text += fmt::format("Each piece of the work is run by {} of the {} machines.\n", copies_text(copies), workers);
  if (left_out > 0) text += left_out_text(view, left_out);
  text += fmt::format("{} machine that stays finishes its list after {}.\n",
                      view.answer.question.background ? "Without jobs, a" : "A", ends_text(view, schedule));
  if (!view.coming_back.empty())
    text += "A machine that comes back goes on with its list, from the chunk that it lost.\n";
  return text + (view.exported.empty()
                     ? "(--export FILE.csv, .json, .sbatch or .sub writes who runs what in which order.)\n"
                     : fmt::format("{} says who runs what in which order.\n", view.exported));
}

/// The work done in 90 % of the simulated runs; of few of them, in all.
struct UsualWork {
  UsualWork(const PlanView& view, const PlanOutcome& outcome) : of_all(view.answer.question.instances < kMany) {
    low = view.length(of_all ? outcome.simulated.min : outcome.simulated.quantiles[0]);
    high = view.length(of_all ? outcome.simulated.max : outcome.simulated.quantiles[4]);
  }
  static constexpr std::uint64_t kMany = 100;  // from here on quantiles tell shares to a percentage point

  bool of_all;
  std::string low, high;
};

/// "Of 10000 simulated runs ..."
std::string simulated_text(const PlanView& view, const PlanOutcome& outcome, const char* which = "") {
  const auto [of_all, low, high] = UsualWork(view, outcome);
  return paragraph(fmt::format("Of {} simulated runs{}, {} got {} done; {} got all of it done.",
                               view.answer.question.instances, which, of_all ? "each" : "the middle 90 %",
                               low == high ? low : fmt::format("between {} and {}", low, high),
                               share_text(outcome.completion)));
}

/// Whether some machine completes the first chunk of its list with a positive probability, however small.
bool can_complete_a_chunk(const Schedule& schedule, const Lives& lives) {
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    if (const FinishTimes& ends = schedule.tasks(w).finish; !ends.empty())
      if (lives.risks[lives.risks.size() == 1 ? 0 : w]->survival(ends[0]) > 0) return true;
  return false;
}

std::string expected_text(const PlanView& view, const PlanOutcome& outcome, const Lives& lives) {
  const bool too_short = !(outcome.expected_work > 0) && !view.answer.question.background &&
                         view.answer.choice().plan.schedule->deployed_work() > 0;
  std::string why;
  if (too_short && std::isfinite(view.listening_question.horizon)) {
    why = ":\nno machine completes the first chunk of its list while work counts";
  } else if (too_short) {
    why = ":\nno machine stays long enough for the first chunk of its list and its checkpoint";
    if (can_complete_a_chunk(*view.answer.choice().plan.schedule, lives)) why += "\nwith a probability above 1e-15";
  }
  return fmt::format("expect {} of {} ({}){}.\n", view.length(outcome.expected_work), view.length(1),
                     percent_text(outcome.expected_work), why);
}

/// "No static schedule can expect more than 84.1 % of it; this one is at most 1.7 % below that."
std::string ceiling_sentence(const PlanOutcome& outcome, std::optional<double> ceiling) {
  if (!ceiling) return "";
  std::string text = ceiling_text(outcome.expected_work, *ceiling, percent_rounded_up(*ceiling, 3) + " of it");
  if (const std::size_t end = text.find("; "); end != std::string::npos) text[end + 1] = '\n';
  return "N" + text.substr(1) + ".\n";
}

std::string outcome_text(const PlanView& view) {
  const PlanOption& choice = view.answer.choice();
  const auto open = open_tail(view.answer.question);
  const PlanAnswer& answer = view.answer;
  const std::string known =
      expected_text(view, choice, answer.question.lives) + ceiling_sentence(choice, answer.static_ceiling);
  if (const ListeningOption* returns = view.with_returns(choice))
    return paragraph(fmt::format("Expect {} of {} ({}) from machines that come back: the mean of {} simulated runs, of "
                                 "which {} got all of it done.",
                                 view.length(returns->completed), view.length(1), percent_text(returns->completed),
                                 view.listening->question.instances, share_text(returns->completion))) +
           "If none came back, " + known + simulated_text(view, choice, " of that");
  if (!open) return "E" + known.substr(1) + simulated_text(view, choice);
  std::string text = paragraph(
      fmt::format("How long {} of the machines stay is unknown: none was seen to leave after the last interruption{}.",
                  percent_text(open->share),
                  std::isfinite(open->last_seen)
                      ? ", and nothing is known beyond " + view.alone(open->last_seen) + " from the start"
                      : ""));
  text += "If these never leave, " + known + simulated_text(view, choice);
  text += "If all of them leave then, " + expected_text(view, *choice.if_gone, *answer.question.if_gone) +
          ceiling_sentence(*choice.if_gone, answer.static_ceiling_if_gone) + simulated_text(view, *choice.if_gone);
  return text + fmt::format(
                    "Either way, this plan is expected to do at least {} of what the best\nplan below for that "
                    "case would do.\n",
                    percent_text(std::floor(1e3 * choice.assured) / 1e3));
}

/// What the rules in common use would do with one machine.
std::string intervals_text(const PlanView& view) {
  if (!view.coming_back.empty()) return "";
  const auto found = other_intervals(view.answer.question);
  if (!found) return "";
  std::string text = fmt::format("For one machine that is interrupted after {} on average,", view.alone(found->mean));
  for (const Interval& one : found->rules) {
    const std::string chunks = one.length < 1 ? "equal chunks of " + view.alone(one.length) : "all of it in one chunk";
    text += fmt::format(" {} rule {}{}", one.rule == "young" ? "Young's" : "Daly's",
                        one.expected_work ? fmt::format("expects {} with {}", view.length(*one.expected_work), chunks)
                                          : fmt::format("makes too many chunks to compute what to expect, of {}",
                                                        view.alone(one.length)),
                        &one == &found->rules.back() ? "" : ";");
  }
  return paragraph(text + ". Both rules are meant for machines that start again.");
}

std::string list_note(const PlanView& view) {
  return view.answer.question.background ? "(\"lists take\" is the time without any background job.)\n" : "";
}

std::string alternatives_text(const PlanView& view) {
  constexpr const char* kRow = "{:18} {:>11}  {:>23}  {:>8}  {:>10}{}\n";
  std::string text = "\n";
  const bool of_all = UsualWork(view, view.answer.choice()).of_all;
  text += fmt::format(kRow, "Strategy", "expected", of_all ? "all runs" : "90 % of runs", "all done", "lists take", "");
  for (const PlanOption& option : view.answer.options) {
    const UsualWork usual(view, option);
    text += fmt::format(kRow, option.strategy, view.length(option.expected_work), usual.low + " - " + usual.high,
                        share_text(option.completion), view.length(last_finish(*option.plan.schedule)),
                        &option == &view.answer.choice() ? "  <" : "");
  }
  return text + list_note(view);
}

/// The same for machines that come back, and if they did not.
std::string returns_alternatives_text(const PlanView& view) {
  constexpr const char* kRow = "{:18} {:>12} {:>12}  {:>9} {:>9}  {:>10}{}\n";
  std::string text = fmt::format("\n{:18} {:>25}  {:>19}\n", "", "expected if they", "all done if they");
  text += fmt::format(kRow, "Strategy", "come back", "do not", "come back", "do not", "lists take", "");
  for (const PlanOption& option : view.answer.options) {
    const ListeningOption* returns = view.with_returns(option);
    text += fmt::format(kRow, option.strategy, returns != nullptr ? view.length(returns->completed) : "-",
                        view.length(option.expected_work), returns != nullptr ? share_text(returns->completion) : "-",
                        share_text(option.completion), view.length(last_finish(*option.plan.schedule)),
                        &option == &view.answer.choice() ? "  <" : "");
  }
  return text;
}

/// The same where it is unknown how long some machines stay: what to expect if they never leave, and if they do.
std::string open_alternatives_text(const PlanView& view) {
  constexpr const char* kRow = "{:18} {:>12} {:>12}  {:>9} {:>9}  {:>10}{}\n";
  std::string text = fmt::format("\n{:18} {:>25}  {:>19}\n", "", "expected if they", "all done if they");
  text += fmt::format(kRow, "Strategy", "stay", "leave", "stay", "leave", "lists take", "");
  for (const PlanOption& option : view.answer.options)
    text += fmt::format(kRow, option.strategy, view.length(option.expected_work),
                        view.length(option.if_gone->expected_work), share_text(option.completion),
                        share_text(option.if_gone->completion), view.length(last_finish(*option.plan.schedule)),
                        &option == &view.answer.choice() ? "  <" : "");
  return text + "Each strategy was planned for both cases; shown is the plan that loses less.\n" + list_note(view);
}

std::string options_text(const PlanView& view) {
  if (view.answer.question.if_gone) return open_alternatives_text(view);
  return view.with_returns(view.answer.choice()) != nullptr ? returns_alternatives_text(view) : alternatives_text(view);
}

/// Which of the schedules give a machine more work than --lambda allows.
std::string loads_text(const PlanView& view) {
  std::string names;
  std::size_t count = 0;
  for (const PlanOption& option : view.answer.options)
    if (!option.keeps_lambda) names += (count++ == 0 ? "" : ", ") + option.strategy;
  if (count == 0) return "";
  return paragraph(
      fmt::format("{} {} not keep to --lambda {}: a machine is more likely than that to be interrupted within the "
                  "time that its work takes without checkpoints{}.",
                  names, count == 1 ? "does" : "do", to_text(view.answer.question.lambda),
                  view.answer.question.if_gone ? ", if none stays longer than was seen" : ""));
}

bool all_were_simulated(const PlanAnswer& answer) {
  return std::all_of(answer.options.begin(), answer.options.end(),
                     [](const PlanOption& option) { return is_measured(*option.plan.schedule); });
}

/// Why this one is chosen, unless it expects most.
std::string reason_text(const PlanView& view) {
  if (!view.answer.question.strategy.empty()) return "";
  const PlanOption& choice = view.answer.choice();
  if (view.answer.chosen_by == ChosenBy::kDeadline)
    return paragraph(fmt::format("No other{} has all work done by {} in more of the runs than {}{}.",
                                 all_were_simulated(view.answer) ? "" : " that was simulated",
                                 view.alone(*view.listening_question.deadline), choice.strategy,
                                 choice.if_gone ? ", in the worse case" : ""));
  if (view.answer.chosen_by == ChosenBy::kReturns)
    return paragraph(
        fmt::format("Of those{} that do the most work if machines come back (up to {}), {} is the plainest{}.",
                    all_were_simulated(view.answer) ? "" : ", of all that were simulated,",
                    percent_text(kNegligibleGain), choice.strategy,
                    std::isfinite(view.listening->options.front().done.half)
                        ? " of those that finish soonest (median, up to " + percent_text(1 - kMuchSooner) + ")"
                        : ""));
  const auto less = [](const PlanOption& a, const PlanOption& b) { return a.assured < b.assured; };
  const PlanOption& most = *std::max_element(view.answer.options.begin(), view.answer.options.end(), less);
  constexpr double kAlike = 1e-12;
  if (!(most.assured > choice.assured * (1 + kAlike))) return "";
  return paragraph(fmt::format("{} expects {} more than {}{}; for a gain below {} the plainer strategy is taken.",
                               most.strategy, percent_text(most.assured / choice.assured - 1), choice.strategy,
                               choice.if_gone ? ", in the worse case" : "", percent_text(kNegligibleGain)));
}

std::string confidence_text(const PlanView& view) {
  if (!view.confidence) return "";
  const Confidence& sure = *view.confidence;
  if (sure.resamples == 0) return "\nHow sure is that? The trace is too small to say.\n";
  const bool open = view.answer.question.if_gone.has_value();
  if (sure.least == sure.greatest && sure.resamples > 1)
    return "\nHow sure is that? The trace does not say: resamples of it all give the same.\n";
  if (sure.interruptions < Confidence::kFewest)
    return '\n' + paragraph(fmt::format(
                      "How sure is that? The trace has only {} of such machines, too few to say; {} of it give "
                      "{} to {}.",
                      counted(sure.interruptions, "interruption"), counted(sure.resamples, "resample"),
                      view.length(sure.least), view.length(sure.greatest)));
  if (sure.resamples < Confidence::kFewestResamples)
    return '\n' + paragraph(fmt::format("How sure is that? {} of the trace {} {} to {}, too few to say.",
                                        counted(sure.resamples, "resample"), sure.resamples == 1 ? "gives" : "give",
                                        view.length(sure.least), view.length(sure.greatest)));
  std::string text =
      '\n' +
      paragraph(fmt::format(
          "How sure is that? With other spells of such machines ({} of the trace), the expected work of this "
          "plan would be {} to {} in 95 % of the cases{}.",
          counted(sure.resamples, "resample"), view.length(sure.low), view.length(sure.high),
          open ? " (the lower end if the machines whose stay is unknown leave, the upper end if they never do)" : ""));
  for (const char* name : {"no-replication", "brute"}) {
    const auto found = sure.better_than.find(name);
    if (found == sure.better_than.end()) continue;
    text += paragraph(fmt::format("It would be better than {} in {} of them{}.", name, share_in_words(found->second),
                                  open ? fmt::format(" if those machines never leave, in {} if they do",
                                                     share_in_words(sure.better_if_gone.at(name)))
                                       : ""));
  }
  if (sure.without_answer > 0)
    text += fmt::format("{} not say how long such machines stay.\n",
                        counted(sure.without_answer, "more resample does", "more resamples do"));
  return text;
}

std::string circumstances_text(const PlanView& view) {
  if (view.circumstances.empty()) return "";
  std::vector<std::size_t> columns = {view.answer.chosen};
  for (std::size_t s = 0; s < view.answer.options.size(); ++s) {
    const std::string& name = view.answer.options[s].strategy;
    if (s != view.answer.chosen && (name == "no-replication" || name == "brute")) columns.push_back(s);
  }
  std::string text = fmt::format("\n{:35}", "What if            then expected:");
  for (const std::size_t s : columns)
    text += fmt::format("{:>15}", s == view.answer.chosen ? "this plan" : view.answer.options[s].strategy);
  text += '\n';
  for (const Circumstance& one : view.circumstances) {
    text += fmt::format("{:35}", one.name);
    for (const std::size_t s : columns) text += fmt::format("{:>15}", view.length(one.expected_work[s]));
    text += '\n';
  }
  if (view.answer.question.background)
    text += paragraph(
        fmt::format("(With background jobs, the rows after the first come from {} sampled lives: accurate to about 1 % "
                    "where half of the chunks are completed, to 10 % where one in 200 is.)",
                    CapacityRisk::kSamples));
  return text;
}

}  // namespace

LengthFormat PlanView::lengths() const { return has_unit ? LengthFormat::as_written(work_text, work) : LengthFormat(); }

std::string PlanView::length(double share) const { return lengths()(share * work); }

std::string paragraph(const std::string& text) {
  constexpr char kGlue = '\x01';  // no line breaks between a number and its %
  std::string glued = text;
  for (std::size_t at = glued.find(" %"); at != glued.npos; at = glued.find(" %", at)) glued[at] = kGlue;
  glued = wrapped(glued);
  std::replace(glued.begin(), glued.end(), kGlue, ' ');
  return glued + '\n';
}

std::string percent_text(double share) { return fmt::format("{:.3g} %", 100 * share); }

const ListeningOption* PlanView::with_returns(const PlanOption& option) const {
  if (coming_back.empty() || !listening) return nullptr;
  const auto found = std::find_if(listening->options.begin(), listening->options.end(),
                                  [&](const auto& one) { return !one.listens && one.name == option.strategy; });
  return found == listening->options.end() ? nullptr : &*found;
}

std::string PlanView::alone(double share) const {
  const double length = share * work;
  return has_unit ? length_text(length) : LengthFormat()(length);
}

std::string plan_text(const PlanView& view) {
  std::string text = fmt::format("{} of work for {}", view.length(1), machines_text(view));
  if (view.answer.question.background)
    text += ",\n" + paragraph(fmt::format("slowed down by background jobs: {}.", view.background));
  else
    text += ".\n";
  text += classes_text(view) + zones_text(view.answer.question) + assumptions_text(view) + '\n' +
          machine_count_text(view) + sharing_text(view) + '\n' + outcome_text(view) + options_text(view) +
          reason_text(view) + loads_text(view) + intervals_text(view) + listening_text(view) + prices_text(view) +
          confidence_text(view) + circumstances_text(view);
  if (!view.warnings.empty()) text += '\n';
  for (const std::string& warning : view.warnings) text += "warning: " + warning + '\n';
  return text;
}

ScheduleView chosen_schedule(const PlanView& view) {
  const PlanOption& choice = view.answer.choice();
  const Schedule& shares = *choice.plan.schedule;
  std::vector<double> boundaries = shares.boundaries();
  for (double& boundary : boundaries) boundary *= view.work;
  TaskLists lists;
  for (std::size_t w = 0; w < shares.workers(); ++w) {
    const TaskList list = shares.tasks(w);
    for (const Task& task : list.tasks) lists.add(task);
    std::vector<double> finish(list.finish.begin(), list.finish.end());
    for (double& time : finish) time *= view.work;
    lists.close(std::move(finish));
  }
  ScheduleView schedule{choice.strategy, view.answer.problem, {}};
  schedule.problem.work = view.work;
  schedule.problem.startup_cost *= view.work;
  schedule.problem.risk = hastened(view.answer.problem.risk, 1 / view.work);
  std::map<RiskPtr, RiskPtr> known;  // machines of one class have one risk
  for (RiskPtr& risk : schedule.problem.worker_risks) {
    RiskPtr& made = known[risk];
    if (!made) made = hastened(risk, 1 / view.work);
    risk = made;
  }
  schedule.plan.schedule = std::make_shared<const Schedule>(std::move(boundaries), std::move(lists));
  schedule.plan.expected_work = choice.expected_work * view.work;
  schedule.plan.chunks = choice.plan.chunks;
  schedule.plan.chunk_size = choice.plan.chunk_size * view.work;
  if (choice.if_gone) schedule.expected_work_if_gone = choice.if_gone->expected_work * view.work;
  if (!view.coming_back.empty()) schedule.remark = "expected if no machine comes back";
  if (view.answer.question.background) schedule.remark = "times without background jobs";
  if (view.has_unit) schedule.lengths = LengthFormat::best_for(last_finish(shares) * view.work);
  return schedule;
}

}  // namespace coterie::sim
