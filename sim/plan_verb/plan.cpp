#include "sim/plan_verb/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "core/length.hpp"
#include "core/text.hpp"
#include "sim/exports/lists_export.hpp"
#include "sim/exports/queue_export.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/output_path.hpp"
#include "sim/input/json_text.hpp"
#include "sim/plan_verb/plan_availability.hpp"
#include "sim/plan_verb/plan_listening.hpp"
#include "sim/plan_verb/plan_machine_count.hpp"
#include "sim/plan_verb/plan_prices.hpp"
#include "sim/plan_verb/plan_question.hpp"
#include "sim/planning/plan_json.hpp"
#include "sim/planning/plan_view.hpp"
#include "sim/planning/prices_view.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/stage_line.hpp"
#include "sim/terminal/zone_options.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// How the headings of the tables in a plan's text begin, some of them with an empty cell, and its warnings.
std::vector<PaintedLines::Rule> line_looks() {
  static const std::string empty(18, ' ');
  return {{"Strategy  ", Look::kHeading},          {empty, Look::kHeading},       {"(times in ", Look::kHeading},
          {"  spot  on demand  ", Look::kHeading}, {"What if  ", Look::kHeading}, {"warning: ", Look::kWarning}};
}

void declare_plan_options(Options& options, const Catalogue& catalogue) {
  options.add()("trace", po::value<std::string>(),
                "file of how long such machines stayed, in any format of coterie list formats")(
      "trace-format", po::value<std::string>(), "format of that file (default: recognised by its content)")(
      "option", po::value<std::vector<std::string>>(), "KEY=VALUE: how to read that file (see coterie trace --help)")(
      "estimator", po::value<std::string>(),
      "kaplan-meier (default; correct for spells that were cut off) or naive (the paper's)")(
      "tail", po::value<std::string>(),
      "what becomes of machines that outlast the last interruption: they stay (immortal), they leave (gone), or both "
      "(default: plan for both)")(
      "age", po::value<std::string>(),
      "how long the machines have been up already, and so stay at least: a time, or stationary (default 0)")(
      "risk", po::value<std::string>(), "instead of --trace: a risk of coterie list risks")(
      "classes", po::value<std::string>(),
      "instead of --trace and --machines: a CSV file with the columns machines,trace[,age], one row per class")(
      "risk-unit", po::value<std::string>(), "how long one unit of time of --risk is, such as 1h")(
      "workers", po::value<std::string>(), "number of machines, the same as --machines N")(
      "machines", po::value<std::string>(),
      "number of machines; with --deadline also a range such as 5-50, or auto: finds a number that is enough "
      "(not always the smallest)")("zones", po::value<std::string>(),
                                   "number of zones: machines of one zone may leave together (default 1); of 17 "
                                   "machines in 5 they have 4, 3, 4, 3 and 3")(
      "common", po::value<std::string>(), "part of the risk that machines of one zone share, from 0 to 1")(
      "work", po::value<std::string>()->required(), "time that one machine would need for everything, such as 40h")(
      "checkpoint", po::value<std::string>()->required(), "time that each chunk costs besides its work, such as 5min")(
      "chunks", po::value<std::string>(),
      "number of equal chunks in each group's part of the work (in all of the work where there are no groups); "
      "default auto")("strategy", po::value<std::string>(), "use this strategy instead of the best one")(
      "lambda", po::value<std::string>(),
      "highest tolerated probability that a machine is interrupted within the time that its work takes without "
      "checkpoints; it sets the number of groups, and which schedules exceed it is told (default 1)")(
      "jobs-every", po::value<std::string>(),
      "background jobs (M/M/1): mean time between arrivals on a machine; none is there when the work begins")(
      "jobs-last", po::value<std::string>(),
      "mean time that a background job takes alone; with 1, 2, ... jobs the work runs at 1/2, 1/3, ... of its speed")(
      "latency", po::value<std::string>(),
      "delay until it is known that a chunk is complete or a machine is gone (default: --checkpoint)")(
      "availability", po::value<std::string>(),
      "whether machines come back: once (never; default), renewal(down=RISK, resume=TIME) or replay(trace=FILE, "
      "window=TIME); times such as 5min, or in the unit of the risk, which is seconds with --trace")(
      "horizon", po::value<std::string>(), "with renewal(...): work done after this time does not count, such as 24h")(
      "deadline", po::value<std::string>(),
      "time by which all work should be done: shows in which share of the runs it is, and takes the schedule for which "
      "that share is greatest, if it is at least half and surely greater than that of the schedule taken without")(
      "confidence", po::value<std::string>(),
      "percentage of the runs in which all work should be done by --deadline; also shows the time by which it is done "
      "in that percentage (default 95)")(
      "price", po::value<std::string>(),
      "prices of a machine for an hour (a unit of time), such as spot=0.30,on-demand=1.00: shows which mixes are "
      "cheapest for each finishing time. Tried are 0, 1, 2, 4, ... or --machines of each kind (at most --machines in "
      "all), and --machines in all with 1, 2, 4, ... of them on demand")("frontier", po::value<std::string>(),
                                                                         "draw what --price finds to FILE.svg")(
      "export", po::value<std::string>(),
      "write the schedule to FILE.csv or FILE.json (for a dispatcher), FILE.sbatch (a Slurm job array), FILE.sub "
      "(HTCondor) or FILE.svg; or a queue with its workers to a new folder, whose name has no ending")(
      "instances", po::value<std::string>()->default_value("10000"),
      "number of runs to simulate (if not given, fewer where runs take long)")(
      "resamples", po::value<std::string>(), "number of resamples of the trace (default 200)")(
      "seed", po::value<std::string>()->default_value("1"), "same seed, same answer")(
      "format", po::value<std::string>(), "text (default) or json");
  options.positional("word", 0, 0);
  options.file("trace");
  options.file("classes");
  options.file("export", export_kinds());
  options.file("frontier", {".svg"});
  options.propose("machines", {"auto"});
  options.propose("availability", {"once", "renewal(", "replay("});
  options.propose("estimator", {"kaplan-meier", "naive"});
  options.propose("tail", {"both", "immortal", "gone"});
  options.propose("age", {"stationary"});
  options.propose("chunks", {"auto"});
  options.propose("trace-format", format_names());
  options.propose("strategy", worksharing_names(catalogue));
  options.propose("risk", risk_names(catalogue));
}

