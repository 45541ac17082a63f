#include "sim/models/heterogeneous.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/stream.hpp"
#include "heuristics/heterogeneous.hpp"
#include "heuristics/informed_bound.hpp"
#include "sim/models/axis_readers.hpp"

namespace coterie::sim {
namespace {

using heuristics::Deployment;
using heuristics::LinearWorker;

constexpr std::uint64_t kPlatformOfConfiguration = 0;  // where there is one for all instances: that of the first

/// A sharing made ready: who is served when, and until when each worker needs.
struct Sharing {
  std::vector<std::size_t> order;
  std::vector<double> shares;  ///< in the order of service
  std::vector<double> finish;
  double expected_work = 0;
};

struct Task {
  const std::vector<LinearWorker>& workers;
  double work;
  Deployment deployment;
};

std::vector<LinearWorker> in_order(const std::vector<LinearWorker>& workers, const std::vector<std::size_t>& order) {
  std::vector<LinearWorker> platform;
  for (const std::size_t index : order) platform.push_back(workers[index]);
  return platform;
}

Sharing made_of(const Task& task, std::vector<std::size_t> order, std::vector<double> shares) {
  const std::vector<LinearWorker> platform = in_order(task.workers, order);
  Sharing sharing{std::move(order), std::move(shares), {}, 0};
  sharing.finish = heuristics::finish_times(platform, sharing.shares);
  sharing.expected_work = heuristics::expected_work(platform, sharing.shares);
  return sharing;
}

Sharing solved(const Task& task, heuristics::SharingMethod method) {
  const auto solution = heuristics::share_work({task.workers, task.work, task.deployment, std::nullopt, method});
  std::vector<double> shares;
  for (const std::size_t index : solution.order) shares.push_back(solution.shares[index]);
  return made_of(task, solution.order, std::move(shares));
}

/// Given proportions of the work; where some may be held back, as much of it as such a sharing gains from: D - f D^2 is
/// greatest at D = 1 / (2f), f the loss of one unit.
Sharing in_proportion(const Task& task, std::vector<std::size_t> order, std::vector<double> parts) {
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (double& part : parts) part /= sum;
  double deployed = task.work;
  if (task.deployment == Deployment::kOptional)
    deployed = std::min(deployed, 1 / (2 * heuristics::expected_loss(in_order(task.workers, order), parts)));
  for (double& part : parts) part *= deployed;
  return made_of(task, std::move(order), std::move(parts));
}

/// Indices by non-increasing value, ties as they stand.
template <class Value>
std::vector<std::size_t> descending(const std::vector<LinearWorker>& workers, Value value) {
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return value(workers[a]) > value(workers[b]); });
  return order;
}

/// The optimal shares, each worker keeping its own, served in another order.
template <double LinearWorker::*property>
Sharing reordered(const Task& task) {
  const auto solution = heuristics::share_work(
      {task.workers, task.work, task.deployment, std::nullopt, heuristics::SharingMethod::kOptimal});
  std::vector<std::size_t> order =
      descending(task.workers, [](const LinearWorker& worker) { return worker.*property; });
  std::vector<double> shares;
  for (const std::size_t index : order) shares.push_back(solution.shares[index]);
  return made_of(task, std::move(order), std::move(shares));
}

Sharing equal_shares(const Task& task) {
  return in_proportion(task, heuristics::best_order(task.workers), std::vector<double>(task.workers.size(), 1.0));
}

Sharing speed_proportional(const Task& task) {
  const std::vector<std::size_t> order = heuristics::best_order(task.workers);
  std::vector<double> parts;
  for (const std::size_t index : order) parts.push_back(task.workers[index].speed);
  return in_proportion(task, order, std::move(parts));
}

/// All workers stop together: w_{i+1} (c_{i+1} + d_{i+1}) = w_i d_i, fastest link first.
Sharing equal_finish(const Task& task) {
  std::vector<std::size_t> order =
      descending(task.workers, [](const LinearWorker& worker) { return worker.bandwidth; });
  std::vector<double> parts = {1};
  for (std::size_t i = 1; i < order.size(); ++i) {
    const LinearWorker& next = task.workers[order[i]];
    parts.push_back(parts.back() * task.workers[order[i - 1]].compute() / (next.receive() + next.compute()));
  }
  return in_proportion(task, std::move(order), std::move(parts));
}

struct Strategy {
  std::string name;
  std::string summary;
  std::string source;
  Sharing (*share)(const Task& task);
};

