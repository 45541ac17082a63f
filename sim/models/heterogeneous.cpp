#include "sim/models/heterogeneous.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/cancellation.hpp"
#include "core/stream.hpp"
#include "core/text.hpp"
#include "heuristics/heterogeneous/informed_bound.hpp"
#include "heuristics/heterogeneous/replicated_sharing.hpp"
#include "heuristics/heterogeneous/sharing_strategies.hpp"
#include "sim/kernels/informed_bounds.hpp"
#include "sim/kernels/kernel.hpp"
#include "sim/model_interface/axis_readers.hpp"

namespace coterie::sim {
namespace {

using heuristics::Deployment;
using heuristics::LinearWorker;
using heuristics::Rounds;
using heuristics::SharingStrategy;

constexpr std::uint64_t kPlatformOfConfiguration = 0;  // where there is one for all instances: that of the first

struct Setting {
  std::size_t workers = 0;
  double work = 0;
  PlatformLawPtr speed;
  PlatformLawPtr bandwidth;
  PlatformLawPtr kappa;
  Deployment deployment = Deployment::kForced;
  bool one_platform = false;
  double startup = 0;
  std::optional<double> piece_size;
  Rounds rounds = Rounds::kOne;

  static Setting of(const Configuration& configuration) {
    return {count_axis(configuration, "workers", 1, 1e5),
            positive_axis(configuration, "work"),
            law_axis(configuration, "speed"),
            law_axis(configuration, "bandwidth", Infinite::kAllowed),
            law_axis(configuration, "kappa"),
            choice_axis(configuration, "deployment", {"forced", "optional"}) == 0 ? Deployment::kForced
                                                                                  : Deployment::kOptional,
            choice_axis(configuration, "platform", {"instance", "configuration"}) == 1,
            cost_axis(configuration, "startup"),
            piece_size_of(configuration),
            choice_axis(configuration, "rounds", {"one", "several"}) == 0 ? Rounds::kOne : Rounds::kSeveral};
  }

 private:
  static std::optional<double> piece_size_of(const Configuration& configuration) {
    const std::string& text = configuration.text("pieces");
    if (text == "auto") return std::nullopt;
    const auto count = parse_integer(text);
    require_axis(configuration, "pieces", count && *count >= 1,
                 "\"auto\" or a whole number of pieces per unit of work");
    return 1 / static_cast<double>(*count);
  }
};

class HeterogeneousTrial final : public Trial {
 public:
  HeterogeneousTrial(const TrialRequest& request, Setting setting)
      : setting_(std::move(setting)),
        strategies_(chosen_rows(heuristics::sharing_strategies(), request.strategies)),
        platforms_(StreamKey::derive(request.seed, request.configuration.identity, Use::kPlatform)),
        interruptions_(StreamKey::derive(request.seed, request.configuration.identity, Use::kInterruption)) {
    if (!setting_.one_platform) return;
    kept_ = made(kPlatformOfConfiguration);
    for (const heuristics::MessagePlan& plan : kept_.plans) kernels_.push_back(compile(schedule_of(kept_, plan)));
    bounds_.emplace(kept_.workers, setting_.work, setting_.startup, setting_.rounds, loops_);
  }

  std::vector<StrategyFacts> facts() const override {
    std::vector<StrategyFacts> facts(strategies_.size());
    for (std::size_t s = 0; s < kept_.plans.size(); ++s) {
      facts[s].chunks = static_cast<double>(kept_.plans[s].piece_sizes.size());
      facts[s].expected = expected(kept_, kept_.plans[s]);
    }
    return facts;
  }

