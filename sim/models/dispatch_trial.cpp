#include "sim/models/dispatch_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "sim/models/crew_axes.hpp"
#include "sim/models/worksharing_trial.hpp"

namespace coterie::sim {
namespace {

using heuristics::DispatchEvent;
using heuristics::DispatchOutcome;
using heuristics::DispatchRun;
using heuristics::Spells;

constexpr double kNever = kInfinity;

/// Plans without listening, by the trial of worksharing.
std::unique_ptr<Trial> trial_of_plans(const DispatchTrialParts& parts) {
  std::vector<NamedPlan> plans;
  for (const DispatchColumn& column : parts.columns)
    if (column.plan) plans.push_back({column.name, *column.plan});
  ExactCapacities capacities;  // only backgrounds need them
  return make_worksharing_trial(parts.problem, plans, {*parts.times, nullptr, parts.seed, parts.identity, parts.place},
                                capacities);
}

const char* text_of(DispatchEvent::Kind kind) {
  switch (kind) {
    case DispatchEvent::Kind::kGiven:
      return "is given";
    case DispatchEvent::Kind::kBegins:
      return "begins";
    case DispatchEvent::Kind::kEnds:
      return "ends";
    case DispatchEvent::Kind::kDrops:
      return "drops";
    case DispatchEvent::Kind::kInterrupted:
      return "is interrupted";
    case DispatchEvent::Kind::kHeardComplete:
      return "heard complete";
    case DispatchEvent::Kind::kReturns:
      return "comes back";
    default:
      return "heard lost";
  }
}

/// Not orders that are drawn anew.
bool is_measured(const DispatchColumn& column) {
  return !column.plan || (column.plan->schedule && sim::is_measured(*column.plan->schedule));
}

class DispatchTrial final : public Trial {
 public:
  explicit DispatchTrial(DispatchTrialParts parts)
      : parts_(std::move(parts)),
        plans_(trial_of_plans(parts_)),
        returns_(StreamKey::derive(parts_.seed, parts_.identity, Use::kReturn)) {
    jumps_ = std::any_of(times().risks().begin(), times().risks().end(),
                         [](const RiskPtr& risk) { return !risk->has_density(); });
    const std::vector<StrategyFacts> facts = plans_->facts();
    std::size_t plan = 0;
    for (const DispatchColumn& column : parts_.columns) facts_.push_back(column.plan ? facts[plan++] : StrategyFacts{});
    if (comes_back())
      for (StrategyFacts& one : facts_) one.expected = std::nan("");  // it is that of one life
  }

  std::vector<StrategyFacts> facts() const override { return facts_; }

  void run(const Block& block) const override {
    if (!parts_.crew && (!comes_back() || !parts_.availability->is_recorded())) run_plans(block);
    const bool measured = block.measures[kMakespan] != nullptr;
    if (measured)
      for (std::size_t c = 0; c < parts_.columns.size(); ++c)
        for (double* values : block.measures) std::fill_n(values + c * block.stride, block.instances, std::nan(""));
    const auto is_run_here = [&](const DispatchColumn& column) {
      return comes_back() || !column.plan || (measured && is_measured(column));
    };
    run_columns(block, is_run_here,
                [&](std::size_t column, std::size_t i, const Instance& instance, const DispatchOutcome& outcome) {
                  const std::size_t at = column * block.stride + i;
                  if (!is_of_kernels(parts_.columns[column], instance))
                    block.ratio[at] = ratio(outcome.completed, block.reference[i]);
                  if (!measured || !is_measured(parts_.columns[column])) return;
                  block.measures[kMakespan][at] = outcome.makespan;
                  block.measures[kMachineTime][at] = outcome.machine_time;
                  block.measures[kWasted][at] = outcome.wasted;
                });
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    nlohmann::ordered_json result = plans_->replay(instance);
    Instance one_instance = instances_from(instance, 1).front();
    if (comes_back()) {
      result["reference"] = one_instance.reference;
      tell_spells(one_instance.spells, result);
      forgive_ties(one_instance.spells);
    }
    const auto reference = result["reference"].get<double>();
    nlohmann::ordered_json of_plans = nlohmann::ordered_json::array();
    if (result.contains("strategies")) of_plans = std::move(result["strategies"]);
    result["strategies"] = nlohmann::ordered_json::array();
    std::size_t plan = 0;
    for (const DispatchColumn& column : parts_.columns) {
      nlohmann::ordered_json one = {{"name", column.name}};
      if (column.plan) {
        if (is_of_kernels(column, one_instance)) one = of_plans[plan];
        ++plan;
      }
      if (comes_back() || is_measured(column)) {
        std::vector<DispatchEvent> log;
        DispatchRun run = run_of(column);
        const auto policy = policy_of(column);
        const DispatchOutcome outcome = outcome_of(run, *policy, one_instance, &log);
        if (!is_of_kernels(column, one_instance)) {
          one["work"] = outcome.completed;
          one["ratio"] = ratio(outcome.completed, reference);
          one["tasks_done"] = tasks_done(log);
        }
        one["makespan"] = std::isfinite(outcome.makespan) ? nlohmann::ordered_json(outcome.makespan) : nullptr;
        one["machine_time"] = outcome.machine_time;
        one["wasted"] = outcome.wasted;
        if (const heuristics::PolicyPlan chosen = policy->plan(); !chosen.empty()) one["plan"] = to_json(chosen);
        one["log"] = to_json(log);
      }
      result["strategies"].push_back(std::move(one));
    }
    return result;
  }

