#include "sim/models/worksharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/table.hpp"
#include "core/text.hpp"
#include "heuristics/slice_memory.hpp"
#include "sim/background.hpp"
#include "sim/capacity_laws.hpp"
#include "sim/capacity_risk.hpp"
#include "sim/kernel.hpp"
#include "sim/kernels/same_work.hpp"
#include "sim/models/axis_readers.hpp"
#include "sim/sampled_times.hpp"
#include "sim/wall_clock.hpp"

namespace coterie::sim {
namespace {

using heuristics::Granularity;
using heuristics::Plan;
using heuristics::WorksharingProblem;

class WorksharingTrial final : public Trial {
 public:
  /// `problem.risk`: what the schedules are made for; `risks`: what happens, one a worker or one for all.
  WorksharingTrial(const WorksharingProblem& problem, const Granularity& granularity, SampledTimes times,
                   std::shared_ptr<const Background> background, const std::vector<heuristics::Strategy>& strategies,
                   const TrialRequest& request)
      : problem_(problem),
        times_(std::move(times)),
        risks_(times_.risks()),
        names_(request.strategies),
        background_(std::move(background)),
        arrivals_(StreamKey::derive(request.seed, request.configuration.identity, Use::kArrival)) {
    const StreamKey orders = StreamKey::derive(request.seed, request.configuration.identity, Use::kSchedule);
    if (background_ && background_->has_wall_clock_startup()) wall_clock_.emplace(problem_.startup_cost);
    enough_ = problem_.work + problem_.startup_cost;
    heuristics::PlanBook book(problem_, granularity);
    // Draws of linear risk lie on a grid, on which most clocks of the kernels need no table.
    CompileOptions options;
    options.loops = &loops_;
    if (!background_ && risks_.size() == 1) options.grid.linear_rate = risks_.front()->linear_rate().value_or(0);
    std::vector<const Schedule*> schedules;
    for (const std::string& name : names_) {
      const Plan& plan = book.get(find_row(strategies, name, "strategy").builder);
      schedules.push_back(plan.schedule.get());
      facts_.push_back({static_cast<double>(plan.chunks), plan.chunk_size, expected(plan)});
      if (wall_clock_) add_to_wall_clock(plan, request.configuration.place("background"));
      if (plan.schedule) {
        enough_ = std::max(enough_, last_finish(*plan.schedule));
        first_alike_.push_back(wall_clock_ ? schedules.size() - 1 : first_alike(schedules));
        const std::size_t first = first_alike_.back();
        kernels_.push_back(first < kernels_.size() ? kernels_[first] : compile(*plan.schedule, options));
      } else {
        first_alike_.push_back(kernels_.size());
        const auto tasks = static_cast<double>(plan.random->tasks);
        enough_ = std::max(enough_, tasks * (plan.chunk_size + problem_.startup_cost));
        kernels_.push_back(compile(*plan.random, problem_.workers, orders, options));
      }
    }
  }

  std::vector<StrategyFacts> facts() const override { return facts_; }

