#include "sim/models/background.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/cancellation.hpp"
#include "heuristics/background/sample_average_plan.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/models/background_jobs.hpp"

namespace coterie::sim {
namespace {

using heuristics::BackgroundPlan;
using heuristics::RandomTree;
using heuristics::TreeSchedule;

constexpr double kLinkStep = 0.1;      // Z_i = 1 + 0.1 i [time-varying-2019, Section 4; erratum E2]
constexpr double kSlotsPerUnit = 100;  // [time-varying-2019, Section 4]

enum class Needs { kNothing, kLaw, kEquilibrium };

struct Strategy {
  std::string name;
  std::string summary;
  std::string source;
  Needs needs;
  bool predicts;  ///< whether it tells a finishing time in advance
  BackgroundPlan (*plan)(const RandomTree& tree, const StreamKey& key, std::uint64_t trials);
};

BackgroundPlan control_alone(const RandomTree& tree, const StreamKey&, std::uint64_t) {
  BackgroundPlan plan;
  plan.schedule.shares.assign(tree.links.size() + 1, 0.0);
  plan.schedule.shares.front() = 1;
  return plan;
}

const std::vector<Strategy>& strategy_table() {
  static const std::vector<Strategy> table = {
      {"simulation-based", "the split of the sampled background with the median finishing time",
       "time-varying-2019, Section 3.2.1", Needs::kLaw, true, heuristics::plan_by_simulation},
      {"iterative", "the split of the median pass of equivalent constants", "time-varying-2019, Algorithm 4",
       Needs::kLaw, true,
       [](const RandomTree& tree, const StreamKey& key, std::uint64_t trials) {
         return heuristics::plan_iteratively(tree, key, trials);
       }},
      {"before-correction", "assumes the equilibrium mean number of jobs at all times",
       "time-varying-2019, Section 4.3 (E8)", Needs::kEquilibrium, true,
       [](const RandomTree& tree, const StreamKey&, std::uint64_t) {
         return heuristics::plan_before_correction(tree);
       }},
      {"no-background", "assumes that there are no background jobs", "time-varying-2019, (1a)-(1c)", Needs::kNothing,
       true,
       [](const RandomTree& tree, const StreamKey&, std::uint64_t) {
         return heuristics::plan_without_background(tree);
       }},
      {"sample-average", "least mean finishing time over sampled backgrounds", "beyond time-varying-2019", Needs::kLaw,
       true, heuristics::plan_by_sample_average},
      {"control-alone", "the control processor does everything: its ratio is the speedup",
       "time-varying-2019, (12)-(14)", Needs::kNothing, false, control_alone},
  };
  return table;
}

struct Setting {
  RandomTree tree;
  std::shared_ptr<const JobLaw> jobs;
  bool predicted = false;
  std::uint64_t trials = 0;

  static Setting of(const Configuration& configuration) {
    const std::size_t workers = count_axis(configuration, "processors", 2, 1e5) - 1;
    const double w = positive_axis(configuration, "w");
    const bool slots = choice_axis(configuration, "rates", {"time-unit", "slot"}) == 1;
    const bool all = choice_axis(configuration, "varying", {"workers", "all"}) == 1;
    Setting setting;
    setting.jobs = make_job_law(Expression::parse(configuration.text("jobs"), configuration.place("jobs")),
                                slots ? kSlotsPerUnit : 1);
    require_axis(configuration, "rates", !slots || setting.jobs->known_law(), "time-unit if the jobs have no rates");
    setting.predicted = choice_axis(configuration, "evaluation", {"predicted", "realised"}) == 0;
    setting.trials = count_axis(configuration, "trials", 1, 1e8);
    RandomTree& tree = setting.tree;
    tree.tcm = positive_axis(configuration, "tcm");
    tree.tcp = positive_axis(configuration, "tcp");
    tree.control.rule = SharingRule(w);
    for (std::size_t i = 0; i < workers; ++i) {
      tree.processors.push_back({SharingRule(w), i});
      tree.links.push_back({SharingRule(1 + kLinkStep * static_cast<double>(i + 1)), std::nullopt});
    }
    if (all) {  // the workers' processes stay the same: one more for the control processor, one for all its links
      tree.control.process = workers;
      for (auto& link : tree.links) link.process = workers + 1;
    }
    tree.processes.assign(all ? workers + 2 : workers, setting.jobs->known_law().value_or(BackgroundLaw{}));
    return setting;
  }
};

class BackgroundTrial final : public Trial {
 public:
  BackgroundTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(strategy_table(), request.strategies)),
        jobs_(StreamKey::derive(request.seed, request.configuration.identity, Use::kArrival)) {
    const StreamKey plans = StreamKey::derive(request.seed, request.configuration.identity, Use::kPlan);
    for (const Strategy* strategy : strategies_)
      plans_.push_back(strategy->plan(setting_.tree, plans, setting_.trials));
  }