 private:
  /// The references of a block, and the ratios of plans.
  void run_plans(const Block& block) const {
    std::vector<double> ratios(plans_->facts().size() * block.instances);
    plans_->run({block.first_instance, block.instances, block.reference, ratios.data(), block.instances});
    std::size_t plan = 0;
    for (std::size_t c = 0; c < parts_.columns.size(); ++c) {
      if (!parts_.columns[c].plan) continue;
      std::copy_n(ratios.begin() + static_cast<std::ptrdiff_t>(plan++ * block.instances), block.instances,
                  block.ratio + c * block.stride);
    }
  }

  struct Instance {
    std::vector<double> lives;  // when the workers are interrupted first
    Spells spells;              // of workers that come back
    double reference = 0;       // likewise
  };

  /// Whether the kernels tell what is completed: of lists of workers that are up once, from the start on. Others are
  /// run task by task, which adds up in another order.
  bool is_of_kernels(const DispatchColumn& column, const Instance& instance) const {
    if (parts_.crew) return false;
    if (!column.plan || !comes_back()) return column.plan.has_value();
    return !parts_.availability->is_recorded() && !instance.spells.any_returns();
  }

  const SampledTimes& times() const { return *parts_.times; }
  bool comes_back() const { return parts_.availability != nullptr; }

  /// Rounding never lifts a ratio above 1.
  static double ratio(double work, double reference) { return reference > 0 ? std::min(1.0, work / reference) : 1; }

  /// What happens to the workers, by instance; `instances` at most kLanes.
  std::vector<Instance> instances_from(std::uint64_t first, std::size_t count) const {
    std::vector<double> lanes(times().room());
    times().draw(first, lanes);
    std::vector<Instance> instances(count);
    for (std::size_t i = 0; i < count; ++i) {
      Instance& one = instances[i];
      one.lives.resize(parts_.problem.workers);
      for (std::size_t w = 0; w < one.lives.size(); ++w) one.lives[w] = lanes[w * kLanes + i];
      if (comes_back()) {
        parts_.availability->draw(returns_, first + i, one.lives, one.spells);
        const double useful = parts_.crew ? useful_work(*parts_.crew, parts_.problem.work, one.spells)
                                          : one.spells.useful(parts_.problem.startup_cost);
        one.reference = std::min(useful, parts_.problem.work);
      }
      if (jumps_)
        for (double& life : one.lives) life = just_after(life);
    }
    return instances;
  }

  /// What ends at the same time as a spell is done; of workers that never come back as without spells.
  void forgive_ties(Spells& spells) const {
    if (comes_back()) spells.forgive_ties(jumps_ || parts_.availability->is_recorded());
  }

  /// In place of one interruption a worker.
  static void tell_spells(const Spells& spells, nlohmann::ordered_json& result) {
    result["workers"] = nlohmann::ordered_json::array();
    for (std::size_t w = 0; w < spells.workers(); ++w) {
      nlohmann::ordered_json times = nlohmann::ordered_json::array();
      for (const heuristics::Spell& spell : spells.of(w)) times.push_back({spell.begin, spell.end});
      result["workers"].push_back({{"up", std::move(times)}});
    }
  }

  std::unique_ptr<heuristics::ListeningPolicy> policy_of(const DispatchColumn& column) const {
    if (column.plan) return std::make_unique<heuristics::PlannedLists>(*column.plan->schedule);
    auto policy = column.policy ? column.policy() : nullptr;
    if (!policy) throw InputError(parts_.place, fmt::format("the policy {} hands out nothing", column.name));
    return policy;
  }

  /// Nobody hears anything of a plan.
  DispatchRun run_of(const DispatchColumn& column) const {
    heuristics::Listening listening = parts_.listening;
    if (column.plan) listening = {kNever, kNever, 1, false, listening.horizon};
    if (parts_.crew) return {column.name, parts_.crew, parts_.problem.work, listening};
    return {column.name, parts_.problem.workers, parts_.problem.work, parts_.problem.startup_cost, times().risks(),
            listening};
  }