const std::vector<Strategy>& strategy_table() {
  static const std::vector<Strategy> table = {
      {"optimal", "best order and shares", "heterogeneous-2011, Section 5.4 (Conjecture 1, proved)",
       [](const Task& task) { return solved(task, heuristics::SharingMethod::kOptimal); }},
      {"printed-theorem-4", "shares as printed for workers that differ only in bandwidth",
       "heterogeneous-2011, Theorem 4 (errata A14)",
       [](const Task& task) { return solved(task, heuristics::SharingMethod::kPrintedTheorem4); }},
      {"equal-shares", "the same share for everyone, best order", "", equal_shares},
      {"speed-proportional", "shares proportional to speeds, best order", "", speed_proportional},
      {"equal-finish", "classical divisible load: all workers stop together, fastest link first",
       "heterogeneous-2011, Section 1", equal_finish},
      {"order-by-bandwidth", "the optimal shares, fastest link first", "", reordered<&LinearWorker::bandwidth>},
      {"order-by-risk", "the optimal shares, greatest kappa first", "", reordered<&LinearWorker::risk_rate>},
      {"order-by-speed", "the optimal shares, fastest worker first", "", reordered<&LinearWorker::speed>},
  };
  return table;
}

struct Setting {
  std::size_t workers = 0;
  double work = 0;
  PlatformLawPtr speed;
  PlatformLawPtr bandwidth;
  PlatformLawPtr kappa;
  Deployment deployment = Deployment::kForced;
  bool one_platform = false;

  static Setting of(const Configuration& configuration) {
    return {count_axis(configuration, "workers", 1, 1e5),
            positive_axis(configuration, "work"),
            law_axis(configuration, "speed"),
            law_axis(configuration, "bandwidth", Infinite::kAllowed),
            law_axis(configuration, "kappa"),
            choice_axis(configuration, "deployment", {"forced", "optional"}) == 0 ? Deployment::kForced
                                                                                  : Deployment::kOptional,
            choice_axis(configuration, "platform", {"instance", "configuration"}) == 1};
  }
};

class HeterogeneousTrial final : public Trial {
 public:
  HeterogeneousTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(strategy_table(), request.strategies)),
        platforms_(StreamKey::derive(request.seed, request.configuration.identity, Use::kPlatform)),
        interruptions_(StreamKey::derive(request.seed, request.configuration.identity, Use::kInterruption)) {
    if (setting_.one_platform) kept_ = made(kPlatformOfConfiguration);
  }

  std::vector<StrategyFacts> facts() const override {
    std::vector<StrategyFacts> facts(strategies_.size());
    for (std::size_t s = 0; s < kept_.sharings.size(); ++s) {
      const std::vector<double>& shares = kept_.sharings[s].shares;
      facts[s].chunks =
          static_cast<double>(std::count_if(shares.begin(), shares.end(), [](double w) { return w > 0; }));
      facts[s].expected = kept_.sharings[s].expected_work;
    }
    return facts;
  }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      const std::uint64_t instance = block.first_instance + i;
      const Made own = setting_.one_platform ? Made{} : made(instance);
      const Made& here = setting_.one_platform ? kept_ : own;
      const std::vector<double> times = interruption_times(here, instance);
      const double reference = heuristics::informed_work_bound(here.workers, times, setting_.work);
      block.reference[i] = reference;
      for (std::size_t s = 0; s < here.sharings.size(); ++s)
        block.ratio[s * block.stride + i] = ratio(reference, completed(here.sharings[s], times));
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const Made here = setting_.one_platform ? kept_ : made(instance);
    const std::vector<double> times = interruption_times(here, instance);
    const double reference = heuristics::informed_work_bound(here.workers, times, setting_.work);
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (std::size_t w = 0; w < times.size(); ++w) {
      const LinearWorker& worker = here.workers[w];
      result["workers"].push_back({{"interruption", times[w]},
                                   {"capacity", times[w] / (worker.receive() + worker.compute())},
                                   {"speed", worker.speed},
                                   {"bandwidth", worker.bandwidth},
                                   {"kappa", worker.risk_rate}});
    }
    for (std::size_t s = 0; s < here.sharings.size(); ++s) {
      const Sharing& sharing = here.sharings[s];
      const double work = completed(sharing, times);
      std::vector<int> done(times.size(), 0);
      std::vector<double> shares(times.size(), 0);
      for (std::size_t i = 0; i < sharing.order.size(); ++i) {
        shares[sharing.order[i]] = sharing.shares[i];
        done[sharing.order[i]] = sharing.shares[i] > 0 && sharing.finish[i] <= times[sharing.order[i]] ? 1 : 0;
      }
      result["strategies"].push_back({{"name", strategies_[s]->name},
                                      {"work", work},
                                      {"ratio", ratio(reference, work)},
                                      {"expected_work", sharing.expected_work},
                                      {"order", sharing.order},
                                      {"shares", shares},
                                      {"tasks_done", done}});
    }
    return result;
  }

 private:
  /// A platform, and how each strategy shares on it.
  struct Made {
    std::vector<LinearWorker> workers;
    std::vector<Sharing> sharings;
  };

  Made made(std::uint64_t instance) const {
    Made result;
    for (std::size_t w = 0; w < setting_.workers; ++w) {
      Stream stream(platforms_, instance, static_cast<std::uint32_t>(w));
      LinearWorker worker;
      worker.speed = setting_.speed->quantile(to_uniform(stream()));
      worker.bandwidth = setting_.bandwidth->quantile(to_uniform(stream()));
      worker.risk_rate = setting_.kappa->quantile(to_uniform(stream()));
      result.workers.push_back(worker);
    }
    const Task task{result.workers, setting_.work, setting_.deployment};
    for (const Strategy* strategy : strategies_) result.sharings.push_back(strategy->share(task));
    return result;
  }

  /// Linear risk: Pr(T < t) = min(1, kappa t), so T = u / kappa.
  std::vector<double> interruption_times(const Made& here, std::uint64_t instance) const {
    std::vector<double> times(setting_.workers);
    worker_uniforms(interruptions_, instance, times);
    for (std::size_t w = 0; w < times.size(); ++w) times[w] /= here.workers[w].risk_rate;
    return times;
  }

  static double completed(const Sharing& sharing, const std::vector<double>& times) {
    double work = 0;
    for (std::size_t i = 0; i < sharing.order.size(); ++i)
      if (sharing.finish[i] <= times[sharing.order[i]]) work += sharing.shares[i];
    return work;
  }

  /// Rounding never lifts a ratio above 1.
  static double ratio(double reference, double work) { return reference > 0 ? std::min(1.0, work / reference) : 1.0; }

  Setting setting_;
  std::vector<const Strategy*> strategies_;
  StreamKey platforms_;
  StreamKey interruptions_;
  Made kept_;
};