  void run(const Block& block) const override {
    if (setting_.one_platform) return run_on_kept(block);
    KernelScratch scratch;
    for (std::size_t i = 0; i < block.instances; ++i) {
      cancellation_point();
      const std::uint64_t instance = block.first_instance + i;
      const Made here = made(instance);
      const std::vector<double> times = interruption_times(here, instance);
      const double reference = omniscient(here, times);
      block.reference[i] = reference;
      for (std::size_t s = 0; s < here.plans.size(); ++s)
        block.ratio[s * block.stride + i] = ratio(reference, completed(here, s, times, instance, scratch));
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const Made own = setting_.one_platform ? Made{} : made(instance);
    const Made& here = setting_.one_platform ? kept_ : own;
    const std::vector<double> times = interruption_times(here, instance);
    const double reference = omniscient(here, times);
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (std::size_t w = 0; w < times.size(); ++w) {
      const LinearWorker& worker = here.workers[w];
      result["workers"].push_back(
          {{"interruption", times[w]},
           {"capacity", heuristics::work_alone(worker, times[w], setting_.startup, setting_.rounds)},
           {"speed", worker.speed},
           {"bandwidth", worker.bandwidth},
           {"kappa", worker.risk_rate}});
    }
    KernelScratch scratch;
    for (std::size_t s = 0; s < here.plans.size(); ++s) {
      const heuristics::MessagePlan& plan = here.plans[s];
      const double work = completed(here, s, times, instance, scratch);
      std::vector<std::size_t> order;
      std::vector<double> shares(times.size(), 0);
      for (const auto& message : plan.messages) {
        order.push_back(message.worker);
        for (const std::uint32_t piece : message.pieces) shares[message.worker] += plan.piece_sizes[piece];
      }
      const Schedule schedule = schedule_of(here, plan);
      std::vector<std::size_t> done;
      for (std::size_t w = 0; w < times.size(); ++w) done.push_back(tasks_done(schedule.tasks(w), times[w]));
      result["strategies"].push_back({{"name", strategies_[s]->name},
                                      {"work", work},
                                      {"ratio", ratio(reference, work)},
                                      {"expected_work", expected(here, plan)},
                                      {"order", order},
                                      {"shares", shares},
                                      {"tasks_done", done}});
    }
    return result;
  }

 private:
  /// A platform, and how each strategy shares on it.
  struct Made {
    std::vector<LinearWorker> workers;
    std::vector<heuristics::MessagePlan> plans;
  };

  /// One platform for all instances: its schedules are compiled, and run kLanes instances at a time.
  void run_on_kept(const Block& block) const {
    static thread_local LaneArray<double> times;  // the memory goes from block to block
    static thread_local KernelScratch scratch;
    times.resize((setting_.workers + 3) / 4 * 4 * kLanes);
    double reference[kLanes] = {};
    double work[kLanes];
    double ratio[kLanes];
    for (std::size_t first = 0; first < block.instances; first += kLanes) {
      cancellation_point();
      const std::size_t lanes = std::min(kLanes, block.instances - first);
      const std::uint64_t instance = block.first_instance + first;
      loops_.uniforms(interruptions_.key[0], interruptions_.key[1], instance, 0, setting_.workers, times.data());
      for (std::size_t w = 0; w < setting_.workers; ++w)
        for (std::size_t lane = 0; lane < kLanes; ++lane) times[w * kLanes + lane] /= kept_.workers[w].risk_rate;
      (*bounds_)(times.data(), lanes, scratch, reference);
      std::copy_n(reference, lanes, block.reference + first);
      for (std::size_t s = 0; s < kernels_.size(); ++s) {
        kernels_[s]->completed_work({times.data(), instance, lanes}, scratch, work);
        loops_.ratios(work, reference, ratio);
        std::copy_n(ratio, lanes, block.ratio + s * block.stride + first);
      }
    }
  }

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
    const heuristics::SharingTask task{result.workers,   setting_.work,   setting_.deployment,
                                       setting_.startup, setting_.rounds, setting_.piece_size};
    for (const SharingStrategy* strategy : strategies_) result.plans.push_back(strategy->plan(task));
    return result;
  }

  /// Linear risk: Pr(T < t) = min(1, kappa t), so T = u / kappa.
  std::vector<double> interruption_times(const Made& here, std::uint64_t instance) const {
    std::vector<double> times(setting_.workers);
    worker_uniforms(interruptions_, instance, times);
    for (std::size_t w = 0; w < times.size(); ++w) times[w] /= here.workers[w].risk_rate;
    return times;
  }

  double omniscient(const Made& here, const std::vector<double>& times) const {
    return heuristics::informed_work_bound(here.workers, times, setting_.work, setting_.startup, setting_.rounds);
  }

  Schedule schedule_of(const Made& here, const heuristics::MessagePlan& plan) const {
    return to_schedule(plan, heuristics::under_linear_risk(here.workers), setting_.startup);
  }

