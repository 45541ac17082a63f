#include "sim/models/sharing_axes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/infinity.hpp"
#include "core/text.hpp"
#include "sim/input/schedule_file.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {

using heuristics::Granularity;
using heuristics::WorksharingProblem;
using heuristics::ZonePlacement;

RiskPtr risk_of(const Configuration& configuration, RiskLibrary& risks) {
  return risks.get(configuration.text("risk"), configuration.place("risk"));
}

Granularity granularity_of(const Configuration& configuration) {
  return Granularity::parse(configuration.text("chunks"), configuration.place("chunks"));
}

WorksharingProblem problem_of(const Configuration& configuration, const RiskPtr& risk) {
  const double lambda = configuration.number("lambda");
  require_axis(configuration, "lambda", lambda > 0 && lambda <= 1, "above 0 and at most 1");
  const WorksharingProblem problem{count_axis(configuration, "workers", 1, WorksharingProblem::kMostWorkers),
                                   positive_axis(configuration, "work"),
                                   cost_axis(configuration, "startup"),
                                   risk,
                                   lambda,
                                   0};
  if (problem.work < WorksharingProblem::kLeastWork)  // the text is made only where it is needed
    require_axis(configuration, "work", false,
                 fmt::format("at least {}; take a smaller unit", to_text(WorksharingProblem::kLeastWork)));
  if (problem.startup_cost > WorksharingProblem::kMostStartup)
    require_axis(configuration, "startup", false,
                 fmt::format("at most {}; take a larger unit", to_text(WorksharingProblem::kMostStartup)));
  if (!(problem.max_slice() > 0)) {
    require_axis(configuration, "lambda", !(problem.for_any_lambda().max_slice() > 0),
                 "large enough to leave some work before that risk is reached");
    throw InputError(configuration.place("risk"), "no work can be done: every worker is interrupted at once");
  }
  return problem;
}

void make_chunks_canonical(Configuration& configuration) {
  const Granularity granularity = granularity_of(configuration);
  if (granularity.kind == Granularity::Kind::kPerUnit)
    configuration.values.set_canonical("chunks", std::to_string(granularity.count));
}

void accept_chunks(const TrialRequest& request) {
  constexpr double kMostChunks = heuristics::Chunking::kMostChunks;
  const Configuration& configuration = request.configuration;
  const auto has_its_own = [](const std::string& name) { return ScheduleLibrary::file_in(name).has_value(); };
  if (std::all_of(request.strategies.begin(), request.strategies.end(), has_its_own)) return;
  const Granularity granularity = granularity_of(configuration);
  const bool searched =
      granularity.kind == Granularity::Kind::kAuto || granularity.kind == Granularity::Kind::kAutoPaper;
  if (searched && configuration.number("startup") <= 0)
    throw InputError(configuration.place("startup"),
                     fmt::format("startup = 0 with chunks = \"{}\": without a start-up cost no number is the best in "
                                 "general; give a whole number of chunks",
                                 configuration.text("chunks")));
  if (granularity.kind == Granularity::Kind::kPerUnit &&
      configuration.number("work") * static_cast<double>(granularity.count) > kMostChunks)
    throw InputError(configuration.place("chunks"),
                     fmt::format("work {} at {} chunks per unit makes more than {} chunks", configuration.text("work"),
                                 granularity.count, to_text(kMostChunks)));
}

void accept_file(const std::string& strategy, const TrialRequest& request) {
  const Configuration& configuration = request.configuration;
  const auto misfit =
      request.schedules->get(strategy)->misfit(problem_of(configuration, risk_of(configuration, request.risks)));
  if (misfit)
    throw InputError(configuration.place(misfit->axis),
                     fmt::format("{} = {} does not fit the schedule: {}", misfit->axis,
                                 configuration.text(misfit->axis), misfit->problem));
  request.schedules->check_cover(strategy, configuration.number("work"));
}

Axis lambda_axis() {
  return {"lambda", Axis::Kind::kNumber,
          "1",      "its quantile of the risk is maxsl, which sets the number of coteries and the loads of workers",
          "1",      "in (0, 1]"};
}

std::vector<Axis> with_sharing_axes(const std::vector<Axis>& own) {
  std::vector<Axis> axes = {
      {"workers", Axis::Kind::kWhole, "1", "number of workers", "", "1 to 1000000"},
      {"work", Axis::Kind::kNumber, "work", "workload", "", "> 0"},
      {"chunks", Axis::Kind::kText, "", "chunks per unit of work, auto or auto-paper", "auto",
       "a whole number, auto or auto-paper"},
      {"startup", Axis::Kind::kNumber, "work", "start-up cost of a chunk", "", ">= 0", true, true},
      {"risk", Axis::Kind::kText, "", "risk function of a worker", "linear(kappa=1)", "see coterie list risks", true,
       true}};
  axes.insert(axes.end(), own.begin(), own.end());
  axes.insert(
      axes.end(),
      {{"zones", Axis::Kind::kWhole, "1",
        "number of zones, whose workers may be interrupted together: worker w of p is in zone floor(w zones / p), so "
        "that "
        "of 17 workers in 5 zones they have 4, 3, 4, 3 and 3",
        "1", "1 to 1000000", false},
       {"common", Axis::Kind::kNumber, "1", "part of the hazard of a worker that its zone shares", "0", "0 to 1",
        false},
       {"placement", Axis::Kind::kText, "",
        "where the lists of a plan are placed: packed: copies within a zone; spread: across zones; blind: at random, "
        "by the seed; known: whichever is expected to complete most",
        "known", "known, packed, spread or blind", false}});
  return axes;
}

Zones zones_of(const Configuration& configuration) {
  if (configuration.values.find("zones") == nullptr) return {};
  const double common = configuration.number("common");
  require_axis(configuration, "common", common >= 0 && common <= 1, "from 0 to 1");
  return {count_axis(configuration, "zones", 1, WorksharingProblem::kMostWorkers), common};
}

void check_zones(const Configuration& configuration) {
  zones_of(configuration);
  choice_axis(configuration, "placement", ZonePlacement::words());
}

std::shared_ptr<const ZonePlacement> placement_of(const WorksharingProblem& problem, const TrialRequest& request) {
  const Configuration& configuration = request.configuration;
  const Zones zones = zones_of(configuration);
  if (!zones.bind(problem.workers)) return nullptr;
  const auto rule = static_cast<ZonePlacement::Rule>(choice_axis(configuration, "placement", ZonePlacement::words()));
  return std::make_shared<const ZonePlacement>(problem, zones, rule,
                                               StreamKey::derive(request.seed, configuration.identity, Use::kDeal));
}

SampledTimes times_of(const WorksharingProblem& problem, const TrialRequest& request) {
  CutRisks whole;
  return times_of(problem, request, whole, kInfinity);
}

SampledTimes times_of(const WorksharingProblem& problem, const TrialRequest& request, CutRisks& cut, double horizon) {
  const Configuration& configuration = request.configuration;
  const StreamKey ages = StreamKey::derive(request.seed, configuration.identity, Use::kAge);
  const auto risk = request.risks.resolve(configuration.text("risk"), configuration.place("risk"));
  std::vector<RiskPtr> lives = risk->of_workers(problem.workers, ages);
  CutRisks own;  // drawn ages are made anew at each call: nobody else meets these risks
  for (RiskPtr& life : lives) life = (risk->draws_ages() ? own : cut)(life, horizon);
  return {std::move(lives), problem.workers,        problem.startup_cost,
          request.seed,     configuration.identity, zones_of(configuration)};
}

}  // namespace coterie::sim
