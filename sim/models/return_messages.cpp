#include "sim/models/return_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/cancellation.hpp"
#include "core/stream.hpp"
#include "heuristics/return_messages/order_search.hpp"
#include "heuristics/return_messages/risk_aware_orders.hpp"
#include "heuristics/return_messages/star_strategies.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/sampling/interruptions.hpp"

namespace coterie::sim {
namespace {

using heuristics::StarPlatform;
using heuristics::StarSharing;
using heuristics::StarStrategy;

constexpr const char* kReference = "opt-fifo";
constexpr const char* kRiskAware = "best-expected";

enum class Metric { kThroughput, kEnrolled, kReturned, kExpected };

struct Setting {
  std::size_t workers = 0;
  double wc_ratio = 0;
  double z = 0;
  PlatformLawPtr send;
  PlatformLawPtr compute;
  heuristics::Ports ports = heuristics::Ports::kTwo;
  Metric metric = Metric::kThroughput;
  double lifespan = 1;
  RiskPtr risk;  ///< null: nobody is interrupted
  PlatformLawPtr hazard;

  bool interrupted() const { return metric == Metric::kReturned || metric == Metric::kExpected; }

  static Setting of(const Configuration& configuration, RiskLibrary& risks) {
    const double z = configuration.number("z");
    require_axis(configuration, "z", z >= 0 && std::isfinite(z), "finite and not negative");
    Setting setting{
        count_axis(configuration, "workers", 1, 1e5),
        positive_axis(configuration, "wc_ratio"),
        z,
        law_axis(configuration, "send"),
        law_axis(configuration, "compute"),
        choice_axis(configuration, "ports", {"two", "one"}) == 0 ? heuristics::Ports::kTwo : heuristics::Ports::kOne,
        static_cast<Metric>(choice_axis(configuration, "metric", {"throughput", "enrolled", "returned", "expected"})),
        positive_axis(configuration, "lifespan"),
        risk_axis(configuration, risks),
        law_axis(configuration, "hazard")};
    setting.require_use_of_risk(configuration);
    return setting;
  }

 private:
  /// Nothing that the user wrote is ignored, and the best FIFO schedule may return something in every instance.
  void require_use_of_risk(const Configuration& configuration) const {
    require_axis(configuration, "risk", interrupted() == (risk != nullptr),
                 interrupted() ? "a risk function with this metric" : "none unless metric is returned or expected");
    if (!interrupted()) {
      for (const char* axis : {"lifespan", "hazard"})
        require_axis(configuration, axis,
                     axis[0] == 'l' ? lifespan == 1 : hazard->is_constant() && hazard->quantile(0) == 1,
                     "left out unless metric is returned or expected");
      return;
    }
    require_survival(configuration, *risk, hazard->quantile(1) * lifespan);
  }
};

/// Those of the paper, and the one that knows the risks.
const std::vector<StarStrategy>& strategy_table() {
  static const std::vector<StarStrategy> table = [] {
    std::vector<StarStrategy> rows = heuristics::star_strategies();
    rows.push_back({kRiskAware,
                    "the orders and enrolled workers with the greatest expected returned work, of two sharings each",
                    "beyond return-messages-2005", nullptr, nullptr});
    return rows;
  }();
  return table;
}

const StarStrategy& reference_strategy() {
  static const std::vector<std::string> name = {kReference};
  return *chosen_rows(heuristics::star_strategies(), name).front();
}

class ReturnMessagesTrial final : public Trial {
 public:
  ReturnMessagesTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(strategy_table(), request.strategies)),
        platforms_(StreamKey::derive(request.seed, request.configuration.identity, Use::kPlatform)),
        interruptions_(StreamKey::derive(request.seed, request.configuration.identity, Use::kInterruption)) {}

