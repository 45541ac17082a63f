#include "sim/models/restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/cancellation.hpp"
#include "core/table.hpp"
#include "core/ties.hpp"
#include "heuristics/restart/omniscient.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/sampling/spot_market.hpp"

namespace coterie::sim {
namespace {

using heuristics::MarketJob;
using heuristics::MarketOutcome;
using heuristics::RestartQuestion;
using heuristics::RestartStrategy;

struct RestartSetting {
  MarketJob job;
  double interval = 0;
  bool by_cost = false;

  static RestartSetting of(const Configuration& configuration) {
    RestartSetting setting;
    MarketJob& job = setting.job;
    job.work = positive_axis(configuration, "work");
    job.checkpoint = cost_axis(configuration, "checkpoint");
    job.restart = cost_axis(configuration, "restart");
    job.warning = cost_axis(configuration, "warning");
    job.change = cost_axis(configuration, "change");
    job.price = configuration.number("price");
    require_axis(configuration, "price", job.price >= 1 && std::isfinite(job.price),
                 "finite and at least 1, that of spot");
    job.deadline = configuration.number("deadline");
    require_axis(configuration, "deadline", job.deadline > 0, "above 0; inf: none");
    setting.interval = cost_axis(configuration, "interval");
    require_axis(configuration, "interval", setting.interval <= job.work,
                 fmt::format("at most the work, {}", job.work));
    setting.by_cost = choice_axis(configuration, "metric", {"time", "cost"}) == 1;
    if (setting.by_cost)
      require_axis(configuration, "deadline", std::isfinite(job.deadline) && job.deadline >= job.work,
                   fmt::format("finite and at least the work, {}, where metric = \"cost\": on-demand alone takes that",
                               job.work));
    return setting;
  }
};

class RestartTrial final : public Trial {
 public:
  RestartTrial(RestartSetting setting, std::shared_ptr<const SpotMarket> market,
               std::vector<std::shared_ptr<const heuristics::RestartPolicy>> policies, std::vector<std::string> names)
      : setting_(std::move(setting)),
        market_(std::move(market)),
        policies_(std::move(policies)),
        names_(std::move(names)) {}

  std::vector<StrategyFacts> facts() const override {
    std::vector<StrategyFacts> facts(policies_.size());
    for (std::size_t s = 0; s < facts.size(); ++s) {
      // The first chunk of a job that has just started on spot.
      heuristics::Situation start;
      start.left = setting_.job.work;
      start.spot_up = true;
      start.running = start.last = heuristics::Market::kSpot;
      const heuristics::Move move = policies_[s]->next(start);
      if (move.market == heuristics::Market::kSpot) facts[s].chunk_size = std::min(move.chunk, setting_.job.work);
    }
    return facts;
  }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      cancellation_point();
      const auto spot = market_->draw(block.first_instance + i);
      const double reference = omniscient(*spot);
      block.reference[i] = setting_.job.work / reference;
      for (std::size_t s = 0; s < policies_.size(); ++s) {
        const MarketOutcome outcome = run_market(setting_.job, *policies_[s], *spot);
        const std::size_t at = s * block.stride + i;
        block.ratio[at] = ratio(outcome, reference);
        if (block.measures[kMakespan] == nullptr) continue;
        block.measures[kMakespan][at] = outcome.finish;
        block.measures[kMachineTime][at] = outcome.rented;
        block.measures[kWasted][at] = outcome.lost;
      }
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const auto spot = market_->draw(instance);
    const double reference = omniscient(*spot);
    nlohmann::ordered_json result = {{"reference", setting_.job.work / reference}};
    result[setting_.by_cost ? "reference_cost" : "reference_finish"] = reference;
    double last = setting_.by_cost ? setting_.job.deadline : reference;
    nlohmann::ordered_json strategies = nlohmann::ordered_json::array();
    for (std::size_t s = 0; s < policies_.size(); ++s) {
      std::vector<heuristics::MarketEvent> log;
      const MarketOutcome outcome = run_market(setting_.job, *policies_[s], *spot, &log);
      if (std::isfinite(outcome.finish)) last = std::max(last, outcome.finish);
      nlohmann::ordered_json events = nlohmann::ordered_json::array();
      for (const auto& [time, what, left] : log) events.push_back({{"time", time}, {"what", what}, {"left", left}});
      strategies.push_back({{"name", names_[s]},
                            {"work", ratio(outcome, reference) * setting_.job.work / reference},
                            {"ratio", ratio(outcome, reference)},
                            {"finish", outcome.finish},
                            {"cost", outcome.cost},
                            {"rented", outcome.rented},
                            {"lost", outcome.lost},
                            {"checkpoints", outcome.checkpoints},
                            {"interruptions", outcome.interruptions},
                            {"events", std::move(events)}});
    }
    result["spot"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; const heuristics::UpTime* const up = spot->at(i); ++i) {
      if (!(up->begin < last)) break;
      result["spot"].push_back({up->begin, up->end});
    }
    result["strategies"] = std::move(strategies);
    return result;
  }