void read_background(const Options& options, const Scale& scale, PlanView& view) {
  if (options.has("jobs-every") != options.has("jobs-last"))
    throw InputError(
        "--jobs-every and --jobs-last go together: how often do background jobs come, and how long do they last?");
  if (!options.has("jobs-every")) return;
  view.answer.question.background = make_background(Expression::parse(fmt::format(
      "mm1(arrival={}, service={})", to_text(1 / scale.share("jobs-every")), to_text(1 / scale.share("jobs-last")))));
  view.jobs = {{"every", scale.length("jobs-every")}, {"last", scale.length("jobs-last")}};
  view.background = fmt::format("one every {} on average, each taking {} alone", options.text("jobs-every"),
                                options.text("jobs-last"));
}

void read_zones(const Options& options, PlanQuestion& question) {
  if (options.has("zones") != options.has("common"))
    throw InputError(
        "--zones and --common go together: how many zones are there, and which part of their risk do machines of one "
        "zone share (coterie trace info estimates it)?");
  if (!options.has("zones")) return;
  question.zones = zones_of(options);
  for (const char* name : {"jobs-every", "price"})
    if (options.has(name)) throw InputError(fmt::format("--zones cannot be combined with --{}; leave one out", name));
}

void read_granularity(const Options& options, PlanQuestion& question) {
  using Kind = heuristics::Granularity::Kind;
  if (options.text("chunks", "auto") != "auto") {
    question.granularity = {Kind::kPerSlice, static_cast<std::size_t>(options.integer("chunks", 1))};
    if (static_cast<double>(question.granularity.count) > heuristics::Chunking::kMostChunks)
      throw InputError(fmt::format("--chunks must be at most {}", to_text(heuristics::Chunking::kMostChunks)));
  } else if (!(question.startup_cost > 0)) {
    throw InputError(
        "--checkpoint 0: if chunks cost nothing there is in general no best number of them; give the cost of a chunk, "
        "or --chunks N");
  }
}

