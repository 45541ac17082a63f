#include "sim/models/dispatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/table.hpp"
#include "core/text.hpp"
#include "heuristics/ceilings/listening_ceiling.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/chunks/slice_cache.hpp"
#include "heuristics/worksharing/random_replication.hpp"
#include "heuristics/worksharing/whole_tasks.hpp"
#include "sim/input/schedule_file.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/models/crew_axes.hpp"
#include "sim/models/dispatch_trial.hpp"
#include "sim/models/sharing_axes.hpp"
#include "sim/sampling/availability.hpp"

namespace coterie::sim {
namespace {

using heuristics::Granularity;
using heuristics::Listening;
using heuristics::ListeningStrategy;
using heuristics::WorksharingProblem;

constexpr double kMostListened = 100'000;  // workers

std::string skip_name(const std::string& strategy) { return fmt::format("skip({})", strategy); }

double delay_axis(const Configuration& configuration, const std::string& axis) {
  const double value = configuration.number(axis);
  require_axis(configuration, axis, value >= 0, "0 or more; inf: never");
  return value;
}

Listening listening_of(const Configuration& configuration) {
  Listening listening;
  listening.latency = delay_axis(configuration, "latency");
  listening.notice = delay_axis(configuration, "notice");
  listening.prefetch = count_axis(configuration, "prefetch", 0, 1);
  listening.drop = choice_axis(configuration, "drop", {"yes", "no"}) == 0;
  listening.horizon = horizon_of(configuration);
  require_axis(configuration, "prefetch", listening.prefetch > 0 || std::isfinite(listening.latency),
               "1 if latency = inf: a worker that waits for an answer would wait forever");
  return listening;
}

std::vector<Axis> with_availability(std::vector<Axis> axes) {
  for (const auto* more : {&availability_axes(), &crew_axes()}) axes.insert(axes.end(), more->begin(), more->end());
  return axes;
}

bool comes_back(const Configuration& configuration) {
  return configuration.values.at("availability").canonical != "once";
}

class DispatchModel final : public Model {
 public:
  DispatchModel(std::vector<heuristics::Strategy> strategies, std::vector<ListeningStrategy> policies)
      : Model({.name = "dispatch",
               .summary = "schedules that listen: work handed out by what has been completed",
               .source = "beyond worksharing-2013",
               .metric = "work completed",
               .metric_unit = "work",
               .reference = "omniscient",
               .instances_of = "worksharing",
               .measures = true,
               .ceilings = {{"static_ceiling", "upper bound on the expected work of any static schedule"},
                            {"listening_ceiling", "upper bound on the expected work of any policy that listens"}}}),
        strategies_(std::move(strategies)),
        policies_(std::move(policies)) {
    // Random orders are drawn anew for each instance: they have no list to skip from.
    for (const heuristics::Strategy& strategy : strategies_)
      if (strategy.builder != heuristics::alone<heuristics::random_replication_plan>) skipped_.push_back(&strategy);
  }

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = with_sharing_axes(with_availability({
        lambda_axis(),
        {"latency", Axis::Kind::kNumber, "work", "time until a completed chunk is known; inf: never", "0",
         ">= 0, inf allowed", false},
        {"notice", Axis::Kind::kNumber, "work",
         "time until an interruption is known; inf: only from chunks that are not reported", "latency",
         ">= 0, inf allowed", false},
        {"prefetch", Axis::Kind::kWhole, "1",
         "1: a worker gets its next chunk in time; 0: it waits twice the latency for it", "1", "0 or 1", false},
        {"drop", Axis::Kind::kText, "", "whether a worker abandons a chunk that is known to be complete elsewhere",
         "yes", "yes or no", false},
    }));
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list = strategy_texts(strategies_);
    for (const StrategyText& file : file_strategies()) {
      list.push_back(file);
      list.push_back({skip_name(file.name),
                      "skip(file(path=FILE.csv)): your schedule without what is known to be complete", file.source});
    }
    for (const heuristics::Strategy* strategy : skipped_)
      list.push_back({skip_name(strategy->name), fmt::format("{} without what is known to be complete", strategy->name),
                      "beyond worksharing-2013"});
    for (const ListeningStrategy& policy : policies_) list.push_back({policy.name, policy.summary, policy.source});
    return list;
  }

