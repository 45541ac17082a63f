#include "sim/plan_verb/plan_machine_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/rational.hpp"
#include "core/text.hpp"
#include "sim/plan_verb/plan_listening.hpp"
#include "sim/planning/machine_count.hpp"

namespace coterie::sim {
namespace {

/// The numbers that --machines asks about; auto: up to eight times as many as are needed if none leaves, at least
/// to 64.
std::pair<std::size_t, std::size_t> machine_range(const Options& options, const Scale& scale) {
  const std::string text = options.text("machines");
  const auto require_deadline = [&] {
    if (!options.has("deadline")) throw InputError("--machines needs --deadline: by when should all work be done?");
  };
  if (text == "auto") {
    require_deadline();
    const auto needed = least_machines(scale.share("deadline"), scale.share("checkpoint"));
    if (!needed || *needed > kMostWorkers)
      throw InputError(
          fmt::format("--deadline {}: no number of machines up to {} can finish all work by then, even if none leaves",
                      options.text("deadline"), kMostWorkers));
    return {std::size_t{1}, std::min(kMostWorkers, std::max<std::size_t>(64, 8 * *needed))};
  }
  const std::size_t dash = text.find('-');
  const std::size_t least = number_of_machines(text.substr(0, dash), text);
  const std::size_t most = number_of_machines(dash == text.npos ? "" : text.substr(dash + 1), text);
  if (least > most) throw InputError(fmt::format("--machines {}: the smaller number comes first", text));
  require_deadline();
  return {least, most};
}

/// The question for the number of machines that was found: that of static schedules, or, with --latency or where static
/// schedules are never enough, that of strategies that listen; where no number is enough, for the most asked about.
PlanQuestion question_found(const Options& options, const Machines& machines, const CountAnswer& count) {
  const CountResult& first = options.has("latency") ? count.listening : count.fixed;
  const CountResult& second = options.has("latency") ? count.fixed : count.listening;
  const auto& found = first.found ? first.found : second.found;
  PlanQuestion question = machines.question(found ? found->workers : count.most);
  if (found && count.fixed.found && found->workers == count.fixed.found->workers &&
      found->strategy == count.fixed.found->strategy)
    question.strategy = found->strategy;
  return question;
}

/// How many runs a number of machines is judged by. If all succeed, that has to show that enough do.
std::uint64_t runs_that_can_tell(const Options& options, const ListeningQuestion& asked) {
  constexpr std::uint64_t kUsual = 2000, kMost = 100'000;
  const auto needed = static_cast<std::uint64_t>(std::ceil(runs_to_show(asked.confidence)));
  const std::uint64_t runs =
      options.has("instances") ? asked.instances : std::max(kUsual, std::min(kMost, needed + needed / 4));
  constexpr std::uint64_t kMostNeeded = 10'000'000;
  if (needed > kMostNeeded)
    throw InputError(fmt::format("--confidence {}: that takes {} runs to show, more than {}; ask for less",
                                 options.text("confidence"), needed, kMostNeeded));
  if (runs < needed)
    throw InputError(fmt::format(
        "--confidence {}: even if all of {} runs succeed, they do not show that; give at least {} --instances",
        options.text("confidence", "95"), runs, needed));
  return runs;
}

}  // namespace

std::size_t number_of_machines(const std::string& text, const std::string& whole) {
  const auto number = parse_whole(trimmed(text));
  if (!number || *number < 1 || *number > static_cast<long long>(kMostWorkers))
    throw InputError(
        fmt::format("--machines must be a whole number from 1 to {}, a range such as 5-50, or auto, not \"{}\"",
                    kMostWorkers, whole));
  return static_cast<std::size_t>(*number);
}

bool asks_how_many(const Options& options) {
  return options.has("machines") && !parse_whole(trimmed(options.text("machines")));
}

void ask_how_many_machines(const Options& options, const Scale& scale, const Machines& machines, StageLine& stage,
                           PlanView& view) {
  if (!asks_how_many(options)) return;
  if (options.has("jobs-every"))
    throw InputError("--machines: a range is not available with background jobs; leave out --jobs-every");
  if (ScheduleLibrary::is_file(view.answer.question.strategy))
    throw InputError("--machines: the schedule from a file is for one number of machines; leave out --strategy");
  const auto [least, most] = machine_range(options, scale);
  CountQuestion asked;
  asked.question = [&](std::size_t workers) { return machines.question(workers); };
  asked.least = least;
  asked.most = most;
  asked.listening = listening_question(options, scale, view.answer.question);
  asked.listening.instances = runs_that_can_tell(options, asked.listening);
  asked.tell = [&](std::size_t workers) { stage.show("with " + counted(workers, "machine")); };
  view.count = count_machines(asked);
  view.count_runs = asked.listening.instances;
  view.answer.question = question_found(options, machines, *view.count);
}

}  // namespace coterie::sim
