#include "sim/models/now.hpp"

#include <fmt/format.h>

#include <boost/random/uniform_int_distribution.hpp>
#include <nlohmann/json.hpp>
#include <cmath>

#include "core/stream.hpp"
#include "heuristics/now_protocol.hpp"
#include "sim/models/axis_readers.hpp"

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

struct Setting {
  Now<double> now;
  double lifespan = 0;  ///< in grains
  double grain = 0;     ///< seconds

  static Setting of(const Configuration& configuration) {
    constexpr double kMicrosecond = 1e-6;
    constexpr double kSetup = 300 * kMicrosecond;
    constexpr double kLatency = 150 * kMicrosecond;
    constexpr double kTransit = 1 * kMicrosecond;  // with pipelining; without, each packet takes the latency
    constexpr double kPackaging = 10 * kMicrosecond;
    const std::size_t workers = count_axis(configuration, "workers", 1, 1000);
    const Rates& rates = rates_table()[choice_axis(configuration, "rates", rates_names())];
    const double grain = positive_axis(configuration, "grain");
    const bool pipelined = choice_axis(configuration, "pipelined", {"yes", "no"}) == 0;
    Setting setting{{kPackaging / grain, kLatency / grain, (pipelined ? kTransit : kLatency) / grain, 1, {}},
                    positive_axis(configuration, "lifespan") / grain,
                    grain};
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

struct Strategy {
  std::string name;
  std::string summary;
  NowOrders (*fixed)(std::size_t workers);                   ///< the same in all instances, or null
  NowOrders (*random)(std::size_t workers, Stream& stream);  ///< drawn for each instance, or null
};

const std::vector<Strategy>& strategy_table() {
  static const std::vector<Strategy> table = {
      {"fifo", "results return in the order in which work was sent", heuristics::now_fifo, nullptr},
      {"lifo", "results return in the opposite order", heuristics::now_lifo, nullptr},
      {"random-fifo", "FIFO, workers in a random order", nullptr, random_fifo},
      {"random-orders", "work and results in two random orders", nullptr, random_orders},
  };
  return table;
}

class NowTrial final : public Trial {
 public:
  NowTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(strategy_table(), request.strategies)),
        orders_(StreamKey::derive(request.seed, request.configuration.identity, Use::kSchedule)) {
    const std::size_t workers = setting_.now.workers.size();
    reference_ = work(heuristics::now_fifo(workers));
    require_axis(request.configuration, "lifespan", reference_ > 0,
                 "long enough for FIFO to give every worker some work");
    for (const Strategy* strategy : strategies_)
      known_.push_back(strategy->fixed != nullptr ? work(strategy->fixed(workers)) : std::nan(""));
  }

  std::vector<StrategyFacts> facts() const override {
    std::vector<StrategyFacts> facts(strategies_.size());
    for (std::size_t s = 0; s < facts.size(); ++s) facts[s].expected = known_[s];
    return facts;
  }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      block.reference[i] = reference_;
      for (std::size_t s = 0; s < strategies_.size(); ++s) {
        const double done = std::isnan(known_[s]) ? work(orders(s, block.first_instance + i)) : known_[s];
        block.ratio[s * block.stride + i] = done / reference_;
      }
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    nlohmann::ordered_json result;
    result["reference"] = reference_;
    for (std::size_t s = 0; s < strategies_.size(); ++s) {
      const NowOrders used = orders(s, instance);
      const NowProtocol<double> protocol = heuristics::now_protocol(setting_.now, used);
      result["strategies"].push_back({{"name", strategies_[s]->name},
                                      {"work", work(used)},
                                      {"ratio", work(used) / reference_},
                                      {"feasible", protocol.feasible(setting_.lifespan)},
                                      {"start", used.start},
                                      {"finish", used.finish},
                                      {"shares", protocol.shares(setting_.lifespan)}});
    }
    return result;
  }

 private:
  NowOrders orders(std::size_t strategy, std::uint64_t instance) const {
    const std::size_t workers = setting_.now.workers.size();
    if (strategies_[strategy]->fixed != nullptr) return strategies_[strategy]->fixed(workers);
    Stream stream(orders_, instance, 0);
    return strategies_[strategy]->random(workers, stream);
  }

  double work(const NowOrders& orders) const {
    const NowProtocol<double> protocol = heuristics::now_protocol(setting_.now, orders);
    return protocol.feasible(setting_.lifespan) ? protocol.work(setting_.lifespan) : 0;
  }

  Setting setting_;
  std::vector<const Strategy*> strategies_;
  StreamKey orders_;
  double reference_ = 0;
  std::vector<double> known_;  ///< work of the strategies that do the same in all instances
};

class NowModel final : public Model {
 public:
  std::string name() const override { return "now"; }
  std::string summary() const override { return "protocols of rented networks of workstations"; }
  std::string source() const override { return "now-2001"; }
  std::string metric() const override { return "work in the lifespan"; }
  std::string metric_unit() const override { return "grains"; }
  std::string reference() const override { return "fifo"; }

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of rented workstations", ""},
        {"rates", Axis::Kind::kText, "",
         "work time of worker i per unit of work: equal (1), doubling ((1+2^(i-n))/2), harmonic (1-1/(i+1)), "
         "halving (1-2^-i)",
         "equal"},
        {"grain", Axis::Kind::kNumber, "s", "time of a unit of work at the master", "1"},
        {"pipelined", Axis::Kind::kText, "", "whether packets of a message follow one another: yes or no", "yes"},
        {"lifespan", Axis::Kind::kNumber, "s", "lifespan L of the rental", ""},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list;
    for (const Strategy& strategy : strategy_table()) list.push_back({strategy.name, strategy.summary, "now-2001"});
    return list;
  }

  void validate(Configuration& configuration, RiskLibrary&) const override { Setting::of(configuration); }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<NowTrial>(request, Setting::of(request.configuration));
  }
};

}  // namespace

const Model& now_model() {
  static const NowModel model;
  return model;
}

}  // namespace coterie::sim