  void run(const Block& block) const override {
    static thread_local LaneArray<double> capacities;  // the memory goes from block to block
    static thread_local KernelScratch scratch;
    capacities.resize(times_.room());
    double reference[kLanes];
    double work[kLanes];
    double ratio[kLanes];
    for (std::size_t first = 0; first < block.instances; first += kLanes) {
      const std::size_t lanes = std::min(kLanes, block.instances - first);
      const std::uint64_t instance = block.first_instance + first;
      double useful[kLanes] = {};
      times_.draw(instance, capacities, background_ ? nullptr : useful);
      const std::vector<WallClockLane> slowed = wall_clock_lanes(instance, lanes, capacities);
      if (wall_clock_) {
        to_omniscient_capacities(slowed, capacities);
      } else {
        to_capacities(instance, lanes, capacities);
      }
      if (background_) loops_.add_useful(capacities.data(), problem_.workers, problem_.startup_cost, useful);
      for (std::size_t lane = 0; lane < kLanes; ++lane) reference[lane] = std::min(useful[lane], problem_.work);
      std::copy_n(reference, lanes, block.reference + first);
      for (std::size_t s = 0; s < kernels_.size(); ++s) {
        double* const row = block.ratio + s * block.stride + first;
        if (first_alike_[s] < s) {
          std::copy_n(block.ratio + first_alike_[s] * block.stride + first, lanes, row);
          continue;
        }
        if (wall_clock_) to_capacities_of(s, slowed, capacities);
        kernels_[s]->completed_work(capacities.data(), instance, lanes, scratch, work);
        loops_.ratios(work, reference, ratio);
        std::copy_n(ratio, lanes, row);
      }
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    std::vector<double> lanes(times_.room());
    times_.draw(instance, lanes);
    const std::vector<double> times = first_lane(lanes);
    const std::vector<WallClockLane> slowed = wall_clock_lanes(instance, 1, lanes);
    to_capacities(instance, 1, lanes);
    std::vector<double> capacities = first_lane(lanes);
    if (wall_clock_) to_omniscient_capacities(slowed, lanes);
    double references[kLanes] = {};
    loops_.add_useful(lanes.data(), problem_.workers, problem_.startup_cost, references);
    for (double& reference : references) reference = std::min(reference, problem_.work);
    const double reference = references[0];
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (std::size_t w = 0; w < times.size(); ++w) {
      result["workers"].push_back({{"interruption", finite(times[w])}, {"capacity", finite(capacities[w])}});
      if (risks_.size() > 1) result["workers"].back()["risk"] = risks_[w]->text();
    }
    KernelScratch scratch;
    for (std::size_t s = 0; s < kernels_.size(); ++s) {
      if (wall_clock_) {
        to_capacities_of(s, slowed, lanes);
        capacities = first_lane(lanes);
      }
      double work[kLanes];
      double ratio[kLanes];
      kernels_[s]->completed_work(lanes.data(), instance, 1, scratch, work);
      loops_.ratios(work, references, ratio);
      result["strategies"].push_back({{"name", names_[s]},
                                      {"work", work[0]},
                                      {"ratio", ratio[0]},
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

  /// The first of the strategies that completes the same work as the last.
  static std::size_t first_alike(std::span<const Schedule* const> schedules) {
    const auto alike = [&](const Schedule* other) {
      return other != nullptr && complete_the_same_work(*other, *schedules.back());
    };
    return static_cast<std::size_t>(std::find_if(schedules.begin(), schedules.end(), alike) - schedules.begin());
  }

  /// JSON knows no infinity: a worker that is never interrupted has null.
  static nlohmann::ordered_json finite(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  }

  std::vector<double> first_lane(const std::vector<double>& lanes) const {
    std::vector<double> values(problem_.workers);
    for (std::size_t w = 0; w < values.size(); ++w) values[w] = lanes[w * kLanes];
    return values;
  }

  void to_capacities(std::uint64_t instance, std::size_t lanes, std::span<double> times) const {
    if (background_) background_->capacities(arrivals_, instance, problem_.workers, lanes, enough_, loops_, times);
  }

  /// Of the jobs on a worker, or on all of them.
  Stream jobs_stream(std::uint64_t instance, std::size_t worker) const {
    return {arrivals_, instance, background_->is_common() ? 0 : static_cast<std::uint32_t>(worker)};
  }

  /// One instance where start-up costs take wall-clock time.
  struct WallClockLane {
    std::vector<double> times;         // of interruption
    std::vector<SpeedProfile> speeds;  // one a worker, or one for all

    const SpeedProfile& speed(std::size_t worker) const { return speeds[speeds.size() == 1 ? 0 : worker]; }
  };

  /// Of `lanes` instances from `instance` on with these interruption times; none where no wall clock is needed.
  std::vector<WallClockLane> wall_clock_lanes(std::uint64_t instance, std::size_t lanes,
                                              std::span<const double> times) const {
    std::vector<WallClockLane> result(wall_clock_ ? lanes : 0);
    for (std::size_t lane = 0; lane < result.size(); ++lane) {
      WallClockLane& one = result[lane];
      for (std::size_t w = 0; w < problem_.workers; ++w) one.times.push_back(times[w * kLanes + lane]);
      const bool common = background_->is_common();
      const double last = *std::max_element(one.times.begin(), one.times.end());
      for (std::size_t w = 0; w < (common ? 1 : problem_.workers); ++w) {
        Stream stream = jobs_stream(instance + lane, w);
        one.speeds.push_back(background_->path(common ? last : one.times[w], enough_, stream));
      }
    }
    return result;
  }

  void to_omniscient_capacities(const std::vector<WallClockLane>& lanes, std::span<double> capacities) const {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t w = 0; w < problem_.workers; ++w)
        capacities[w * kLanes + lane] = wall_clock_->omniscient_capacity(lanes[lane].speed(w), lanes[lane].times[w]);
  }

  void to_capacities_of(std::size_t strategy, const std::vector<WallClockLane>& lanes,
                        std::span<double> capacities) const {
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
      for (std::size_t w = 0; w < problem_.workers; ++w)
        capacities[w * kLanes + lane] = wall_clock_->capacity(strategy, w, lanes[lane].speed(w), lanes[lane].times[w]);
  }

  void add_to_wall_clock(const Plan& plan, const Place& place) {
    try {
      wall_clock_->add(plan, problem_.workers);
    } catch (const InputError& error) {
      throw InputError(place, error.what());
    }
  }

  const LaneLoops& loops_ = best_lane_loops();
  WorksharingProblem problem_;
  SampledTimes times_;
  const std::vector<RiskPtr>& risks_;
  std::vector<std::string> names_;
  std::shared_ptr<const Background> background_;
  std::optional<WallClock> wall_clock_;  // where start-up costs take wall-clock time
  StreamKey arrivals_;
  double enough_ = 0;
  std::vector<StrategyFacts> facts_;
  std::vector<std::shared_ptr<const Kernel>> kernels_;
  std::vector<std::size_t> first_alike_;  // by strategy: whose ratios are the same
};

/// The capacity of an instance is the omniscient's, were there work enough: the sum over workers of
/// min(work, max(0, T - startup)). What one worker could do beyond the whole workload counts for nobody.
class WorksharingControls final : public Controls {
 public:
  WorksharingControls(const WorksharingProblem& problem, SampledTimes times, CapacityLaws& laws)
      : work_(problem.work), startup_cost_(problem.startup_cost), times_(std::move(times)) {
    const CapacityMeans known = laws.of(times_.risks(), problem.workers, startup_cost_, work_);
    // Work completed grows with each draw, on a grid of 2^-32, by no more than one worker can do.
    const double draws = static_cast<double>(problem.workers) * known.greatest_part * 0x1p-33;
    means_ = {draws + kRounding * work_, known.positive, known.mean, known.variance, known.limited};
  }

  const Means& means() const override { return means_; }

  void capacities(std::uint64_t first_instance, std::span<double> capacities) const override {
    std::vector<double> times(times_.room());
    for (std::size_t first = 0; first < capacities.size(); first += kLanes) {
      times_.draw(first_instance + first, times);
      double sum[kLanes] = {};
      for (std::size_t w = 0; w < times_.workers(); ++w)
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          sum[lane] += std::clamp(times[w * kLanes + lane] - startup_cost_, 0.0, work_);
      std::copy_n(sum, std::min(kLanes, capacities.size() - first), capacities.data() + first);
    }
  }

 private:
  static constexpr double kRounding = 1e-12;  // of exact expected work, as a part of the workload

  double work_;
  double startup_cost_;
  SampledTimes times_;
  Means means_;
};

class WorksharingModel final : public Model {
 public:
  explicit WorksharingModel(std::vector<heuristics::Strategy> strategies) : strategies_(std::move(strategies)) {}

  std::string name() const override { return "worksharing"; }
  std::string summary() const override { return "static schedules on identical workers that may be interrupted"; }
  std::string source() const override { return "worksharing-2013"; }
  std::string metric() const override { return "work completed"; }
  std::string metric_unit() const override { return "work"; }
  std::string reference() const override { return "omniscient"; }

  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"workers", Axis::Kind::kWhole, "1", "number of workers", "", "1 to 1000000"},
        {"work", Axis::Kind::kNumber, "work", "workload", "", "> 0"},
        {"chunks", Axis::Kind::kText, "", "chunks per unit of work, auto or auto-paper", "auto",
         "a whole number, auto or auto-paper"},
        {"startup", Axis::Kind::kNumber, "work", "start-up cost of a chunk", "", ">= 0"},
        {"risk", Axis::Kind::kText, "", "risk function of a worker", "linear(kappa=1)", "see coterie list risks"},
        {"planned_risk", Axis::Kind::kText, "",
         "risk that the schedules are made for; same: the true one; "
         "capacity: that one and the background's law",
         "same", "same, capacity or a risk"},
        {"lambda", Axis::Kind::kNumber, "1", "greatest tolerated probability of interruption of a worker's load", "1",
         "in (0, 1]"},
        {"background", Axis::Kind::kText, "", "background jobs on the workers", "none", "see coterie list backgrounds"},
    };
    return table;
  }

  std::vector<StrategyText> strategies() const override {
    std::vector<StrategyText> list;
    for (const auto& strategy : strategies_) list.push_back({strategy.name, strategy.summary, strategy.source});
    return list;
  }

  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    const RiskPtr risk = risk_of(configuration, risks);
    configuration.values.set_canonical("risk", risks.canonical(configuration.text("risk")));
    const auto background = background_of(configuration);
    if (configuration.text("planned_risk") != kCapacity) {  // its law is known when the trial is prepared
      problem_of(configuration, planned_risk_of(configuration, risks));
      if (configuration.text("planned_risk") != kSame)
        configuration.values.set_canonical("planned_risk", risks.canonical(configuration.text("planned_risk")));
    }
    configuration.values.set_canonical("background", background ? background->text() : "none");
    problem_of(configuration, risk);
    const Granularity granularity = granularity_of(configuration);
    if (granularity.kind == Granularity::Kind::kPerUnit)
      configuration.values.set_canonical("chunks", std::to_string(granularity.count));
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

  void accept(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    for (const std::string& name : request.strategies) {
      const auto refuse = find_row(strategies_, name, "strategy").refuse;
      if (refuse == nullptr) continue;
      try {  // planned_risk does not matter for it, and the law of a capacity takes long to find
        refuse(problem_of(configuration, risk_of(configuration, request.risks)), granularity_of(configuration));
      } catch (const InputError& error) {
        throw InputError(configuration.place("workers"), error.what());
      }
    }
  }

  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    const Configuration& configuration = request.configuration;
    const WorksharingProblem problem = problem_of(configuration, planned_risk_of(configuration, request.risks));
    Granularity granularity = granularity_of(configuration);
    if (configuration.text("planned_risk") != kCapacity) granularity.memory = &memory_;  // its law is made anew
    return std::make_unique<WorksharingTrial>(problem, granularity, times_of(problem, request),
                                              background_of(configuration), strategies_, request);
  }

