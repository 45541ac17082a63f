#include "sim/models/worksharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "core/expected_ratio.hpp"
#include "core/infinity.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "sim/drawing/schedule_view.hpp"
#include "sim/input/schedule_file.hpp"
#include "sim/kernels/same_work.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/models/sharing_axes.hpp"
#include "sim/models/worksharing_trial.hpp"
#include "sim/sampling/background.hpp"
#include "sim/sampling/capacity_risk.hpp"
#include "sim/sampling/sampled_times.hpp"

namespace coterie::sim {
namespace {

using heuristics::Granularity;
using heuristics::Plan;
using heuristics::WorksharingProblem;

/// "greedy: workers = 5, work = 2, startup = 0.01, risk = linear"
std::string caption(const std::string& strategy, const Configuration& configuration) {
  std::string text = strategy;
  for (const char* axis : {"workers", "work", "startup", "risk"})
    text += fmt::format("{} {} = {}", text == strategy ? ":" : ",", axis, configuration.text(axis));
  return text;
}

class WorksharingModel final : public Model {
 public:
  explicit WorksharingModel(std::vector<heuristics::Strategy> strategies)
      : Model({.name = "worksharing",
               .summary = "static schedules on identical workers that may be interrupted",
               .source = "worksharing-2013",
               .metric = "work completed",
               .metric_unit = "work",
               .reference = "omniscient",
               .ceilings = {{"static_ceiling", "upper bound on the expected work of any static schedule"}}}),
        strategies_(std::move(strategies)) {}

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = with_sharing_axes({
        {"planned_risk", Axis::Kind::kText, "",
         "risk for which the schedules are made; same: the true one, "
         "by worker; capacity: that one and the background's law",
         "same", "same, capacity or a risk"},
        lambda_axis(),
        {"background", Axis::Kind::kText, "", "background jobs on the workers", "none", "see coterie list backgrounds"},
    });
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list = strategy_texts(strategies_);
    list.insert(list.end(), file_strategies().begin(), file_strategies().end());
    return list;
  }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    const RiskPtr risk = risk_of(configuration, risks);
    configuration.values.set_canonical("risk", risks.resolve(configuration.text("risk"))->canonical());
    const auto background = background_of(configuration);
    if (configuration.text("planned_risk") != kCapacity) {  // its law is known when the trial is prepared
      problem_of(configuration, planned_risk_of(configuration, risks));
      if (configuration.text("planned_risk") != kSame)
        configuration.values.set_canonical("planned_risk",
                                           risks.resolve(configuration.text("planned_risk"))->canonical());
    }
    configuration.values.set_canonical("background", background ? background->text() : "none");
    problem_of(configuration, risk);
    make_chunks_canonical(configuration);
    check_zones(configuration);
  }

  void accept(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    accept_chunks(request);
    for (const std::string& name : request.strategies) {
      if (ScheduleLibrary::is_file(name)) {
        accept_file(name, request);
        continue;
      }
      const auto refuse = find_row(strategies_, name, "strategy").refuse;
      if (refuse == nullptr) continue;
      try {  // planned_risk does not matter for it, and the law of a capacity takes long to find
        refuse(problem_of(configuration, risk_of(configuration, request.risks)), granularity_of(configuration));
      } catch (const InputError& error) {
        throw InputError(configuration.place("workers"), error.what());
      }
    }
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    const Prepared prepared = prepared_for(request);
    return trial_of(prepared, plans_of(prepared, request), request);
  }

  /// With background jobs, which also slow workers down together, none is known, nor for very many unlike workers. In
  /// zones no schedule expects more than on independent workers (core/zones.hpp), so their ceiling holds.
  std::vector<double> ceiling_values(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    if (background_of(configuration)) return {std::nan("")};
    WorksharingProblem problem = problem_of(configuration, risk_of(configuration, request.risks));
    problem.worker_risks = times_of(problem, request).risks();  // whatever they were planned by
    return {heuristics::static_ceiling(problem, &memory_)};
  }

  std::vector<BoundedNumber> expected_ratios(const TrialRequest& request) const override {
    const Prepared prepared = prepared_for(request);
    const std::vector<NamedPlan> plans = plans_of(prepared, request);
    std::vector<BoundedNumber> ratios;
    for (std::size_t s = 0; s < plans.size(); ++s) {
      ratios.push_back({std::nan(""), std::nan("")});
      const Schedule* const schedule = plans[s].plan.schedule.get();
      if (!schedule) continue;  // of random orders
      std::size_t first = 0;    // of those that complete the same work
      while (first < s &&
             !(plans[first].plan.schedule && complete_the_same_work(*plans[first].plan.schedule, *schedule)))
        ++first;
      if (first < s)
        ratios.back() = ratios[first];
      else if (const auto known = expected_ratio(*schedule, prepared.times.risks(), prepared.problem.startup_cost,
                                                 prepared.problem.work))
        ratios.back() = *known;
    }
    return ratios;
  }

  double drawing_size(const Configuration& configuration) const override {
    constexpr double kMostWorkers = 40;
    const double workers = configuration.number("workers");
    return workers > kMostWorkers ? kInfinity : workers * configuration.number("work");
  }