class HeterogeneousModel final : public Model {
 public:
  std::string name() const override { return "heterogeneous"; }
  std::string summary() const override { return "one round on workers that differ in speed, bandwidth and risk"; }
  std::string source() const override { return "heterogeneous-2011"; }
  std::string metric() const override { return "work completed"; }
  std::string metric_unit() const override { return "work"; }
  std::string reference() const override { return "omniscient"; }

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of workers", ""},
        {"work", Axis::Kind::kNumber, "work", "workload", ""},
        {"speed", Axis::Kind::kText, "", "law of the workers' speeds, work/time", "constant(value=1)"},
        {"bandwidth", Axis::Kind::kText, "", "law of the links' bandwidths, work/time", "constant(value=1)"},
        {"kappa", Axis::Kind::kText, "", "law of the workers' risk rates, 1/time", "constant(value=1)"},
        {"deployment", Axis::Kind::kText, "", "forced: all of the work is handed out; optional", "optional"},
        {"platform", Axis::Kind::kText, "", "a new random platform for each instance or configuration", "instance"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list;
    for (const Strategy& strategy : strategy_table())
      list.push_back({strategy.name, strategy.summary, strategy.source});
    return list;
  }

  void validate(Configuration& configuration, RiskLibrary&) const override {
    Setting::of(configuration);
    for (const char* axis : {"speed", "bandwidth", "kappa"}) make_law_canonical(configuration, axis);
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    Setting setting = Setting::of(request.configuration);
    const auto& names = request.strategies;
    if (std::find(names.begin(), names.end(), "printed-theorem-4") != names.end())
      for (const auto& [axis, law] : {std::pair{"speed", setting.speed}, std::pair{"kappa", setting.kappa}})
        require_axis(request.configuration, axis, law->is_constant(),
                     "constant(value=..) for printed-theorem-4, which is for workers that differ only in bandwidth");
    return std::make_unique<HeterogeneousTrial>(request, std::move(setting));
  }
};

}  // namespace

const Model& heterogeneous_model() {
  static const HeterogeneousModel model;
  return model;
}

}  // namespace coterie::sim