  std::vector<StrategyFacts> facts() const override { return std::vector<StrategyFacts>(strategies_.size()); }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      cancellation_point();
      const Instance instance = draw(block.first_instance + i);
      const double reference = reference_of(instance, solved(reference_strategy(), instance));
      block.reference[i] = reference;
      for (std::size_t s = 0; s < strategies_.size(); ++s)
        block.ratio[s * block.stride + i] = metric(instance, solved(*strategies_[s], instance)) / reference;
    }
  }

  nlohmann::ordered_json replay(std::uint64_t number) const override {
    const Instance instance = draw(number);
    const StarSharing<double> best = solved(reference_strategy(), instance);
    const double reference = reference_of(instance, best);
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (std::size_t i = 0; i < instance.star.size(); ++i) {
      const auto& worker = instance.star[i];
      nlohmann::ordered_json row = {
          {"send", worker.send_time}, {"compute", worker.compute_time}, {"return", worker.return_time}};
      if (setting_.interrupted()) row["interruption"] = instance.interruptions[i];
      result["star"].push_back(row);
    }
    result["reference_shares"] = best.shares;
    for (const StarStrategy* strategy : strategies_) {
      const StarSharing<double> sharing = solved(*strategy, instance);
      nlohmann::ordered_json row = {{"name", strategy->name},
                                    {"throughput", sharing.throughput},
                                    {"enrolled", enrolled(sharing)},
                                    {"ratio", metric(instance, sharing) / reference},
                                    {"send", sharing.scenario.send_order},
                                    {"return", sharing.scenario.return_order},
                                    {"shares", sharing.shares}};
      if (setting_.interrupted()) {
        const heuristics::ReturnPlan plan = plan_of(instance, sharing);
        row["return_times"] = plan.times;
        row["returned"] = plan.returned(instance.interruptions);
        row["expected"] = plan.expected(instance.risks);
      }
      result["strategies"].push_back(row);
    }
    return result;
  }

 private:
  /// One random star, and who is interrupted when.
  struct Instance {
    StarPlatform<double> star;
    std::vector<RiskPtr> risks;         ///< none where nobody is interrupted
    std::vector<double> interruptions;  ///< and so here
  };

  Instance draw(std::uint64_t number) const {
    Instance instance{StarPlatform<double>(setting_.workers), {}, {}};
    for (std::size_t i = 0; i < instance.star.size(); ++i) {
      Stream stream(platforms_, number, static_cast<std::uint32_t>(i));
      auto& worker = instance.star[i];
      worker.send_time = setting_.send->quantile(to_uniform(stream()));
      worker.compute_time = setting_.wc_ratio * setting_.compute->quantile(to_uniform(stream()));
      worker.return_time = setting_.z * worker.send_time;
      if (setting_.interrupted())
        instance.risks.push_back(hastened(setting_.risk, setting_.hazard->quantile(to_uniform(stream()))));
    }
    if (setting_.interrupted()) instance.interruptions = interruption_times(interruptions_, number, instance.risks);
    return instance;
  }

  StarSharing<double> solved(const StarStrategy& strategy, const Instance& instance) const {
    if (strategy.rounded != nullptr) return strategy.rounded(instance.star, setting_.ports).sharing;
    return heuristics::best_expected_sharing(instance.star, setting_.ports, setting_.lifespan, instance.risks).sharing;
  }

  heuristics::ReturnPlan plan_of(const Instance& instance, const StarSharing<double>& sharing) const {
    return heuristics::return_plan(instance.star, sharing, setting_.lifespan);
  }

  static double enrolled(const StarSharing<double>& sharing) {
    return static_cast<double>(sharing.scenario.send_order.size());  // a share may be too small for a double
  }

  double metric(const Instance& instance, const StarSharing<double>& sharing) const {
    switch (setting_.metric) {
      case Metric::kThroughput:
        return sharing.throughput;
      case Metric::kEnrolled:
        return enrolled(sharing);
      case Metric::kReturned:
        return plan_of(instance, sharing).returned(instance.interruptions);
      case Metric::kExpected:
        return plan_of(instance, sharing).expected(instance.risks);
    }
    return 0;
  }

  /// Of sampled work, too, the expectation: the ratio's mean over instances compares expectations.
  double reference_of(const Instance& instance, const StarSharing<double>& best) const {
    return setting_.interrupted() ? plan_of(instance, best).expected(instance.risks) : metric(instance, best);
  }

  Setting setting_;
  std::vector<const StarStrategy*> strategies_;
  StreamKey platforms_;
  StreamKey interruptions_;
};