  double expected(const Made& here, const heuristics::MessagePlan& plan) const {
    return heuristics::MessagePlanValue(heuristics::under_linear_risk(here.workers), setting_.startup)(plan);
  }

  /// By a kernel where many instances have the same platform.
  double completed(const Made& here, std::size_t strategy, const std::vector<double>& times, std::uint64_t instance,
                   KernelScratch& scratch) const {
    if (setting_.one_platform) return kernels_[strategy]->completed_work(times, instance, scratch);
    return heuristics::completed_work(here.plans[strategy], here.workers, setting_.startup, times);
  }

  /// Rounding never lifts a ratio above 1.
  static double ratio(double reference, double work) { return reference > 0 ? std::min(1.0, work / reference) : 1.0; }

  const LaneLoops& loops_ = best_lane_loops();
  Setting setting_;
  std::vector<const SharingStrategy*> strategies_;
  StreamKey platforms_;
  StreamKey interruptions_;
  Made kept_;
  std::vector<std::unique_ptr<const Kernel>> kernels_;  ///< one a strategy where there is one platform
  std::optional<InformedBounds> bounds_;                ///< the same
};

/// Refuses a strategy that is not for such platforms.
void require_platforms(const TrialRequest& request, const Setting& setting) {
  for (const SharingStrategy* strategy : chosen_rows(heuristics::sharing_strategies(), request.strategies)) {
    if (strategy->one_speed_and_risk)
      for (const auto& [axis, law] : {std::pair{"speed", setting.speed}, std::pair{"kappa", setting.kappa}})
        require_axis(request.configuration, axis, law->is_constant(),
                     fmt::format("constant(value=..) for {}, which is for workers that differ only in bandwidth",
                                 strategy->name));
    if (strategy->name != "replicated") continue;
    require_axis(request.configuration, "workers", setting.workers <= heuristics::kMostReplicatingWorkers,
                 fmt::format("at most {} for replicated", heuristics::kMostReplicatingWorkers));
    require_axis(request.configuration, "pieces",
                 !setting.piece_size || setting.work / *setting.piece_size <= double{heuristics::kMostPieces},
                 fmt::format("few enough that the work has at most {} pieces for replicated", heuristics::kMostPieces));
  }
}

class HeterogeneousModel final : public Model {
 public:
  HeterogeneousModel()
      : Model({.name = "heterogeneous",
               .summary = "one round on workers that differ in speed, bandwidth and risk",
               .source = "heterogeneous-2011",
               .metric = "work completed",
               .metric_unit = "work",
               .reference = "omniscient"}) {}

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of workers", "", "1 to 100000"},
        {"work", Axis::Kind::kNumber, "work", "workload", "", "> 0"},
        {"speed", Axis::Kind::kText, "", "law of the workers' speeds, work/time", "constant(value=1)",
         "see coterie list platform-laws"},
        {"bandwidth", Axis::Kind::kText, "", "law of the links' bandwidths, work/time", "constant(value=1)",
         "see coterie list platform-laws"},
        {"kappa", Axis::Kind::kText, "", "law of the workers' risk rates, 1/time", "constant(value=1)",
         "see coterie list platform-laws"},
        {"deployment", Axis::Kind::kText, "", "forced: all work must be handed out; optional: it need not be",
         "optional", "forced or optional"},
        {"platform", Axis::Kind::kText, "", "a new random platform for each instance or configuration", "instance",
         "instance or configuration"},
        {"startup", Axis::Kind::kNumber, "work", "start-up cost of a piece", "0", ">= 0"},
        {"pieces", Axis::Kind::kText, "", "initial pieces per unit of work for replicated, or auto", "auto",
         "a whole number or auto"},
        {"rounds", Axis::Kind::kText, "", "messages per worker: one or several", "one", "one or several"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override { return strategy_texts(heuristics::sharing_strategies()); }

  void validate(Configuration& configuration, RiskLibrary&) const override {
    Setting::of(configuration);
    for (const char* axis : {"speed", "bandwidth", "kappa"}) make_law_canonical(configuration, axis);
  }

  void accept(const TrialRequest& request) const override {
    require_platforms(request, Setting::of(request.configuration));
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<HeterogeneousTrial>(request, Setting::of(request.configuration));
  }
};

}  // namespace

const Model& heterogeneous_model() {
  static const HeterogeneousModel model;
  return model;
}

}  // namespace coterie::sim