  std::vector<Picture> pictures(const TrialRequest& request) const override {
    constexpr std::size_t kMostPictures = 8;
    constexpr std::size_t kMostTasks = 3000;
    const Prepared prepared = prepared_for(request);
    const Configuration& configuration = request.configuration;
    const std::vector<NamedPlan> plans = plans_of(prepared, request);
    const std::vector<StrategyFacts> facts = trial_of(prepared, plans, request)->facts();
    std::vector<Picture> pictures;
    for (std::size_t s = 0; s < plans.size() && pictures.size() < kMostPictures; ++s) {
      ScheduleView view{plans[s].name, prepared.problem, plans[s].plan};
      if (!view.plan.schedule || task_count(*view.plan.schedule) > kMostTasks) continue;
      view.problem.risk = risk_of(configuration, request.risks);  // whatever risk the plans were made for
      view.problem.worker_risks = prepared.times.risks();
      view.plan.expected_work = facts[s].expected;
      if (background_of(configuration)) view.remark = "times without background jobs";
      pictures.push_back({caption(view.strategy, configuration), schedule_svg(view)});
    }
    return pictures;
  }

  std::optional<std::string> why_not_exact(const Configuration& configuration) const override {
    constexpr std::size_t kMostWorkers = 1 << 16;  // the laws of their sums have up to 512 points for each
    const auto workers = static_cast<std::size_t>(configuration.number("workers"));
    if (workers > kMostWorkers)
      return fmt::format("needs the law of the sum of all capacities, which is computed for at most {} workers, not {}",
                         kMostWorkers, workers);
    const Zones zones = zones_of(configuration);
    if (zones.bind(workers))
      return fmt::format("needs exact means, which are not known for workers in {} zones with common = {}", zones.count,
                         configuration.text("common"));
    if (configuration.text("background") != "none")
      return fmt::format("needs exact means, which are not known with the background {}",
                         configuration.text("background"));
    return std::nullopt;
  }

 private:
  /// What a trial is made of.
  struct Prepared {
    WorksharingProblem problem;
    Granularity granularity;
    SampledTimes times;
  };

  std::unique_ptr<Trial> trial_of(const Prepared& prepared, const std::vector<NamedPlan>& plans,
                                  const TrialRequest& request) const {
    const Configuration& configuration = request.configuration;
    return make_worksharing_trial(prepared.problem, plans,
                                  {prepared.times, background_of(configuration), request.seed, configuration.identity,
                                   configuration.place("background")},
                                  exact_capacities_);
  }

  Prepared prepared_for(const TrialRequest& request) const {
    const Configuration& configuration = request.configuration;
    WorksharingProblem problem = problem_of(configuration, planned_risk_of(configuration, request.risks));
    Granularity granularity = granularity_of(configuration);
    if (configuration.text("planned_risk") != kCapacity) granularity.memory = &memory_;  // its law is made anew
    SampledTimes times = times_of(problem, request);
    // Who plans by another risk knows that one only, of every worker.
    const bool as_they_live = problem.risk == risk_of(configuration, request.risks) && !plans_by_name(configuration);
    if (as_they_live && times.risks() != std::vector{problem.risk}) problem.worker_risks = times.risks();
    return {std::move(problem), std::move(granularity), std::move(times)};
  }

  std::vector<NamedPlan> plans_of(const Prepared& prepared, const TrialRequest& request) const {
    // Who plans by a table of the law of capacities may ask the law itself which plan is best.
    heuristics::PlanCache::Judge judge;
    const auto background = background_of(request.configuration);
    const auto placement = placement_of(prepared.problem, request);
    if (background && !(placement && placement->known()) && request.configuration.text("planned_risk") == kCapacity)
      judge = [&](std::span<const Plan* const> list) { return best_by_law(list, prepared.times.risks(), *background); };
    heuristics::PlanCache cache(prepared.problem, prepared.granularity, judge, placement);
    std::vector<NamedPlan> plans;
    for (const std::string& name : request.strategies)  // a file says itself who runs what
      plans.push_back({name, ScheduleLibrary::is_file(name)
                                 ? request.schedules->get(name)->plan(prepared.problem)
                                 : cache.placed(find_row(strategies_, name, "strategy").builder)});
    return plans;
  }

  /// The first of those of greatest exact expected work; the first of all where that is not known.
  std::size_t best_by_law(std::span<const Plan* const> plans, std::span<const RiskPtr> risks,
                          const Background& background) const {
    std::vector<double> expected;
    for (const Plan* plan : plans) {
      expected.push_back(plan->schedule ? exact_capacities_.expected_work(*plan->schedule, risks, background)
                                        : std::nan(""));
      if (std::isnan(expected.back())) return 0;
    }
    return static_cast<std::size_t>(std::max_element(expected.begin(), expected.end()) - expected.begin());
  }

  static constexpr const char* kSame = "same";
  static constexpr const char* kCapacity = "capacity";

  static bool plans_by_name(const Configuration& configuration) {
    const std::string planned = configuration.text("planned_risk");
    return planned != kSame && planned != kCapacity;
  }

  static RiskPtr planned_risk_of(const Configuration& configuration, RiskLibrary& risks) {
    if (configuration.text("planned_risk") == kSame) return risk_of(configuration, risks);
    if (configuration.text("planned_risk") == kCapacity) {
      const auto background = background_of(configuration);
      if (!background) return risk_of(configuration, risks);
      const double limit = 2 * (configuration.number("work") + configuration.number("startup"));
      return std::make_shared<CapacityRisk>(risk_of(configuration, risks), *background, limit);
    }
    return risks.get(configuration.text("planned_risk"), configuration.place("planned_risk"));
  }

  static std::shared_ptr<const Background> background_of(const Configuration& configuration) {
    return make_background(Expression::parse(configuration.text("background"), configuration.place("background")));
  }

  std::vector<heuristics::Strategy> strategies_;
  mutable heuristics::SliceCache memory_;
  mutable ExactCapacities exact_capacities_;
};

}  // namespace

std::unique_ptr<const Model> make_worksharing_model(std::vector<heuristics::Strategy> strategies) {
  return std::make_unique<WorksharingModel>(std::move(strategies));
}

}  // namespace coterie::sim