class ReturnMessagesModel final : public Model {
 public:
  ReturnMessagesModel()
      : Model({.name = "return-messages",
               .summary = "random stars whose workers return results",
               .source = "return-messages-2005",
               .metric = "throughput",
               .metric_unit = "load/time",
               .reference = kReference,
               .other_metrics = {{"metric", "enrolled", "number of enrolled workers", "1"},
                                 {"metric", "returned", "work returned", "load", "expected work returned"},
                                 {"metric", "expected", "expected work returned", "load"}}}) {}

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of workers", "", "1 to 100000"},
        {"z", Axis::Kind::kNumber, "1", "size of results per unit of load: d = z c", "0.8", ">= 0"},
        {"wc_ratio", Axis::Kind::kNumber, "1", "w/c: factor applied to draws of the law of compute", "1", "> 0"},
        {"send", Axis::Kind::kText, "", "law of c, time to send a unit of load", "uniform(low=0.5, high=1.5)",
         "see coterie list platform-laws"},
        {"compute", Axis::Kind::kText, "", "law of w / wc_ratio, w = time to compute a unit of load",
         "uniform(low=0.5, high=1.5)", "see coterie list platform-laws"},
        {"ports", Axis::Kind::kText, "", "two: the master may send and receive at the same time; one", "two",
         "two or one"},
        {"metric", Axis::Kind::kText, "",
         "what is compared: throughput, enrolled (number of workers), returned (sampled work that comes back) or "
         "expected "
         "(its exact expectation)",
         "throughput", "throughput, enrolled, returned or expected"},
        {"lifespan", Axis::Kind::kNumber, "time", "length of the schedule, with interruptions", "1", "> 0"},
        {"risk", Axis::Kind::kText, "", "risk function of a worker, or none", "none",
         "none, or see coterie list risks"},
        {"hazard", Axis::Kind::kText, "", "law of the factor by which a worker is interrupted sooner",
         "constant(value=1)", "see coterie list platform-laws"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override { return strategy_texts(strategy_table()); }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    Setting::of(configuration, risks);
    for (const char* axis : {"send", "compute", "hazard"}) make_law_canonical(configuration, axis);
    make_risk_canonical(configuration, risks);
  }

  void accept(const TrialRequest& request) const override {
    const Setting setting = Setting::of(request.configuration, request.risks);
    const auto asked = [&](const char* name) {
      return std::find(request.strategies.begin(), request.strategies.end(), name) != request.strategies.end();
    };
    if (asked("best-pair"))
      require_axis(request.configuration, "workers", setting.workers <= heuristics::kProvenPairWorkers,
                   fmt::format("at most {} with best-pair, which searches all orders", heuristics::kProvenPairWorkers));
    if (asked(kRiskAware)) {
      require_axis(request.configuration, "metric", setting.interrupted(),
                   fmt::format("returned or expected with {}", kRiskAware));
      require_axis(request.configuration, "workers", setting.workers <= heuristics::kEnumeratedOrderWorkers,
                   fmt::format("at most {} with {}, which looks at all orders", heuristics::kEnumeratedOrderWorkers,
                               kRiskAware));
    }
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<ReturnMessagesTrial>(request, Setting::of(request.configuration, request.risks));
  }
};

}  // namespace

const Model& return_messages_model() {
  static const ReturnMessagesModel model;
  return model;
}

}  // namespace coterie::sim
