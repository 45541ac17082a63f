#include "sim/models/worksharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/text.hpp"
#include "heuristics/registry.hpp"
#include "sim/background.hpp"
#include "sim/capacity_risk.hpp"
#include "sim/kernel.hpp"
#include "sim/models/axis_readers.hpp"
#include "sim/wall_clock.hpp"

namespace coterie::sim {
namespace {

using heuristics::Granularity;
using heuristics::Plan;
using heuristics::WorksharingProblem;

/// min(W, sum of max(0, T - eps)): who knows all capacities runs one chunk on each worker up to its interruption.
double omniscient_work(std::span<const double> capacities, double work, double startup_cost) {
  double sum = 0;
  for (const double capacity : capacities) sum += std::max(0.0, capacity - startup_cost);
  return std::min(work, sum);
}

/// Work against the omniscient's, 1 where that completes nothing; rounding never lifts a ratio above 1.
double ratio_to(double reference, double work) { return reference > 0 ? std::min(1.0, work / reference) : 1.0; }

class WorksharingTrial final : public Trial {
 public:
  /// `problem.risk`: what the schedules are made for; `risks`: what happens, one a worker or one for all.
  WorksharingTrial(const WorksharingProblem& problem, const Granularity& granularity, std::vector<RiskPtr> risks,
                   std::shared_ptr<const Background> background, const TrialRequest& request)
      : problem_(problem),
        risks_(std::move(risks)),
        names_(request.strategies),
        background_(std::move(background)),
        interruptions_(StreamKey::derive(request.seed, request.configuration.identity, Use::kInterruption)),
        arrivals_(StreamKey::derive(request.seed, request.configuration.identity, Use::kArrival)) {
    const StreamKey orders = StreamKey::derive(request.seed, request.configuration.identity, Use::kSchedule);
    if (background_ && background_->has_wall_clock_startup()) wall_clock_.emplace(problem_.startup_cost);
    double longest = problem_.work + problem_.startup_cost;
    for (const std::string& name : names_) {
      const Plan plan = heuristics::worksharing_strategy(name).build(problem_, granularity);
      facts_.push_back({static_cast<double>(plan.chunks), plan.chunk_size, expected(plan)});
      if (wall_clock_) add_to_wall_clock(plan, request.configuration.place("background"));
      if (plan.schedule) {
        for (std::size_t w = 0; w < problem_.workers; ++w)
          if (!plan.schedule->tasks(w).finish.empty())
            longest = std::max(longest, plan.schedule->tasks(w).finish.back());
        kernels_.push_back(compile(*plan.schedule));
      } else {
        const auto tasks = static_cast<double>(plan.random->tasks);
        longest = std::max(longest, tasks * (plan.chunk_size + problem_.startup_cost));
        kernels_.push_back(compile(*plan.random, problem_.workers, orders));
      }
    }
    enough_ = longest;
  }

  std::vector<StrategyFacts> facts() const override { return facts_; }

