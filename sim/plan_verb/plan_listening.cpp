#include "sim/plan_verb/plan_listening.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace coterie::sim {
namespace {

/// --confidence 95, or 95%: 0.95.
double confidence_of(const Options& options) {
  if (!options.has("confidence")) return ListeningQuestion().confidence;
  std::string text = options.text("confidence");
  if (text.ends_with('%')) text.pop_back();
  const auto percent = parse_number(trimmed(text));
  if (!percent || !(*percent > 0 && *percent < 100))
    throw InputError(fmt::format("--confidence must be a percentage above 0 and below 100, such as 95, not \"{}\"",
                                 options.text("confidence")));
  if (*percent < 1)
    throw InputError(fmt::format("--confidence {0} is less than 1 %; for {1} % of the runs write --confidence {1}",
                                 options.text("confidence"), to_text(100 * *percent)));
  return *percent / 100;
}

}  // namespace

ListeningQuestion listening_question(const Options& options, const Scale& scale, const PlanQuestion& plan) {
  constexpr std::uint64_t kMostLives = 100'000, kLeastRuns = 200;  // a second or so, of some 100 chunks each
  ListeningQuestion question;
  question.latency = scale.share(options.has("latency") ? "latency" : "checkpoint");
  if (options.has("deadline")) question.deadline = scale.share("deadline");
  question.confidence = confidence_of(options);
  question.instances = plan.instances;
  if (!options.has("instances"))
    question.instances = std::min(question.instances, std::max(kLeastRuns, kMostLives / plan.workers));
  return question;
}

void ask_what_listening_is_worth(const Options& options, PlanView& view) {
  const std::string missing = no_listening(view.answer);
  for (const char* name : {"latency", "deadline", "confidence"})
    if (!missing.empty() && options.has(name))
      throw InputError(missing == "tasks"
                           ? fmt::format("--{} is not available for so many chunks; give --chunks N", name)
                           : fmt::format("--{} is not available with background jobs; leave out --jobs-every", name));
  if (!missing.empty() && view.availability != "once")
    throw InputError("--availability is not available for so many chunks; give --chunks N");
  if (!missing.empty()) return;
  choose_by_simulation(view.answer, view.listening_question);
  view.listening = listen(view.answer, view.listening_question);
}

}  // namespace coterie::sim
