#include "sim/models/return_messages.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "core/stream.hpp"
#include "heuristics/order_search.hpp"
#include "heuristics/star_strategies.hpp"
#include "sim/models/axis_readers.hpp"

namespace coterie::sim {
namespace {

using heuristics::StarPlatform;
using heuristics::StarSharing;
using heuristics::StarStrategy;

constexpr const char* kReference = "opt-fifo";

enum class Metric { kThroughput, kEnrolled };

struct Setting {
  std::size_t workers = 0;
  double wc_ratio = 0;
  double z = 0;
  PlatformLawPtr send;
  PlatformLawPtr compute;
  heuristics::Ports ports = heuristics::Ports::kTwo;
  Metric metric = Metric::kThroughput;

  static Setting of(const Configuration& configuration) {
    const double z = configuration.number("z");
    require_axis(configuration, "z", z >= 0 && std::isfinite(z), "finite and not negative");
    return {
        count_axis(configuration, "workers", 1, 1e5),
        positive_axis(configuration, "wc_ratio"),
        z,
        law_axis(configuration, "send"),
        law_axis(configuration, "compute"),
        choice_axis(configuration, "ports", {"two", "one"}) == 0 ? heuristics::Ports::kTwo : heuristics::Ports::kOne,
        choice_axis(configuration, "metric", {"throughput", "enrolled"}) == 0 ? Metric::kThroughput
                                                                              : Metric::kEnrolled};
  }
};

const StarStrategy& reference_strategy() {
  static const std::vector<std::string> name = {kReference};
  return *chosen_rows(heuristics::star_strategies(), name).front();
}

class ReturnMessagesTrial final : public Trial {
 public:
  ReturnMessagesTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(heuristics::star_strategies(), request.strategies)),
        platforms_(StreamKey::derive(request.seed, request.configuration.identity, Use::kPlatform)) {}

  std::vector<StrategyFacts> facts() const override { return std::vector<StrategyFacts>(strategies_.size()); }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      const StarPlatform<double> star = platform(block.first_instance + i);
      const double reference = metric(solved(reference_strategy(), star));
      block.reference[i] = reference;
      for (std::size_t s = 0; s < strategies_.size(); ++s)
        block.ratio[s * block.stride + i] = metric(solved(*strategies_[s], star)) / reference;
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const StarPlatform<double> star = platform(instance);
    const StarSharing<double> best = solved(reference_strategy(), star);
    const double reference = metric(best);
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (const auto& worker : star)
      result["star"].push_back(
          {{"send", worker.send_time}, {"compute", worker.compute_time}, {"return", worker.return_time}});
    result["reference_shares"] = best.shares;
    for (const StarStrategy* strategy : strategies_) {
      const StarSharing<double> sharing = solved(*strategy, star);
      result["strategies"].push_back({{"name", strategy->name},
                                      {"throughput", sharing.throughput},
                                      {"enrolled", enrolled(sharing)},
                                      {"ratio", metric(sharing) / reference},
                                      {"send", sharing.scenario.send_order},
                                      {"return", sharing.scenario.return_order},
                                      {"shares", sharing.shares}});
    }
    return result;
  }

 private:
  StarPlatform<double> platform(std::uint64_t instance) const {
    StarPlatform<double> star(setting_.workers);
    for (std::size_t i = 0; i < star.size(); ++i) {
      Stream stream(platforms_, instance, static_cast<std::uint32_t>(i));
      star[i].send_time = setting_.send->quantile(to_uniform(stream()));
      star[i].compute_time = setting_.wc_ratio * setting_.compute->quantile(to_uniform(stream()));
      star[i].return_time = setting_.z * star[i].send_time;
    }
    return star;
  }

  StarSharing<double> solved(const StarStrategy& strategy, const StarPlatform<double>& star) const {
    return strategy.rounded(star, setting_.ports).sharing;
  }

  static double enrolled(const StarSharing<double>& sharing) {
    return static_cast<double>(
        std::count_if(sharing.shares.begin(), sharing.shares.end(), [](double share) { return share > 0; }));
  }

  double metric(const StarSharing<double>& sharing) const {
    return setting_.metric == Metric::kThroughput ? sharing.throughput : enrolled(sharing);
  }

  Setting setting_;
  std::vector<const StarStrategy*> strategies_;
  StreamKey platforms_;
};

class ReturnMessagesModel final : public Model {
 public:
  std::string name() const override { return "return-messages"; }
  std::string summary() const override { return "random stars whose workers return results"; }
  std::string source() const override { return "return-messages-2005"; }
  std::string metric() const override { return "throughput"; }
  std::string metric_unit() const override { return "load/time"; }
  std::string reference() const override { return kReference; }

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of workers", ""},
        {"z", Axis::Kind::kNumber, "1", "size of results per unit of load: d = z c", "0.8"},
        {"wc_ratio", Axis::Kind::kNumber, "1", "w/c: by which draws of the law of compute are multiplied", "1"},
        {"send", Axis::Kind::kText, "", "law of c, time to send a unit of load", "uniform(low=0.5, high=1.5)"},
        {"compute", Axis::Kind::kText, "", "law of w / wc_ratio, w = time to compute a unit of load",
         "uniform(low=0.5, high=1.5)"},
        {"ports", Axis::Kind::kText, "", "two: the master may send and receive at the same time; one", "two"},
        {"metric", Axis::Kind::kText, "", "what is compared: throughput or enrolled (number of workers)", "throughput"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list;
    for (const StarStrategy& strategy : heuristics::star_strategies())
      list.push_back({strategy.name, strategy.summary, strategy.paper});
    return list;
  }

  void validate(Configuration& configuration, RiskLibrary&) const override {
    Setting::of(configuration);
    for (const char* axis : {"send", "compute"}) make_law_canonical(configuration, axis);
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    Setting setting = Setting::of(request.configuration);
    const auto& names = request.strategies;
    if (std::find(names.begin(), names.end(), "best-pair") != names.end())
      require_axis(request.configuration, "workers", setting.workers <= heuristics::kProvenPairWorkers,
                   fmt::format("at most {} with best-pair, which searches all orders", heuristics::kProvenPairWorkers));
    return std::make_unique<ReturnMessagesTrial>(request, std::move(setting));
  }
};

}  // namespace

const Model& return_messages_model() {
  static const ReturnMessagesModel model;
  return model;
}

}  // namespace coterie::sim