  std::optional<std::string> objection(const Configuration& configuration, Sampling sampling,
                                       VarianceReduction reduction) const override {
    if (sampling == Sampling::kSobol &&
        configuration.number("workers") > static_cast<double>(SobolPoints::most_workers()))
      return fmt::format("has Sobol points for at most {} workers, not {}", SobolPoints::most_workers(),
                         configuration.text("workers"));
    if (reduction == VarianceReduction::kControl && configuration.text("background") != "none")
      return fmt::format("needs exact means, and none is known with the background {}",
                         configuration.text("background"));
    return std::nullopt;
  }

  std::unique_ptr<Controls> controls(const TrialRequest& request, CapacityLaws& laws) const override {
    const WorksharingProblem problem = problem_of(request.configuration, risk_of(request.configuration, request.risks));
    return std::make_unique<WorksharingControls>(problem, times_of(problem, request), laws);
  }

 private:
  static SampledTimes times_of(const WorksharingProblem& problem, const TrialRequest& request) {
    const Configuration& configuration = request.configuration;
    const StreamKey ages = StreamKey::derive(request.seed, configuration.identity, Use::kAge);
    return {request.risks.of_workers(configuration.text("risk"), problem.workers, ages, configuration.place("risk")),
            problem.workers,
            problem.startup_cost,
            request.seed,
            configuration.identity,
            request.sampling};
  }

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

  std::vector<heuristics::Strategy> strategies_;
  mutable heuristics::SliceMemory memory_;
};

}  // namespace

std::unique_ptr<const Model> make_worksharing_model(std::vector<heuristics::Strategy> strategies) {
  return std::make_unique<WorksharingModel>(std::move(strategies));
}

}  // namespace coterie::sim
