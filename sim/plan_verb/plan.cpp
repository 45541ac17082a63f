#include "sim/plan_verb/plan.hpp"

#include <iostream>

#include "sim/exports/lists_export.hpp"
#include "sim/input/json_text.hpp"
#include "sim/plan_verb/plan_exports.hpp"
#include "sim/plan_verb/question_reader.hpp"
#include "sim/plan_verb/restart_plan.hpp"
#include "sim/planning/answer.hpp"
#include "sim/planning/answer_text.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/stage_line.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

void declare_job(Options& options) {
  options.add()("work", po::value<std::string>(), "time that one machine would need for everything, such as 40h")(
      "task", po::value<std::string>(), "work comes in tasks of this length, which cannot be cut")(
      "checkpoint", po::value<std::string>(),
      "time that each chunk (with --task, each task) costs at its end, such as 5min")(
      "restart", po::value<std::string>(), "what a machine needs before its first chunk when it comes up (default 0)")(
      "tries", po::value<std::string>(), "a task that was lost so often is not tried again")(
      "deadline", po::value<std::string>(),
      "when all work should be done: a length such as 12h or a time, \"Fri 17:00\"")(
      "start", po::value<std::string>(), "when the work starts, such as \"Mon 18:00\" (UTC; default: at any time)")(
      "confidence", po::value<std::string>(),
      "percentage of the runs in which all work should be done by --deadline (default 95)");
}

void declare_machines(Options& options) {
  options.add()("machines", po::value<std::string>(),
                "number of machines; with --deadline also a range such as 5-50, or auto: finds the best number")(
      "workers", po::value<std::string>(), "the same as --machines N")(
      "trace", po::value<std::string>(),
      "file of how long such machines stayed, in any format of coterie list formats")(
      "trace-format", po::value<std::string>(), "format of that file (default: recognised by its content)")(
      "option", po::value<std::vector<std::string>>(), "KEY=VALUE: how to read that file (see coterie trace --help)")(
      "estimator", po::value<std::string>(),
      "kaplan-meier (default; correct for spells that were cut off) or naive (the paper's)")(
      "tail", po::value<std::string>(),
      "what becomes of machines that outlast the last interruption: they stay (immortal), they leave (gone), or both "
      "(default: plan for the worse)")(
      "age", po::value<std::string>(),
      "how long the machines have been up already, and so stay at least: a time, or stationary (default 0)")(
      "risk", po::value<std::string>(), "instead of --trace: a risk of coterie list risks")(
      "risk-unit", po::value<std::string>(), "how long one unit of time of --risk is, such as 1h")(
      "classes", po::value<std::string>(),
      "instead of --trace and --machines: a CSV file with the columns machines,trace[,age], one row per class")(
      "replaced", po::value<std::string>(),
      "when a lost machine is replaced by a new one: never (default), after a length such as 20min, after a time of a "
      "law, or recorded: as --trace tells")("zones", po::value<std::string>(),
                                            "number of zones, whose machines may leave together (default: as --trace "
                                            "shows)")("common", po::value<std::string>(),
                                                      "part of the risk that machines of one zone share, from 0 to 1")(
      "price", po::value<std::string>(), "price of a machine for an hour")(
      "billed", po::value<std::string>(), "rented time is paid in whole multiples of this (default 1s)")(
      "replay", po::value<std::string>(), "all machines live together in windows of this recording")(
      "window", po::value<std::string>(), "length of these windows")(
      "jobs-every", po::value<std::string>(),
      "background jobs (M/M/1): mean time between arrivals on a machine; none is there when the work begins")(
      "jobs-last", po::value<std::string>(),
      "mean time that a background job takes alone; with 1, 2, ... jobs the work runs at 1/2, 1/3, ... of its speed");
}

