#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "sim/command_line/known_names.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/risks.hpp"
#include "sim/schedule_view.hpp"

namespace coterie::sim {
namespace {

heuristics::Granularity granularity_of(const Options& options) {
  using Kind = heuristics::Granularity::Kind;
  if (options.has("chunks") && options.has("chunks-per-slice"))
    throw InputError("--chunks and --chunks-per-slice exclude each other");
  if (options.has("chunks-per-slice")) {
    const auto count = static_cast<std::size_t>(options.integer("chunks-per-slice", 1));
    if (static_cast<double>(count) > heuristics::Chunking::kMostChunks)
      throw InputError(
          fmt::format("--chunks-per-slice must be at most {}", to_text(heuristics::Chunking::kMostChunks)));
    return {Kind::kPerSlice, count};
  }
  return heuristics::Granularity::parse(options.text("chunks", "auto"));
}

}  // namespace

int schedule_verb(const Call& call) {
  namespace po = boost::program_options;
  Options options(
      "schedule --strategy NAME --workers P --work W [--chunks N|auto] [--startup E] [--risk R] [--format "
      "table|json|csv|svg]",
      "Builds one schedule and shows it: who runs which chunk when, and what that is worth.");
  options.add()("strategy", po::value<std::string>()->required(), "see coterie list strategies")(
      "workers", po::value<std::string>()->required(), "number of workers")(
      "work", po::value<std::string>()->required(), "workload in work units")(
      "chunks", po::value<std::string>(), "chunks per unit of work, auto (default) or auto-paper")(
      "chunks-per-slice", po::value<std::string>(),
      "number of equal chunks of each slice (of all work without slices)")(
      "coteries", po::value<std::string>(), "number of coteries in place of ceil(W_dpl / maxsl)")(
      "startup", po::value<std::string>(), "start-up cost of a chunk in work units (default 0)")(
      "risk", po::value<std::string>(), "risk function (default linear)")(
      "lambda", po::value<std::string>(), "greatest tolerated probability of interruption (default 1)")(
      "format", po::value<std::string>(), "table (default), json, csv or svg");
  options.positional("word", 0, 0);
  options.propose("format", {"table", "json", "csv", "svg"});
  options.propose("strategy", worksharing_names(call.catalogue));
  options.propose("risk", risk_names(call.catalogue));
  options.propose("chunks", {"auto", "auto-paper"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  RiskLibrary risks("", call.catalogue.risks());
  ScheduleView view;
  view.strategy = options.text("strategy");
  const auto& strategy = call.catalogue.strategy(view.strategy);
  view.problem.workers = static_cast<std::size_t>(options.integer("workers", 1));
  view.problem.work = options.number("work");
  view.problem.startup_cost = options.number("startup", 0);
  view.problem.risk = risks.get(options.text("risk", "linear"));
  view.problem.lambda = options.number("lambda", 1);
  if (options.has("coteries")) view.problem.coteries = static_cast<std::size_t>(options.integer("coteries", 1));
  view.problem.validate();
  if (!risks.alike(options.text("risk", "linear")))
    throw InputError(
        "--risk: the workers of mix(...), age=drawn and age=each differ, which a campaign lives through (coterie run); "
        "give one risk here, or age=stationary");
  view.plan = strategy.build(view.problem, granularity_of(options));
  if (view.problem.coteries > 0 && view.plan.coteries.empty())
    std::cerr << fmt::format("--coteries: the schedule of {} has none, so that {} were not made\n", view.strategy,
                             view.problem.coteries);
  if (!view.plan.schedule && (format == "csv" || format == "svg"))
    throw InputError(
        fmt::format("--format {}: the orders of {} are drawn anew for each instance", format, view.strategy));
  if (format == "json") {
    std::cout << json_text(schedule_json(view)) << '\n';
  } else if (format == "csv") {
    std::cout << schedule_csv(view);
  } else if (format == "svg") {
    std::cout << schedule_svg(view);
  } else {
    std::cout << schedule_text(view);
  }
  return 0;
}

}  // namespace coterie::sim
