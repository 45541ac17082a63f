#include "sim/models/now.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/cancellation.hpp"
#include "core/stream.hpp"
#include "heuristics/now/now_closed_forms.hpp"
#include "heuristics/return_messages/risk_aware_orders.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/sampling/interruptions.hpp"

namespace coterie::sim {
namespace {

using heuristics::Now;
using heuristics::NowOrders;
using heuristics::NowProtocol;

/// The work times of the crossover table, by worker i = 1..n. [now-2001, "When does W(FIFO) overtake W(LIFO)?, 2"]
struct Rates {
  std::string name;
  std::string formula;
  double (*work_time)(double i, double n);
};

const std::vector<Rates>& rates_table() {
  static const std::vector<Rates> table = {
      {"equal", "1", [](double, double) { return 1.0; }},
      {"doubling", "(1 + 2^(i-n)) / 2", [](double i, double n) { return (1 + std::exp2(i - n)) / 2; }},
      {"harmonic", "1 - 1/(i+1)", [](double i, double) { return 1 - 1 / (i + 1); }},
      {"halving", "1 - 2^-i", [](double i, double) { return 1 - std::exp2(-i); }},
  };
  return table;
}

std::vector<std::string> rates_names() {
  std::vector<std::string> names;
  for (const Rates& rates : rates_table()) names.push_back(rates.name);
  return names;
}

constexpr std::size_t kDenseWorkers = 1000;  // whose equations are solved anew for each instance

struct Setting {
  Now<double> now;
  double lifespan = 0;  ///< in grains
  double grain = 0;     ///< seconds
  RiskPtr risk;         ///< on the clock of grains; null: nobody is interrupted

  static Setting of(const Configuration& configuration, RiskLibrary& risks) {
    constexpr double kMicrosecond = 1e-6;
    constexpr double kSetup = 300 * kMicrosecond;
    constexpr double kLatency = 150 * kMicrosecond;
    constexpr double kTransit = 1 * kMicrosecond;  // with pipelining; without, each packet takes the latency
    constexpr double kPackaging = 10 * kMicrosecond;
    const std::size_t workers = count_axis(configuration, "workers", 1, 1e5);
    const Rates& rates = rates_table()[choice_axis(configuration, "rates", rates_names())];
    const double grain = positive_axis(configuration, "grain");
    const bool pipelined = choice_axis(configuration, "pipelined", {"yes", "no"}) == 0;
    Setting setting{{kPackaging / grain, kLatency / grain, (pipelined ? kTransit : kLatency) / grain, 1, {}},
                    positive_axis(configuration, "lifespan") / grain,
                    grain,
                    risk_axis(configuration, risks)};
    const bool returned = choice_axis(configuration, "metric", {"work", "returned"}) == 1;
    require_axis(configuration, "risk", returned == (setting.risk != nullptr),
                 returned ? "a risk function with this metric" : "none unless metric is returned");
    if (returned) {
      setting.risk = hastened(setting.risk, grain);
      require_survival(configuration, *setting.risk, setting.lifespan);
    }
    for (std::size_t i = 1; i <= workers; ++i) {
      const double rho = rates.work_time(static_cast<double>(i), static_cast<double>(workers));
      const double packaging = rho * setting.now.packaging;
      setting.now.workers.push_back({rho, packaging, packaging, kSetup / grain, kSetup / grain});
    }
    return setting;
  }
};

/// A random permutation. [Fisher and Yates 1938]
std::vector<std::size_t> shuffled(std::size_t count, Stream& stream) {
  std::vector<std::size_t> order = heuristics::now_fifo(count).start;
  for (std::size_t k = count; k > 1; --k)
    std::swap(order[k - 1], order[boost::random::uniform_int_distribution<std::size_t>(0, k - 1)(stream)]);
  return order;
}

NowOrders random_orders(std::size_t count, Stream& stream) {
  NowOrders orders;
  orders.start = shuffled(count, stream);
  orders.finish = shuffled(count, stream);
  return orders;
}

NowOrders random_fifo(std::size_t count, Stream& stream) {
  const std::vector<std::size_t> order = shuffled(count, stream);
  return {order, order};
}

constexpr const char* kRandomOrders = "random-orders";
/// Neither fixed nor random: chosen once for all instances by exact expectation.
constexpr const char* kRiskAware = "best-expected";

struct Strategy {
  std::string name;
  std::string summary;
  std::string source;
  NowOrders (*fixed)(std::size_t workers);                   ///< the same in all instances, or null
  NowOrders (*random)(std::size_t workers, Stream& stream);  ///< drawn for each instance, or null
};

const std::vector<Strategy>& strategy_table() {
  constexpr const char* kPaper = "now-2001";
  static const std::vector<Strategy> table = {
      {"fifo", "results return in the order in which work was sent", kPaper, heuristics::now_fifo, nullptr},
      {"lifo", "results return in the opposite order", kPaper, heuristics::now_lifo, nullptr},
      {"random-fifo", "FIFO, workers in a random order", kPaper, nullptr, random_fifo},
      {kRandomOrders, "work and results in two random orders", kPaper, nullptr, random_orders},
      {kRiskAware, "the orders with the greatest expected returned work among those that fit (metric returned)",
       "beyond now-2001", nullptr, nullptr},
  };
  return table;
}

class NowTrial final : public Trial {
 public:
  NowTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(strategy_table(), request.strategies)),
        schedules_(StreamKey::derive(request.seed, request.configuration.identity, Use::kSchedule)),
        interruptions_(StreamKey::derive(request.seed, request.configuration.identity, Use::kInterruption)),
        risks_(setting_.risk ? setting_.now.workers.size() : 0, setting_.risk) {
    const std::size_t workers = setting_.now.workers.size();
    const Used fifo = used(heuristics::now_fifo(workers));
    reference_ = fifo.known;
    require_axis(request.configuration, "lifespan", reference_ > 0,
                 "long enough for FIFO to give every worker some work");
    for (const Strategy* strategy : strategies_) {
      fixed_.emplace_back();
      if (strategy->fixed != nullptr) {
        fixed_.back() = used(strategy->fixed(workers));
      } else if (strategy->random == nullptr) {
        fixed_.back() = used(heuristics::best_expected_protocol(setting_.now, setting_.lifespan, risks_)->orders);
      }
    }
  }