  /// Also fills in the references of workers that come back.
  template <class Wanted, class Take>
  void run_columns(const Block& block, const Wanted& wanted, const Take& take) const {
    struct Runner {
      std::vector<std::size_t> columns;
      std::unique_ptr<heuristics::ListeningPolicy> policy;
      DispatchRun run;
    };
    std::vector<Runner> runners;
    for (std::size_t c = 0; c < parts_.columns.size(); ++c)
      if (wanted(parts_.columns[c])) runners.push_back({{c}, policy_of(parts_.columns[c]), run_of(parts_.columns[c])});
    for (std::size_t r = runners.size(); r-- > 0;) {  // what runs as another does is run once
      const auto same = std::find_if(runners.begin(), runners.end(), [&](const Runner& other) {
        const DispatchColumn& column = parts_.columns[other.columns.front()];
        return !column.plan && column.is_strategy && column.name == runners[r].policy->runs_as() &&
               other.policy->runs_as().empty();
      });
      if (same == runners.end()) continue;
      same->columns.push_back(runners[r].columns.front());
      runners.erase(runners.begin() + static_cast<std::ptrdiff_t>(r));
    }
    if (runners.empty() && !comes_back()) return;
    for (std::size_t first = 0; first < block.instances; first += kLanes) {
      std::vector<Instance> instances =
          instances_from(block.first_instance + first, std::min(kLanes, block.instances - first));
      for (std::size_t i = 0; i < instances.size(); ++i) {
        forgive_ties(instances[i].spells);
        if (comes_back()) block.reference[first + i] = instances[i].reference;
        for (Runner& runner : runners) {
          cancellation_point();
          const DispatchOutcome outcome = outcome_of(runner.run, *runner.policy, instances[i]);
          for (const std::size_t column : runner.columns) take(column, first + i, instances[i], outcome);
        }
      }
    }
  }

  DispatchOutcome outcome_of(DispatchRun& run, heuristics::ListeningPolicy& policy, const Instance& instance,
                             std::vector<DispatchEvent>* log = nullptr) const {
    try {
      if (comes_back()) return run(policy, instance.spells, log);
      return run(policy, instance.lives, log);
    } catch (const InputError& error) {
      throw InputError(parts_.place, error.what());
    }
  }

  std::vector<std::size_t> tasks_done(const std::vector<DispatchEvent>& log) const {
    std::vector<std::size_t> done(parts_.problem.workers, 0);
    for (const DispatchEvent& event : log)
      if (event.kind == DispatchEvent::Kind::kEnds) ++done[event.worker];
    return done;
  }

  static nlohmann::ordered_json to_json(const heuristics::PolicyPlan& plan) {
    nlohmann::ordered_json told = nlohmann::ordered_json::object();
    if (!plan.chosen.empty()) told["chosen"] = plan.chosen;
    for (const auto& [name, value] : plan.parameters) told[name] = value;
    const auto& tables = plan.first_chunks;
    std::map<const heuristics::FirstChunks*, std::vector<std::size_t>> workers;
    for (std::size_t w = 0; w < tables.size(); ++w) workers[tables[w].get()].push_back(w);
    for (const auto& table : tables) {
      const auto who = workers.extract(table.get());
      if (who.empty()) continue;  // told already
      told["first_chunks"].push_back({{"age", table->times()}, {"end", table->ends()}});
      if (tables.size() > 1) told["first_chunks"].back()["workers"] = who.mapped();
    }
    return told;
  }

  static nlohmann::ordered_json to_json(const std::vector<DispatchEvent>& log) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const DispatchEvent& event : log) {
      nlohmann::ordered_json one = {{"time", event.time}, {"worker", event.worker}, {"event", text_of(event.kind)}};
      if (event.pieces > 0) {
        one["first_chunk"] = event.first_piece;
        one["chunks"] = event.pieces;
      }
      if (event.kind == DispatchEvent::Kind::kGiven || event.kind == DispatchEvent::Kind::kBegins)
        one["work"] = event.work;
      if (event.kind == DispatchEvent::Kind::kEnds) one["new_work"] = event.work;
      list.push_back(std::move(one));
    }
    return list;
  }

  DispatchTrialParts parts_;
  std::unique_ptr<Trial> plans_;
  StreamKey returns_;
  bool jumps_ = false;
  std::vector<StrategyFacts> facts_;
};

}  // namespace

std::unique_ptr<Trial> make_dispatch_trial(DispatchTrialParts parts) {
  return std::make_unique<DispatchTrial>(std::move(parts));
}

bool is_measured(const Schedule& schedule) {
  constexpr std::size_t kMostTasks = 2'000'000;
  return task_count(schedule) <= kMostTasks;
}

}  // namespace coterie::sim