  void run(const Block& block) const override {
    if (wall_clock_) return run_by_wall_clock(block);
    std::vector<double> capacities(problem_.workers);
    KernelScratch scratch;
    for (std::size_t i = 0; i < block.instances; ++i) {
      const std::uint64_t instance = block.first_instance + i;
      draw(instance, capacities);
      const double reference = omniscient_work(capacities, problem_.work, problem_.startup_cost);
      block.reference[i] = reference;
      for (std::size_t s = 0; s < kernels_.size(); ++s)
        block.ratio[s * block.stride + i] =
            ratio_to(reference, kernels_[s]->completed_work(capacities, instance, scratch));
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    std::vector<double> times(problem_.workers);
    interruption_times(instance, times);
    std::vector<double> capacities = times;
    to_capacities(instance, capacities);
    WallClockInstance by_wall_clock;
    if (wall_clock_) by_wall_clock = wall_clock_instance(instance);
    const double reference = wall_clock_ ? by_wall_clock.reference
                                         : omniscient_work(capacities, problem_.work, problem_.startup_cost);
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (std::size_t w = 0; w < times.size(); ++w) {
      result["workers"].push_back({{"interruption", finite(times[w])}, {"capacity", finite(capacities[w])}});
      if (risks_.size() > 1) result["workers"].back()["risk"] = risks_[w]->text();
    }
    KernelScratch scratch;
    for (std::size_t s = 0; s < kernels_.size(); ++s) {
      if (wall_clock_) capacities_of(s, by_wall_clock, capacities);
      const double work = kernels_[s]->completed_work(capacities, instance, scratch);
      result["strategies"].push_back({{"name", names_[s]},
                                      {"work", work},
                                      {"ratio", ratio_to(reference, work)},
                                      {"tasks_done", kernels_[s]->tasks_done(capacities, instance)}});
    }
    return result;
  }

 private:
  /// Exact where interruptions alone decide; random orders are only known to their own risk.
  double expected(const Plan& plan) const {
    if (background_) return std::nan("");
    if (risks_.size() == 1 && risks_.front() == problem_.risk) return plan.expected_work;
    return plan.schedule ? expected_work(*plan.schedule, risks_) : std::nan("");
  }

  /// JSON knows no infinity: a worker that is never interrupted has null.
  static nlohmann::ordered_json finite(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  }

  void interruption_times(std::uint64_t instance, std::span<double> times) const {
    worker_uniforms(interruptions_, instance, times);
    if (risks_.size() == 1) {
      risks_.front()->sample(times, times);
    } else {
      for (std::size_t w = 0; w < times.size(); ++w) times[w] = risks_[w]->quantile(times[w]);
    }
  }

  void to_capacities(std::uint64_t instance, std::span<double> times) const {
    if (!background_) return;
    for (std::size_t w = 0; w < times.size(); ++w) {
      Stream stream = jobs_stream(instance, w);
      times[w] = background_->capacity(times[w], enough_, stream);
    }
  }

  /// Of the jobs on a worker, or on all of them.
  Stream jobs_stream(std::uint64_t instance, std::size_t worker) const {
    return {arrivals_, instance, background_->is_common() ? 0 : static_cast<std::uint32_t>(worker)};
  }

  /// One instance where start-up costs take wall-clock time.
  struct WallClockInstance {
    std::vector<double> times;         // of interruption
    std::vector<SpeedProfile> speeds;  // one a worker, or one for all
    double reference = 0;

    const SpeedProfile& speed(std::size_t worker) const { return speeds[speeds.size() == 1 ? 0 : worker]; }
  };

  WallClockInstance wall_clock_instance(std::uint64_t instance) const {
    WallClockInstance result{std::vector<double>(problem_.workers), {}, 0};
    interruption_times(instance, result.times);
    const std::size_t paths = background_->is_common() ? 1 : problem_.workers;
    const double last = *std::max_element(result.times.begin(), result.times.end());
    for (std::size_t w = 0; w < paths; ++w) {
      Stream stream = jobs_stream(instance, w);
      result.speeds.push_back(background_->path(paths == 1 ? last : result.times[w], enough_, stream));
    }
    std::vector<double> capacities(problem_.workers);
    for (std::size_t w = 0; w < capacities.size(); ++w)
      capacities[w] = wall_clock_->omniscient_capacity(result.speed(w), result.times[w]);
    result.reference = omniscient_work(capacities, problem_.work, problem_.startup_cost);
    return result;
  }

  void capacities_of(std::size_t strategy, const WallClockInstance& instance, std::span<double> capacities) const {
    for (std::size_t w = 0; w < capacities.size(); ++w)
      capacities[w] = wall_clock_->capacity(strategy, w, instance.speed(w), instance.times[w]);
  }

  void run_by_wall_clock(const Block& block) const {
    std::vector<double> capacities(problem_.workers);
    KernelScratch scratch;
    for (std::size_t i = 0; i < block.instances; ++i) {
      const WallClockInstance instance = wall_clock_instance(block.first_instance + i);
      block.reference[i] = instance.reference;
      for (std::size_t s = 0; s < kernels_.size(); ++s) {
        capacities_of(s, instance, capacities);
        const double work = kernels_[s]->completed_work(capacities, block.first_instance + i, scratch);
        block.ratio[s * block.stride + i] = ratio_to(instance.reference, work);
      }
    }
  }

  void add_to_wall_clock(const Plan& plan, const Place& place) {
    try {
      wall_clock_->add(plan, problem_.workers);
    } catch (const InputError& error) {
      throw InputError(place, error.what());
    }
  }

  void draw(std::uint64_t instance, std::span<double> capacities) const {
    interruption_times(instance, capacities);
    to_capacities(instance, capacities);
  }

  WorksharingProblem problem_;
  std::vector<RiskPtr> risks_;
  std::vector<std::string> names_;
  std::shared_ptr<const Background> background_;
  std::optional<WallClock> wall_clock_;  // where start-up costs take wall-clock time
  StreamKey interruptions_;
  StreamKey arrivals_;
  double enough_ = 0;
  std::vector<StrategyFacts> facts_;
  std::vector<std::unique_ptr<Kernel>> kernels_;
};

class WorksharingModel final : public Model {
 public:
  std::string name() const override { return "worksharing"; }
  std::string summary() const override { return "static schedules on identical workers that may be interrupted"; }
  std::string source() const override { return "worksharing-2013"; }
  std::string metric() const override { return "work completed"; }
  std::string metric_unit() const override { return "work"; }
  std::string reference() const override { return "omniscient"; }

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of workers", ""},
        {"work", Axis::Kind::kNumber, "work", "workload", ""},
        {"chunks", Axis::Kind::kText, "", "chunks per unit of work, auto or auto-paper", "auto"},
        {"startup", Axis::Kind::kNumber, "work", "start-up cost of a chunk", ""},
        {"risk", Axis::Kind::kText, "", "risk function of a worker", "linear(kappa=1)"},
        {"planned_risk", Axis::Kind::kText, "", "risk that the schedules are made for; same: the true one; "
         "capacity: that one and the background's law", "same"},
        {"lambda", Axis::Kind::kNumber, "1", "greatest tolerated probability of interruption of a worker's load", "1"},
        {"background", Axis::Kind::kText, "", "background jobs on the workers", "none"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list;
    for (const auto& strategy : heuristics::worksharing_strategies())
      list.push_back({strategy.name, strategy.summary, strategy.source});
    return list;
  }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    const RiskPtr risk = risk_of(configuration, risks);
    configuration.values.at("risk").canonical = risks.canonical(configuration.text("risk"));
    const auto background = background_of(configuration);
    if (configuration.text("planned_risk") != kCapacity) {  // its law is known when the trial is prepared
      problem_of(configuration, planned_risk_of(configuration, risks));
      if (configuration.text("planned_risk") != kSame)
        configuration.values.at("planned_risk").canonical = risks.canonical(configuration.text("planned_risk"));
    }
    configuration.values.at("background").canonical = background ? background->text() : "none";
    problem_of(configuration, risk);
    const Granularity granularity = granularity_of(configuration);
    if (granularity.kind == Granularity::Kind::kPerUnit)
      configuration.values.at("chunks").canonical = std::to_string(granularity.count);
    const bool searched =
        granularity.kind == Granularity::Kind::kAuto || granularity.kind == Granularity::Kind::kAutoPaper;
    if (searched && configuration.number("startup") <= 0)
      throw InputError(configuration.place("startup"),
                       fmt::format("startup = 0 with chunks = \"{}\": without a start-up cost more chunks are always "
                                   "better; give a whole number of chunks",
                                   configuration.text("chunks")));
    if (granularity.kind == Granularity::Kind::kPerUnit &&
        configuration.number("work") * static_cast<double>(granularity.count) > kMostChunks)
      throw InputError(configuration.place("chunks"),
                       fmt::format("work {} at {} chunks per unit makes more than {} chunks",
                                   configuration.text("work"), granularity.count, to_text(kMostChunks)));
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    const WorksharingProblem problem = problem_of(configuration, planned_risk_of(configuration, request.risks));
    const StreamKey ages = StreamKey::derive(request.seed, configuration.identity, Use::kAge);
    return std::make_unique<WorksharingTrial>(
        problem, granularity_of(configuration),
        request.risks.of_workers(configuration.text("risk"), problem.workers, ages, configuration.place("risk")),
        background_of(configuration), request);
  }