  std::vector<StrategyFacts> facts() const override {
    std::vector<StrategyFacts> facts(strategies_.size());
    for (std::size_t s = 0; s < facts.size(); ++s)
      if (fixed_[s]) facts[s].expected = fixed_[s]->known;
    return facts;
  }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      cancellation_point();
      const std::uint64_t instance = block.first_instance + i;
      const std::vector<double> interruptions = interruption_times(interruptions_, instance, risks_);
      block.reference[i] = reference_;
      for (std::size_t s = 0; s < strategies_.size(); ++s)
        block.ratio[s * block.stride + i] =
            (fixed_[s] ? metric(*fixed_[s], interruptions) : metric(used(drawn(s, instance)), interruptions)) /
            reference_;
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const std::vector<double> interruptions = interruption_times(interruptions_, instance, risks_);
    nlohmann::ordered_json result;
    result["reference"] = reference_;
    if (setting_.risk) result["interruptions"] = interruptions;
    for (std::size_t s = 0; s < strategies_.size(); ++s) {
      const Used row = fixed_[s] ? *fixed_[s] : used(drawn(s, instance));
      nlohmann::ordered_json json = {{"name", strategies_[s]->name},
                                     {"work", metric(row, interruptions)},
                                     {"ratio", metric(row, interruptions) / reference_},
                                     {"feasible", row.feasible},
                                     {"start", row.orders.start},
                                     {"finish", row.orders.finish},
                                     {"shares", row.plan.work}};
      if (setting_.risk) {
        json["return_times"] = row.plan.times;
        json["expected"] = row.known;
      }
      result["strategies"].push_back(json);
    }
    return result;
  }

 private:
  /// Orders, and what they do in the lifespan.
  struct Used {
    NowOrders orders;
    heuristics::ReturnPlan plan;
    bool feasible;  ///< and its messages fit one at a time
    double known;   ///< the work, or its expectation where workstations are interrupted; 0 where not feasible
  };