  std::string why_no_strategy(const std::string& name) const override {
    if (!name.starts_with("skip(") || !name.ends_with(")")) return {};
    const std::string inner = name.substr(5, name.size() - 6);
    const std::vector<std::string> known = names_in(strategies());
    const auto is_known = [&](const std::string& one) {
      return std::find(known.begin(), known.end(), one) != known.end();
    };
    if (is_known(name) || !is_known(inner)) return {};
    const auto listens = [&](const ListeningStrategy& policy) { return policy.name == inner; };
    if (inner.starts_with("skip(") || std::any_of(policies_.begin(), policies_.end(), listens))
      return fmt::format("names \"{}\", but \"{}\" already skips what is known to be complete; use that instead", name,
                         inner);
    return fmt::format(
        "names \"{}\", but the lists of \"{}\" differ from instance to instance; skip(...) needs "
        "one fixed list per worker, as in \"skip(greedy)\"",
        name, inner);
  }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    const RiskPtr risk = risk_of(configuration, risks);
    configuration.values.set_canonical("risk", risks.resolve(configuration.text("risk"))->canonical());
    check_availability(configuration, risks);
    const WorksharingProblem problem = problem_of(configuration, cut_(risk, horizon_of(configuration)));
    make_chunks_canonical(configuration);
    listening_of(configuration);
    check_zones(configuration);
    check_crew(configuration);
    if (zones_of(configuration).bind(problem.workers))
      require_axis(configuration, "availability",
                   !configuration.values.at("availability").canonical.starts_with("replay"),
                   "once or renewal(...) if zones have a common part: in a recording workers go together as they did");
  }

  void accept(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    accept_chunks(request);
    const bool plain = crew_of(configuration, {nullptr}) == nullptr;
    for (const std::string& name : request.strategies) {
      if (name == "adaptive")
        require_axis(configuration, "task", configuration.number("task") == 0,
                     "0 for adaptive, which cuts what a plan leaves anew; central does that with whole tasks");
      if (is_listening(name))
        require_axis(configuration, "workers", configuration.number("workers") <= kMostListened,
                     fmt::format("at most {} for {}", to_text(kMostListened), name));
      if (const auto file = ScheduleLibrary::file_in(name)) {
        accept_file(*file, request);
        continue;
      }
      const heuristics::Strategy* const base = base_of(name);
      if (base != nullptr && base->builder == heuristics::alone<heuristics::random_replication_plan>)
        require_axis(configuration, "availability", !comes_back(configuration) && plain,
                     fmt::format("once for {}, which draws new orders for each instance, and task, restart, warning "
                                 "and speeds left out",
                                 name));
      if (base == nullptr || base->refuse == nullptr) continue;
      try {
        base->refuse(problem_for(request), granularity_of(configuration));
      } catch (const InputError& error) {
        throw InputError(configuration.place("workers"), error.what());
      }
    }
  }