void check_files(const Options& options) {
  if (options.has("export")) {
    // Refused now rather than after all the work.
    if (names_export_folder(options.text("export")))
      require_export_folder(options.text("export"));
    else
      output_target(options.text("export"));
  }
  if (!options.has("frontier")) return;
  if (!options.has("price")) throw InputError("--frontier needs --price: it draws the mixes that --price finds");
  output_target(options.output("frontier", "a frontier is drawn as SVG"));
}

/// How many machines there are; with --classes that is not known yet.
void read_workers(const Options& options, PlanQuestion& question) {
  if (options.has("classes")) {
    for (const char* name : {"workers", "machines"})
      if (options.has(name))
        throw InputError(fmt::format("--classes says how many machines there are; leave out --{}", name));
    return;
  }
  if (options.has("workers") == options.has("machines"))
    throw InputError(options.has("workers")
                         ? "give either --workers or --machines: how many machines are there?"
                         : "--machines is missing: a number, or a range such as 5-50 to find how many meet --deadline");
  if (options.has("workers"))
    question.workers = static_cast<std::size_t>(options.integer("workers", 1));
  else if (!asks_how_many(options))
    question.workers = number_of_machines(options.text("machines"), options.text("machines"));
  if (question.workers > kMostWorkers) throw InputError(fmt::format("--workers must be at most {}", kMostWorkers));
}

void read_question(const Options& options, const Catalogue& catalogue, PlanQuestion& question) {
  question.catalogue = &catalogue;
  read_workers(options, question);
  question.seed = static_cast<std::uint64_t>(options.integer("seed", 0));
  question.instances = static_cast<std::uint64_t>(options.integer("instances", 2, 1'000'000'000));
  question.strategy = ScheduleLibrary::canonical(options.text("strategy", ""));
  if (!question.strategy.empty() && !ScheduleLibrary::is_file(question.strategy)) catalogue.strategy(question.strategy);
}

std::size_t resamples_of(const Options& options) {
  if (!options.has("resamples")) return 200;
  const auto resamples = static_cast<std::size_t>(options.integer("resamples", 0, 1'000'000));
  if (resamples > 0 && !options.has("trace"))
    warn("--resamples has no effect: only a trace that is given by --trace is resampled");
  return resamples;
}

/// For machines that do not come back.
void look_at_other_lives(const Options& options, const std::optional<TraceBasis>& basis, std::size_t resamples,
                         StageLine& stage, PlanView& view) {
  stage.show("resampling the trace");
  const bool tells = basis && basis->durations.size() > 1;  // resamples of one spell are that spell
  if (tells && resamples > 0) view.confidence = bootstrap(view.answer, *basis, resamples);
  if (basis && !tells && resamples > 0 && options.has("resamples"))
    warn("--resamples has no effect: resamples of one spell are that spell");
  stage.show("what if");
  view.circumstances = circumstances(view.answer, basis, [&](double share) {
    return view.has_unit ? length_text(share * view.work) : LengthFormat()(share * view.work);
  });
}

QueueExport queue_of(const PlanView& view) {
  const ListeningOption* central = nullptr;
  if (view.listening)
    for (const ListeningOption& option : view.listening->options)
      if (option.name == "central") central = &option;
  if (central == nullptr)
    throw InputError(
        fmt::format("--export {}: a queue was not planned here; for fixed lists name a file that ends in "
                    ".csv, .json, .sbatch or .sub",
                    view.exported));
  QueueExport queue{.workers = view.answer.question.workers,
                    .work = view.work,
                    .checkpoint = view.answer.question.startup_cost * view.work,
                    .life = view.answer.problem.risk,
                    .scale = view.work,
                    .latency = view.listening_question.latency * view.work,
                    .has_unit = view.has_unit};
  queue.take(central->goes_by);
  for (const double time : {central->done.nineteen_twentieths, central->done.half})
    if (std::isinf(queue.limit)) queue.limit = time * view.work;
  return queue;
}

/// Throws InputError if an output would replace a file that was read, or another output.
void check_outputs(const Options& options, const PlanQuestion& question, const Machines& machines) {
  std::vector<std::string> taken = machines.files();
  if (options.has("classes")) taken.push_back(options.text("classes"));
  for (const auto& [file, checksum] : question.schedules->checksums()) taken.push_back(file);
  for (const char* name : {"export", "frontier"})
    if (options.has(name)) protect_inputs(followed(options.text(name)), taken);
  const auto place = [&](const char* name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(options.text(name)));
  };
  if (options.has("export") && options.has("frontier") && place("export") == place("frontier"))
    throw InputError(
        fmt::format("--frontier {}: is the file of --export; give it another name", options.text("frontier")));
}

}  // namespace