  NowOrders drawn(std::size_t strategy, std::uint64_t instance) const {
    Stream stream(schedules_, instance, 0);
    return strategies_[strategy]->random(setting_.now.workers.size(), stream);
  }

  Used used(NowOrders orders) const {
    const NowProtocol<double> protocol = heuristics::any_now_protocol(setting_.now, orders);
    Used result{std::move(orders), {}, protocol.fits(setting_.lifespan), 0};
    result.plan = heuristics::return_plan(setting_.now, result.orders, protocol, setting_.lifespan);
    if (result.feasible) result.known = setting_.risk ? result.plan.expected(risks_) : protocol.work(setting_.lifespan);
    return result;
  }

  double metric(const Used& row, const std::vector<double>& interruptions) const {
    return setting_.risk && row.feasible ? row.plan.returned(interruptions) : row.known;
  }

  Setting setting_;
  std::vector<const Strategy*> strategies_;
  StreamKey schedules_;
  StreamKey interruptions_;
  std::vector<RiskPtr> risks_;  ///< none where nobody is interrupted
  double reference_ = 0;
  std::vector<std::optional<Used>> fixed_;  ///< of the strategies that do the same in all instances
};

class NowModel final : public Model {
 public:
  NowModel()
      : Model({.name = "now",
               .summary = "protocols of rented networks of workstations",
               .source = "now-2001",
               .metric = "work in the lifespan",
               .metric_unit = "grains",
               .reference = "fifo",
               .other_metrics = {{"metric", "returned", "work returned", "grains", "expected work returned"}}}) {}

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of rented workstations", "", "1 to 100000"},
        {"rates", Axis::Kind::kText, "",
         "work time of worker i per unit of work: equal (1), doubling ((1+2^(i-n))/2), harmonic (1-1/(i+1)), "
         "halving (1-2^-i)",
         "equal", "equal, doubling, harmonic or halving"},
        {"grain", Axis::Kind::kNumber, "s", "time of a unit of work at the master", "1", "> 0"},
        {"pipelined", Axis::Kind::kText, "", "whether the packets of a message are pipelined: yes or no", "yes",
         "yes or no"},
        {"lifespan", Axis::Kind::kNumber, "s", "lifespan L of the rental", "", "> 0"},
        {"metric", Axis::Kind::kText, "",
         "what is compared: work, or returned (sampled work that comes back from workstations that may be interrupted)",
         "work", "work or returned"},
        {"risk", Axis::Kind::kText, "", "risk function of a workstation, its clock in seconds, or none", "none",
         "none, or see coterie list risks"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override { return strategy_texts(strategy_table()); }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    Setting::of(configuration, risks);
    make_risk_canonical(configuration, risks);
  }

  void accept(const TrialRequest& request) const override {
    const Setting setting = Setting::of(request.configuration, request.risks);
    const auto require_few = [&](const char* strategy, std::size_t most, const char* why) {
      if (std::find(request.strategies.begin(), request.strategies.end(), strategy) != request.strategies.end())
        require_axis(request.configuration, "workers", setting.now.workers.size() <= most,
                     fmt::format("at most {} with {}, {}", most, strategy, why));
    };
    require_few(kRandomOrders, kDenseWorkers, "whose equations have no closed form");
    require_few(kRiskAware, heuristics::kEnumeratedOrderWorkers, "which looks at all orders");
    if (std::find(request.strategies.begin(), request.strategies.end(), kRiskAware) != request.strategies.end())
      require_axis(request.configuration, "metric", setting.risk != nullptr,
                   fmt::format("returned with {}", kRiskAware));
    const auto fifo = heuristics::any_now_protocol(setting.now, heuristics::now_fifo(setting.now.workers.size()));
    require_axis(request.configuration, "lifespan", fifo.feasible(setting.lifespan),
                 "long enough for FIFO to give every worker some work");
    require_axis(
        request.configuration, "workers", fifo.fits(setting.lifespan),
        fmt::format("so few that FIFO's messages, which would fill {:.4g} times the lifespan, fit one at a time",
                    fifo.port_load(setting.lifespan)));
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<NowTrial>(request, Setting::of(request.configuration, request.risks));
  }
};

}  // namespace

const Model& now_model() {
  static const NowModel model;
  return model;
}

}  // namespace coterie::sim