void declare_news(Options& options) {
  options.add()("latency", po::value<std::string>(),
                "delay until it is known that a chunk is complete (default: --checkpoint; inf: never)")(
      "notice", po::value<std::string>(), "delay until it is known that a machine is gone (default: --latency)")(
      "warning", po::value<std::string>(), "how long before it is gone a machine knows, and saves what it can")(
      "strategy", po::value<std::string>(), "use this policy instead of the best one: a strategy, help, queue")(
      "chunks", po::value<std::string>(),
      "number of equal chunks in each group's part of the work, of fixed lists (default auto)")(
      "instances", po::value<std::string>(), "number of runs to simulate (default: as many as take a second or so)")(
      "seed", po::value<std::string>(), "same seed, same answer (default 1)");
}

void declare_answer(Options& options) {
  options.add()("explain", po::bool_switch(), "tell more: exact expectations, ceilings, resamples, what if")(
      "export", po::value<std::string>(),
      "write fixed lists to FILE.csv or FILE.json (for a dispatcher), FILE.sbatch (Slurm), FILE.sub (HTCondor) or "
      "FILE.svg; or a queue with its workers to a new folder, whose name has no ending")(
      "resamples", po::value<std::string>(), "number of resamples of the trace (default 200)")(
      "format", po::value<std::string>(), "text (default), json, or with --job restart shell");
  options.positional("QUESTION.toml", 0, 1);
  options.file("export", export_kinds());
  options.propose("format", {"text", "json", "shell"});
  declare_restart_options(options);
}

/// Options of earlier versions, which are refused with what to say now.
void declare_old(Options& options) {
  for (const char* name : {"availability", "horizon", "lambda", "frontier"})
    options.add()(name, po::value<std::string>(), "no option of plan any more; says what to write");
}

}  // namespace

void declare_question(Options& options, const Catalogue& catalogue) {
  declare_job(options);
  declare_machines(options);
  declare_news(options);
  declare_old(options);
  for (const char* name : {"trace", "classes", "replay"}) options.file(name);
  options.propose("machines", {"auto"});
  options.propose("replaced", {"never", "recorded"});
  options.propose("estimator", {"kaplan-meier", "naive"});
  options.propose("tail", {"both", "immortal", "gone"});
  options.propose("age", {"stationary"});
  options.propose("chunks", {"auto"});
  options.propose("trace-format", format_names());
  options.propose("strategy", worksharing_names(catalogue));
  options.propose("risk", risk_names(catalogue));
}

int plan_verb(const Call& call) {
  Options options("plan [QUESTION.toml] --trace FILE|--risk R --machines P --work D --checkpoint D [...]",
                  "What to do with work that takes one machine the time --work, on machines that\n"
                  "may be taken away: who does what, how many machines, by when all is done, what\n"
                  "it costs, and how sure that is. Write times as 2d, 40h, 5min or 90s.\n"
                  "  coterie plan --trace lab.csv --machines 20 --work 40h --checkpoint 5min\n"
                  "A question file says the same in TOML, also of several groups of machines.");
  declare_question(options, call.catalogue);
  declare_answer(options);
  if (!options.parse(call)) return 0;
  if (options.has("job")) return restart_plan(options, call.catalogue);
  const std::string format = options.choice("format");
  refuse_restart_options(options);
  if (options.has("export")) check_export(options.text("export"));
  Question question =
      options.words().empty() ? question_of(options) : question_in_file(options, options.words().front());
  question.explain = options.flag("explain");
  if (options.has("export") && question.policies.empty())
    question.form = exports_lists(options.text("export")) ? PlanForm::kLists : PlanForm::kQueue;
  StageLine stage;
  const Answer found = answer(question, call.catalogue, [&](const std::string& text) { stage.show(text); });
  if (options.has("export")) export_answer(found, options.text("export"));
  stage.finish();
  if (format == "json")
    std::cout << json_text(found.json) << '\n';
  else
    std::cout << PaintedLines{answer_text(found.json),
                              {{"machines, policy", Look::kHeading},
                               {"policy  ", Look::kHeading},
                               {"strategy  ", Look::kHeading},
                               {"What if  ", Look::kHeading},
                               {"Doubts: ", Look::kWarning},
                               {"warning: ", Look::kWarning}}};
  return 0;
}

}  // namespace coterie::sim
