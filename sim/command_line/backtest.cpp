#include "sim/backtest/backtest.hpp"

#include <fmt/format.h>

#include <iostream>

#include "sim/backtest/backtest_text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/json_text.hpp"
#include "sim/plan_verb/plan.hpp"
#include "sim/plan_verb/question_reader.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/stage_line.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// The question in a file; with a log, of the machines in that.
Question question_beside(const Options& options, const std::string& path, const std::string& log) {
  Question question = question_in_file(options, path);
  if (log.empty()) return question;
  bool any = question.replay.has_value();
  if (question.replay) question.replay->trace.file = log;
  for (MachineGroup& group : question.machines)
    if (group.trace) {
      group.trace->file = log;
      any = true;
    }
  for (MachineGroup& group : question.machines)
    if (!any && group.risk.empty() && !group.fallback) group.trace = {log, "", {}};
  return question;
}

Question question_asked(Options& options) {
  std::string log, file;
  for (const std::string& word : options.words()) {
    std::string& known = word.ends_with(".toml") ? file : log;
    if (!known.empty())
      throw InputError(fmt::format("{} and {}: give one recording, and perhaps one QUESTION.toml", known, word));
    known = word;
  }
  if (!file.empty()) return question_beside(options, file, log);
  for (const char* name : {"trace", "replay"})
    if (!log.empty() && options.has(name)) throw InputError(fmt::format("{} and --{}: give one recording", log, name));
  if (!log.empty()) options.set(options.has("window") ? "replay" : "trace", log);
  return question_of(options);
}

}  // namespace

int backtest_verb(const Call& call) {
  Options options("backtest LOG [QUESTION.toml] --machines P --work D --checkpoint D [...]",
                  "Would plans have been right? Plans on the first part of a recording, and on more\n"
                  "and more of it, and holds what was promised against the machines that followed.\n"
                  "  coterie backtest lab.csv --machines 12 --work 40h --checkpoint 5min\n"
                  "The question is that of coterie plan, in options or in a file. With --window all\n"
                  "machines live together as recorded; without it the next ones that come up are\n"
                  "taken, each from its beginning.");
  declare_question(options, call.catalogue);
  options.add()("first-part", po::value<std::string>(),
                "percentage of the recording that the first plan sees (default 50)")(
      "plans", po::value<std::string>(), "number of plans, each from all that was recorded by then (default 10)")(
      "windows", po::value<std::string>(), "at most so many windows for each plan (default 40)")(
      "format", po::value<std::string>(), "text (default), json or svg");
  options.positional("LOG", 0, 2);
  options.file("");
  options.propose("format", {"text", "json", "svg"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  constexpr long long kMost = 1000;
  BacktestQuestion asked;
  if (options.has("plans")) asked.plans = static_cast<std::size_t>(options.integer("plans", 1, kMost));
  if (options.has("windows")) asked.windows = static_cast<std::size_t>(options.integer("windows", 1, kMost));
  const double percent = options.number("first-part", 50);
  if (!(percent > 0 && percent < 100))
    throw InputError(fmt::format("--first-part must be a percentage above 0 and below 100, such as 50, not \"{}\"",
                                 options.text("first-part")));
  asked.first_part = percent / 100;
  asked.question = question_asked(options);
  StageLine stage;
  const nlohmann::ordered_json found =
      backtest(asked, call.catalogue, [&](const std::string& text) { stage.show(text); });
  stage.finish();
  if (format == "json")
    std::cout << json_text(found) << '\n';
  else if (format == "svg")
    std::cout << backtest_picture(found);
  else
    std::cout << PaintedLines{backtest_text(found), {{"plan of", Look::kHeading}}};
  return 0;
}

}  // namespace coterie::sim