  std::vector<double> ceiling_values(const TrialRequest& request) const override {
    // Both are proven for workers that are interrupted once.
    if (comes_back(request.configuration) || crew_of(request.configuration, {nullptr}) != nullptr)
      return {std::nan(""), std::nan("")};
    WorksharingProblem problem = problem_for(request);
    problem.worker_risks = times_for(problem, request).risks();
    return {heuristics::static_ceiling(problem, &memory_),
            heuristics::listening_ceiling(problem, &memory_, zones_of(request.configuration))};
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    DispatchTrialParts parts;
    parts.listening = listening_of(configuration);
    parts.problem = problem_for(request);
    parts.times.emplace(times_for(parts.problem, request));
    parts.availability = availability_of(configuration, request.risks, parts.times->risks(), 1, parts.times->zones());
    if (parts.times->risks() != std::vector{parts.problem.risk}) parts.problem.worker_risks = parts.times->risks();
    parts.crew = crew_of(configuration, parts.times->risks());
    if (parts.crew && !parts.availability) parts.availability = one_spell();
    const WorksharingProblem planned = parts.crew ? planned_for(*parts.crew, parts.problem) : parts.problem;
    Granularity granularity = granularity_of(configuration);
    granularity.memory = &memory_;
    heuristics::PlanCache plans(planned, granularity, nullptr, placement_of(planned, request));
    const heuristics::DispatchQuestion question{plans,
                                                parts.listening,
                                                StreamKey::derive(request.seed, configuration.identity, Use::kPlan),
                                                zones_of(configuration),
                                                parts.availability.get(),
                                                heuristics::one_by_one,
                                                1,
                                                parts.crew};
    for (const std::string& name : request.strategies) {
      DispatchColumn column{name, std::nullopt, nullptr};
      std::optional<heuristics::Plan> plan = static_plan(name, plans, request, planned);
      if (plan && parts.crew && parts.crew->task > 0)
        *plan = heuristics::in_whole_tasks(*plan, planned.work, parts.crew->task, parts.crew->startup_cost);
      if (!plan) {
        column.policy = find_row(policies_, name, "policy").prepare(question);
      } else if (is_listening(name) && std::isfinite(parts.listening.latency)) {
        column.policy = heuristics::skipping(*plan);
      } else {  // a list of which nothing is ever heard is run as it is
        column.plan = std::move(plan);
      }
      parts.columns.push_back(std::move(column));
    }
    parts.seed = request.seed;
    parts.identity = configuration.identity;
    parts.place = configuration.place("workers");
    return make_dispatch_trial(std::move(parts));
  }

 private:
  /// What is planned for: the risk up to the horizon. Of workers that come back that is their first spell.
  WorksharingProblem problem_for(const TrialRequest& request) const {
    const Configuration& configuration = request.configuration;
    return problem_of(configuration, cut_(risk_of(configuration, request.risks), horizon_of(configuration)));
  }

  SampledTimes times_for(const WorksharingProblem& problem, const TrialRequest& request) const {
    return times_of(problem, request, cut_, horizon_of(request.configuration));
  }

  /// The static strategy that a name is made of; null for a policy.
  const heuristics::Strategy* base_of(const std::string& name) const {
    for (const heuristics::Strategy& strategy : strategies_)
      if (name == strategy.name) return &strategy;
    for (const heuristics::Strategy* strategy : skipped_)
      if (name == skip_name(strategy->name)) return strategy;
    return nullptr;
  }

  /// The plan that a static strategy has, or one that skip(...) is made of; nothing for a policy.
  std::optional<heuristics::Plan> static_plan(const std::string& name, heuristics::PlanCache& plans,
                                              const TrialRequest& request, const WorksharingProblem& problem) const {
    if (const auto file = ScheduleLibrary::file_in(name)) return request.schedules->get(*file)->plan(problem);
    const heuristics::Strategy* const base = base_of(name);
    if (base == nullptr) return std::nullopt;
    return plans.placed(base->builder);
  }

  bool is_listening(const std::string& name) const {
    const heuristics::Strategy* const base = base_of(name);
    return !ScheduleLibrary::is_file(name) && (base == nullptr || base->name != name);
  }

  std::vector<heuristics::Strategy> strategies_;
  std::vector<ListeningStrategy> policies_;
  std::vector<const heuristics::Strategy*> skipped_;  // of the strategies, those that skip(...) has
  mutable heuristics::SliceCache memory_;
  mutable CutRisks cut_;
};

}  // namespace

std::unique_ptr<const Model> make_dispatch_model(std::vector<heuristics::Strategy> strategies,
                                                 std::vector<ListeningStrategy> policies) {
  return std::make_unique<DispatchModel>(std::move(strategies), std::move(policies));
}

}  // namespace coterie::sim
