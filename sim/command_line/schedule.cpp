#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/worksharing/random_replication.hpp"
#include "heuristics/worksharing/zone_placement.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/drawing/schedule_view.hpp"
#include "sim/input/json_text.hpp"
#include "sim/input/risks.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/zone_options.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

heuristics::Granularity granularity_of(const Options& options) {
  using Kind = heuristics::Granularity::Kind;
  if (options.has("chunks") && options.has("chunks-per-slice"))
    throw InputError("--chunks and --chunks-per-slice exclude each other; give one of them");
  if (options.has("chunks-per-slice")) {
    const auto count = static_cast<std::size_t>(options.integer("chunks-per-slice", 1));
    if (static_cast<double>(count) > heuristics::Chunking::kMostChunks)
      throw InputError(
          fmt::format("--chunks-per-slice must be at most {}", to_text(heuristics::Chunking::kMostChunks)));
    return {Kind::kPerSlice, count};
  }
  return heuristics::Granularity::parse(options.text("chunks", "auto"));
}

/// The risks of the workers, where they differ from the one that the schedule is made for.
void set_workers(heuristics::WorksharingProblem& problem, const UserRisk& risk) {
  if (risk.draws_ages())
    throw InputError(
        "--risk: only a campaign draws the ages of age=drawn, by its seed; here write them as age=each(SECONDS, ...), "
        "or take age=stationary, whose expected work is the mean over such draws");
  problem.worker_risks = risk.of_workers(problem.workers, {});  // nothing is drawn
  if (problem.worker_risks == std::vector{problem.risk}) problem.worker_risks.clear();
}

/// How lists are placed in zones; null where zones make no difference. known also compares with one blind deal.
std::shared_ptr<const heuristics::ZonePlacement> placement_of(const Options& options,
                                                              const heuristics::WorksharingProblem& problem) {
  using heuristics::ZonePlacement;
  const Zones zones = zones_of(options);
  for (const char* name : {"zones", "placement"})
    if (options.has(name) && !options.has("common"))
      warn(fmt::format("--{} has no effect without --common, the part of their risk that workers of one zone share",
                       name));
  const std::vector<std::string>& words = ZonePlacement::words();
  const auto place = std::find(words.begin(), words.end(), options.choice("placement")) - words.begin();
  if (!zones.bind(problem.workers)) return nullptr;
  return std::make_shared<const ZonePlacement>(problem, zones, static_cast<ZonePlacement::Rule>(place),
                                               StreamKey::derive(0, 0, Use::kDeal));
}

/// The expected work of a plan on the workers of a problem, which may differ from the one it was made for.
double expected_under(const heuristics::WorksharingProblem& problem, const Zones& zones, const heuristics::Plan& plan) {
  if (plan.schedule) return expected_work(*plan.schedule, problem.risks(), zones);
  if (zones.bind(problem.workers))
    return heuristics::expected_by_random_replication(*plan.random, problem.risks(), problem.workers, zones);
  return heuristics::expected_by_random_replication(problem, plan.random->chunking, plan.random->tasks);
}

/// The strategy to use, under the name it has in results.
std::string strategy_of(const Options& options) {
  if (options.has("strategy") == options.has("import"))
    throw InputError("give either --strategy NAME or --import FILE.csv: which schedule?");
  const std::string name = ScheduleLibrary::canonical(
      options.has("strategy") ? options.text("strategy")
                              : fmt::format("file(path={})", traces::quoted_if_needed(options.text("import"))));
  if (ScheduleLibrary::is_file(name))
    for (const char* option : {"chunks", "chunks-per-slice", "coteries", "lambda", "placement"})
      if (options.has(option))
        throw InputError(fmt::format("--{}: the schedule of a file is used as it is; leave out this option", option));
  return name;
}

}  // namespace