 private:
  static constexpr double kMostChunks = heuristics::Chunking::kMostChunks;
  static constexpr const char* kSame = "same";
  static constexpr const char* kCapacity = "capacity";

  static RiskPtr planned_risk_of(const Configuration& configuration, RiskLibrary& risks) {
    if (configuration.text("planned_risk") == kSame) return risk_of(configuration, risks);
    if (configuration.text("planned_risk") == kCapacity) {
      const auto background = background_of(configuration);
      if (!background) return risk_of(configuration, risks);
      const double limit = 2 * (configuration.number("work") + configuration.number("startup"));
      return std::make_shared<CapacityRisk>(risk_of(configuration, risks), *background, limit);
    }
    return risks.get(configuration.text("planned_risk"), configuration.place("planned_risk"));
  }

  static RiskPtr risk_of(const Configuration& configuration, RiskLibrary& risks) {
    return risks.get(configuration.text("risk"), configuration.place("risk"));
  }
  static std::shared_ptr<const Background> background_of(const Configuration& configuration) {
    return make_background(Expression::parse(configuration.text("background"), configuration.place("background")));
  }
  static Granularity granularity_of(const Configuration& configuration) {
    return Granularity::parse(configuration.text("chunks"), configuration.place("chunks"));
  }

  static WorksharingProblem problem_of(const Configuration& configuration, const RiskPtr& risk) {
    const double lambda = configuration.number("lambda");
    require_axis(configuration, "lambda", lambda > 0 && lambda <= 1, "in (0, 1]");
    const WorksharingProblem problem{count_axis(configuration, "workers", 1, WorksharingProblem::kMostWorkers),
                                     positive_axis(configuration, "work"),
                                     cost_axis(configuration, "startup"),
                                     risk,
                                     lambda,
                                     0};
    require_axis(configuration, "lambda", problem.max_slice() > 0,
                 "large enough to leave some work before that risk is reached");
    return problem;
  }
};

}  // namespace

const Model& worksharing_model() {
  static const WorksharingModel model;
  return model;
}

}  // namespace coterie::sim