  std::vector<StrategyFacts> facts() const override { return std::vector<StrategyFacts>(strategies_.size()); }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      cancellation_point();
      const std::uint64_t instance = block.first_instance + i;
      const auto background = setting_.jobs->sample(setting_.tree, jobs_, instance);
      const double reference = background->clairvoyant().finish_time;
      block.reference[i] = reference;
      for (std::size_t s = 0; s < strategies_.size(); ++s)
        block.ratio[s * block.stride + i] = finish_time(s, instance, *background) / reference;
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const auto background = setting_.jobs->sample(setting_.tree, jobs_, instance);
    const TreeSchedule best = background->clairvoyant();
    nlohmann::ordered_json result;
    result["reference"] = best.finish_time;
    result["reference_shares"] = best.shares;
    for (std::size_t s = 0; s < strategies_.size(); ++s) {
      const std::vector<double>& shares = plans_[s].schedule.shares;
      const double finish = finish_time(s, instance, *background);
      nlohmann::ordered_json row = {{"name", strategies_[s]->name},
                                    {"finish_time", finish},
                                    {"ratio", finish / best.finish_time},
                                    {"realised", background->realise(shares).finish_time},
                                    {"shares", shares}};
      if (strategies_[s]->predicts) row["planned"] = plans_[s].schedule.finish_time;
      result["strategies"].push_back(row);
    }
    return result;
  }

 private:
  double finish_time(std::size_t strategy, std::uint64_t instance, TreeBackground& background) const {
    const BackgroundPlan& plan = plans_[strategy];
    if (!setting_.predicted || !strategies_[strategy]->predicts)
      return background.realise(plan.schedule.shares).finish_time;
    if (plan.finish_times.empty()) return plan.schedule.finish_time;
    return plan.finish_times[instance % plan.finish_times.size()];
  }

  Setting setting_;
  std::vector<const Strategy*> strategies_;
  StreamKey jobs_;
  std::vector<BackgroundPlan> plans_;
};

/// Refuses a strategy that needs more than the law of jobs tells.
void require_law(const TrialRequest& request, const Setting& setting) {
  for (const Strategy* strategy : chosen_rows(strategy_table(), request.strategies)) {
    if (strategy->needs == Needs::kNothing) continue;
    const auto law = setting.jobs->known_law();
    require_axis(request.configuration, "jobs", law.has_value(),
                 fmt::format("an mm1(...) for the strategy {}, which plans by that law", strategy->name));
    require_axis(request.configuration, "jobs", strategy->needs == Needs::kLaw || law->load() < 1,
                 fmt::format("of arrival < service for the strategy {}, which needs an equilibrium", strategy->name));
  }
}

class BackgroundModel final : public Model {
 public:
  BackgroundModel()
      : Model({.name = "background",
               .summary = "trees of processors and links slowed by background jobs",
               .source = "time-varying-2019",
               .metric = "finishing time",
               .metric_unit = "time",
               .reference = "clairvoyant",
               .other_metrics = {{"evaluation", "predicted", "predicted finishing time", "time", "finishing time"}},
               .least_is_best = true,
               .headline = {"evaluation", "realised"}}) {}

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"processors", Axis::Kind::kWhole, "1", "number of processors, control processor included", "", "2 to 100000"},
        {"w", Axis::Kind::kNumber, "1", "inverse speed W of all processors without background jobs", "1", "> 0"},
        {"jobs", Axis::Kind::kText, "", "law of the background jobs: mm1(...) or pairs(...)",
         "mm1(arrival=0.1, service=0.125)", "see coterie list job-laws"},
        {"rates", Axis::Kind::kText, "", "unit of job rates: per time-unit or per slot (of 0.01)", "time-unit",
         "time-unit or slot"},
        {"varying", Axis::Kind::kText, "", "what has background jobs: workers, or all (control and links too)",
         "workers", "workers or all"},
        {"evaluation", Axis::Kind::kText, "", "finishing time of plans: predicted or realised", "realised",
         "predicted or realised"},
        {"trials", Axis::Kind::kWhole, "1", "sampled backgrounds used to make a plan", "1000", "1 to 100000000"},
        {"tcm", Axis::Kind::kNumber, "time", "time to send the whole load over a link of inverse speed 1", "1", "> 0"},
        {"tcp", Axis::Kind::kNumber, "time", "time to process the whole load at inverse speed 1", "4", "> 0"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override { return strategy_texts(strategy_table()); }

  void validate(Configuration& configuration, RiskLibrary&) const override {
    // Rates are per unit of time in the identity, with the axis "rates" beside them.
    configuration.values.set_canonical("jobs", Setting::of(configuration).jobs->text());
  }

  void accept(const TrialRequest& request) const override { require_law(request, Setting::of(request.configuration)); }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<BackgroundTrial>(request, Setting::of(request.configuration));
  }
};

}  // namespace

const Model& background_model() {
  static const BackgroundModel model;
  return model;
}

}  // namespace coterie::sim