int plan_verb(const Call& call) {
  Options options("plan --trace FILE|--risk R --machines P --work D --checkpoint D [...]",
                  "What to do with work that takes one machine the time --work, on machines that\n"
                  "may be taken away: which strategy, how many copies, how large the chunks, what\n"
                  "to expect, and how sure that is. Write times as 2d, 40h, 5min or 90s.\n"
                  "  coterie plan --trace lab.csv --machines 20 --work 40h --checkpoint 5min");
  declare_plan_options(options, call.catalogue);
  options.propose("format", {"text", "json"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  check_files(options);
  PlanView view;
  PlanQuestion& question = view.answer.question;
  read_question(options, call.catalogue, question);
  const std::size_t resamples = resamples_of(options);
  Machines machines(options, view);
  const std::optional<double> unit = machines.unit();
  const Scale scale(options, unit.has_value());
  view.work = scale.work();
  view.work_text = options.text("work");
  view.has_unit = scale.has_unit();
  std::vector<MachineClass> classes;
  if (options.has("classes")) {
    classes = read_machine_classes(options.text("classes"), kMostWorkers);
    question.workers = 0;
    for (const MachineClass& one : classes) question.workers += one.machines;
  }
  question.schedules = std::make_shared<ScheduleLibrary>("", scale.work());
  if (ScheduleLibrary::is_file(question.strategy)) question.schedules->get(question.strategy);
  question.startup_cost = scale.share("checkpoint");
  question.lambda = options.number("lambda", 1);
  read_zones(options, question);
  read_granularity(options, question);
  std::optional<TraceBasis> basis;
  if (options.has("trace")) {
    basis = machines.live_by_trace(scale);
  } else if (options.has("classes")) {
    machines.live_by_classes(scale, classes);
  } else {
    machines.live_by_risk(scale, unit.value_or(1));
  }
  const PlanAvailability availability(options, scale, machines.library(), machines.risk_text(),
                                      machines.unit_of_question(), unit, question.workers);
  machines.warn_of_files();
  if (availability.comes_back()) {
    if (question.if_gone)
      throw InputError(
          "--availability: say whether machines that outlast the last interruption stay or leave: --tail immortal or "
          "gone");
    machines.end_at(availability.horizon());
    availability.tell(options, view);
  }
  check_outputs(options, question, machines);
  if (options.has("price")) refuse_what_prices_do_not_know(options, view);
  read_background(options, scale, view);
  StageLine stage;
  stage.show("planning");
  ask_how_many_machines(options, scale, machines, stage, view);
  stage.show("planning");
  view.answer = answer(PlanQuestion(question));
  view.listening_question = listening_question(options, scale, question);
  availability.ask(view.listening_question);
  stage.show("listening");
  ask_what_listening_is_worth(options, view);
  if (options.has("price")) ask_prices(options, machines, stage, view);
  if (!availability.comes_back()) look_at_other_lives(options, basis, resamples, stage, view);
  if (options.has("export")) {
    view.exported = options.text("export");
    const std::filesystem::path path = view.exported;
    const ListsExport lists{path.stem(), view.has_unit, !view.coming_back.empty()};
    if (names_export_folder(path))
      export_queue(path, queue_of(view));
    else
      write_text_durably(path, exported_lists(chosen_schedule(view), lists, path.extension()));
  }
  if (options.has("frontier")) write_text_durably(options.text("frontier"), price_svg(view));
  stage.finish();
  if (format == "json")
    std::cout << json_text(plan_json(view)) << '\n';
  else
    std::cout << PaintedLines{plan_text(view), line_looks()};
  return 0;
}

}  // namespace coterie::sim