 private:
  double omniscient(heuristics::SpotTimes& spot) const {
    return setting_.by_cost ? omniscient_cost(setting_.job, spot).cost : omniscient_finish(setting_.job, spot);
  }

  double ratio(const MarketOutcome& outcome, double reference) const {
    if (!std::isfinite(reference)) return 1;  // nobody ends the job
    if (!(outcome.finish <= just_after(setting_.job.deadline) * (1 + 1e-9))) return 0;
    return reference / (setting_.by_cost ? outcome.cost : outcome.finish);
  }

  RestartSetting setting_;
  std::shared_ptr<const SpotMarket> market_;
  std::vector<std::shared_ptr<const heuristics::RestartPolicy>> policies_;
  std::vector<std::string> names_;
};

class RestartModel final : public Model {
 public:
  explicit RestartModel(std::vector<RestartStrategy> strategies)
      : Model({.name = "restart",
               .summary = "a job that goes on from its last checkpoint, on spot or on-demand",
               .source = "beyond the papers",
               .metric = "work per time",
               .metric_unit = "1",
               .reference = "omniscient",
               .other_metrics = {{"metric", "cost", "work per cost", "1"}},
               .headline = {"metric", "time"},
               .measures = true}),
        strategies_(std::move(strategies)) {}

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = [] {
      std::vector<Axis> axes = {
          {"work", Axis::Kind::kNumber, "time", "time that the job needs on one machine or gang", "", "> 0", false},
          {"checkpoint", Axis::Kind::kNumber, "time", "time to save, after each chunk", "0", ">= 0", false},
          {"restart", Axis::Kind::kNumber, "time", "time to come up again, but not at the start", "0", ">= 0", false},
          {"warning", Axis::Kind::kNumber, "time", "how long before it an interruption is known", "0", ">= 0", false},
      };
      axes.insert(axes.end(), spot_axes().begin(), spot_axes().end());
      const std::vector<Axis> more = {
          {"deadline", Axis::Kind::kNumber, "time", "time by which the job must end; inf: none", "inf",
           "> 0, inf allowed", false},
          {"price", Axis::Kind::kNumber, "1", "price of on-demand, that of spot being 1", "1", ">= 1", false},
          {"change", Axis::Kind::kNumber, "time", "time to change the market", "0", ">= 0", false},
          {"interval", Axis::Kind::kNumber, "time",
           "work between checkpoints for strategies without a rule of their own; 0: Young's", "0", ">= 0", false},
          {"metric", Axis::Kind::kText, "", "what is compared: time on spot, or cost within the deadline", "time",
           "time or cost", false},
      };
      axes.insert(axes.end(), more.begin(), more.end());
      return axes;
    }();
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> texts = strategy_texts(strategies_);
    for (std::size_t s = 0; s < texts.size(); ++s) texts[s].parameters = strategies_[s].parameters;
    return texts;
  }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    RestartSetting::of(configuration);
    check_spot(configuration, risks);
  }

  void accept(const TrialRequest& request) const override {
    const RestartSetting setting = RestartSetting::of(request.configuration);
    for (const std::string& name : request.strategies) {
      const RestartStrategy& row = row_of(name);
      require_axis(
          request.configuration, "deadline",
          !row.needs_deadline || (setting.job.deadline >= setting.job.work && std::isfinite(setting.job.deadline)),
          fmt::format("finite and at least the work for {}", name));
      require_axis(request.configuration, "metric", setting.by_cost || !row.uses_on_demand,
                   fmt::format("cost with {}, which uses on-demand", name));
    }
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    const RestartSetting setting = RestartSetting::of(configuration);
    const auto market = spot_market(configuration, request.risks, request.seed);
    std::vector<std::shared_ptr<const heuristics::RestartPolicy>> policies;
    for (const std::string& name : request.strategies) {
      try {
        policies.push_back(
            row_of(name).prepare({setting.job, market->life, market->down, market->mean_down, setting.interval, name}));
      } catch (const InputError& error) {
        throw InputError(configuration.place("risk"), error.what());
      }
    }
    return std::make_unique<RestartTrial>(setting, market, std::move(policies), request.strategies);
  }

 private:
  const RestartStrategy& row_of(const std::string& name) const {
    return find_row(strategies_, expression_name(name), "strategy");
  }

  std::vector<RestartStrategy> strategies_;
};

}  // namespace

std::unique_ptr<const Model> make_restart_model(std::vector<RestartStrategy> strategies) {
  return std::make_unique<RestartModel>(std::move(strategies));
}

}  // namespace coterie::sim