int schedule_verb(const Call& call) {
  namespace po = boost::program_options;
  Options options(
      "schedule --strategy NAME|--import FILE.csv --workers P --work W [--chunks N|auto] [--startup E] [--risk R] "
      "[--zones Z --common RHO] [--format table|json|csv|svg]",
      "Builds one schedule, or reads yours, and shows which worker runs which chunk when, and the expected work.\n"
      "FILE.csv has a header and one row per task: worker (from 0), begin and end of the chunk, and optionally order, "
      "finish and chunk, as --format csv writes them. Lengths are in the unit of --work (seconds from coterie plan "
      "--export). Without order, tasks run in the order of the rows. A worker runs its tasks back to back, with the "
      "start-up cost before each; a finish that says otherwise is refused. Chunks may overlap in any way.");
  options.add()("strategy", po::value<std::string>(), "see coterie list strategies")(
      "import", po::value<std::string>(), "your own schedule, instead of a strategy")(
      "workers", po::value<std::string>()->required(), "number of workers")(
      "work", po::value<std::string>()->required(), "workload, in units of work")(
      "chunks", po::value<std::string>(), "chunks per unit of work, auto (default) or auto-paper")(
      "chunks-per-slice", po::value<std::string>(),
      "number of equal chunks of each slice (of all work without slices)")(
      "coteries", po::value<std::string>(),
      "number of coteries (default: the fewest whose slices are no longer than --lambda allows)")(
      "startup", po::value<std::string>(), "start-up cost of a chunk, in units of work (default 0)")(
      "risk", po::value<std::string>(), "risk function (default linear)")(
      "lambda", po::value<std::string>(),
      "its quantile of the risk is maxsl, from which the number of coteries follows (default 1)")(
      "zones", po::value<std::string>(),
      "number of zones of neighbouring workers (default 1); of 17 workers in 5 they have 4, 3, 4, 3 and 3")(
      "common", po::value<std::string>(), "part of a worker's hazard that it shares with its zone (default 0)")(
      "placement", po::value<std::string>(),
      "where copies go: known (default: the best placement found for these zones), packed (in one zone) or spread (in "
      "different zones)")("format", po::value<std::string>(), "table (default), json, csv or svg");
  options.positional("word", 0, 0);
  options.file("import", {".csv"});
  options.propose("format", {"table", "json", "csv", "svg"});
  options.propose("strategy", worksharing_names(call.catalogue));
  options.propose("risk", risk_names(call.catalogue));
  options.propose("chunks", {"auto", "auto-paper"});
  options.propose("placement", {"known", "packed", "spread"});  // blind: a campaign deals by its seed
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  RiskLibrary risks("", call.catalogue.risks());
  ScheduleView view;
  ScheduleLibrary schedules("");
  view.strategy = strategy_of(options);
  if (!ScheduleLibrary::is_file(view.strategy)) call.catalogue.strategy(view.strategy);
  view.problem.workers = static_cast<std::size_t>(options.integer("workers", 1));
  view.problem.work = options.number("work");
  view.problem.startup_cost = options.number("startup", 0);
  const auto risk = risks.resolve(options.text("risk", "linear"));
  for (const std::string& note : risks.notes())  // a trace is described only if not all of it is used as it is
    if (note.find("\n  warning: ") != std::string::npos) std::cerr << painted_note(printable(note, "\n")) << '\n';
  view.problem.risk = risk->planned();
  view.problem.lambda = options.number("lambda", 1);
  if (options.has("coteries")) view.problem.coteries = static_cast<std::size_t>(options.integer("coteries", 1));
  view.problem.validate();
  set_workers(view.problem, *risk);
  const auto placement = placement_of(options, view.problem);
  if (placement) view.zones = placement->zones();
  view.plan = call.catalogue.plan(view.strategy, schedules, view.problem, granularity_of(options), placement);
  if (!view.problem.worker_risks.empty() || placement)
    view.plan.expected_work = expected_under(view.problem, view.zones, view.plan);
  if (const auto gone = risk->if_gone()) {
    heuristics::WorksharingProblem other = view.problem;
    other.risk = gone->planned();
    set_workers(other, *gone);
    view.expected_work_if_gone = expected_under(other, view.zones, view.plan);
  }
  view.brought = ScheduleLibrary::is_file(view.strategy);
  if (format != "csv" && format != "svg") {
    const double ceiling = heuristics::static_ceiling(view.problem);
    if (!std::isnan(ceiling)) view.ceiling = ceiling;
  }
  if (view.problem.coteries > 0 && view.plan.coteries.empty())
    warn(fmt::format("--coteries: {} makes no coteries, so {} has no effect", view.strategy, view.problem.coteries));
  if (!view.plan.schedule && (format == "csv" || format == "svg"))
    throw InputError(
        fmt::format("--format {}: {} draws its orders anew for each instance, so there is no one schedule to "
                    "write; use table or json",
                    format, view.strategy));
  if (format == "json") {
    std::cout << json_text(schedule_json(view)) << '\n';
  } else if (format == "csv") {
    std::cout << schedule_csv(view);
  } else if (format == "svg") {
    std::cout << schedule_svg(view);
  } else {
    std::cout << PaintedLines{schedule_text(view), {{"coterie ", Look::kHeading}, {"worker  tasks", Look::kHeading}}};
  }
  return 0;
}

}  // namespace coterie::sim
