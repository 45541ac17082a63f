#include "sim/models/worksharing_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/cancellation.hpp"
#include "core/ties.hpp"
#include "heuristics/worksharing/random_replication.hpp"
#include "sim/kernels/kernel.hpp"
#include "sim/kernels/same_work.hpp"
#include "sim/sampling/wall_clock.hpp"

namespace coterie::sim {
namespace {

using heuristics::Plan;
using heuristics::WorksharingProblem;

class WorksharingTrial final : public Trial {
 public:
  WorksharingTrial(const WorksharingProblem& problem, const std::vector<NamedPlan>& plans,
                   WorksharingInstances instances, ExactCapacities& capacities)
      : problem_(problem),
        times_(std::move(instances.times)),
        risks_(times_.risks()),
        jumps_(std::any_of(risks_.begin(), risks_.end(), [](const RiskPtr& risk) { return !risk->has_density(); })),
        background_(std::move(instances.background)),
        arrivals_(StreamKey::derive(instances.seed, instances.identity, Use::kArrival)) {
    const StreamKey orders = StreamKey::derive(instances.seed, instances.identity, Use::kSchedule);
    if (background_ && background_->has_wall_clock_startup()) wall_clock_.emplace(problem_.startup_cost);
    enough_ = problem_.work + problem_.startup_cost;
    // Draws of linear risk lie on a grid, on which most counters of tasks need no table.
    CompileOptions options;
    options.loops = &loops_;
    if (!background_ && risks_.size() == 1) options.grid.linear_rate = risks_.front()->linear_rate().value_or(0);
    std::vector<const Schedule*> schedules;
    for (const auto& [name, plan] : plans) {
      names_.push_back(name);
      schedules.push_back(plan.schedule.get());
      facts_.push_back({static_cast<double>(plan.chunks), plan.chunk_size, expected(plan, capacities)});
      if (wall_clock_) add_to_wall_clock(plan, instances.background_place);
      if (plan.schedule) {
        enough_ = std::max(enough_, last_finish(*plan.schedule));
        first_alike_.push_back(wall_clock_ ? schedules.size() - 1 : first_alike(schedules));
      } else {
        first_alike_.push_back(schedules.size() - 1);
        const auto tasks = static_cast<double>(plan.random->tasks);
        enough_ = std::max(enough_, tasks * (plan.chunk_size + problem_.startup_cost));
      }
    }
    if (!wall_clock_) count_in_common(plans, options);
    for (std::size_t s = 0; s < plans.size(); ++s) {
      const Plan& plan = plans[s].plan;
      if (first_alike_[s] < s)
        kernels_.push_back(kernels_[first_alike_[s]]);
      else if (plan.schedule)
        kernels_.push_back(compile(*plan.schedule, options));
      else
        kernels_.push_back(compile(*plan.random, problem_.workers, orders, options));
    }
  }

  std::vector<StrategyFacts> facts() const override { return facts_; }

  void run(const Block& block) const override {
    static thread_local LaneArray<double> capacities;  // the memory goes from block to block
    static thread_local KernelScratch scratch;
    static thread_local LaneArray<std::int32_t> common_tasks;
    capacities.resize(times_.room());
    double reference[kLanes];
    double work[kLanes];
    double ratio[kLanes];
    for (std::size_t first = 0; first < block.instances; first += kLanes) {
      cancellation_point();
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
      if (!wall_clock_) forgive_ties(capacities);
      for (std::size_t lane = 0; lane < kLanes; ++lane) reference[lane] = std::min(useful[lane], problem_.work);
      std::copy_n(reference, lanes, block.reference + first);
      const LaneInstances here{capacities.data(), instance, lanes, count_common_tasks(capacities, common_tasks)};
      for (std::size_t s = 0; s < kernels_.size(); ++s) {
        double* const row = block.ratio + s * block.stride + first;
        if (first_alike_[s] < s) {
          std::copy_n(block.ratio + first_alike_[s] * block.stride + first, lanes, row);
          continue;
        }
        if (wall_clock_) to_capacities_of(s, slowed, capacities);
        kernels_[s]->completed_work(here, scratch, work);
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
    const std::vector<double> capacities = first_lane(lanes);
    if (wall_clock_) to_omniscient_capacities(slowed, lanes);
    double references[kLanes] = {};
    loops_.add_useful(lanes.data(), problem_.workers, problem_.startup_cost, references);
    for (double& reference : references) reference = std::min(reference, problem_.work);
    if (!wall_clock_) forgive_ties(lanes);
    const double reference = references[0];
    nlohmann::ordered_json result;
    result["reference"] = reference;
    for (std::size_t w = 0; w < times.size(); ++w) {
      result["workers"].push_back({{"interruption", finite(times[w])}, {"capacity", finite(capacities[w])}});
      if (risks_.size() > 1) result["workers"].back()["risk"] = risks_[w]->text();
      if (times_.zones().bind(problem_.workers))
        result["workers"].back()["zone"] = times_.zones().of(w, problem_.workers);
    }
    KernelScratch scratch;
    LaneArray<std::int32_t> common_tasks;
    const LaneInstances here{lanes.data(), instance, 1, count_common_tasks(lanes, common_tasks)};
    for (std::size_t s = 0; s < kernels_.size(); ++s) {
      if (wall_clock_) to_capacities_of(s, slowed, lanes);
      double work[kLanes];
      double ratio[kLanes];
      kernels_[s]->completed_work(here, scratch, work);
      loops_.ratios(work, references, ratio);
      result["strategies"].push_back({{"name", names_[s]},
                                      {"work", work[0]},
                                      {"ratio", ratio[0]},
                                      {"tasks_done", kernels_[s]->tasks_done(first_lane(lanes), instance)}});
    }
    return result;
  }

 private:
  /// Exact where it is known; outside of zones, random orders are only known to their own risk.
  double expected(const Plan& plan, ExactCapacities& capacities) const {
    if (const Zones& zones = times_.zones(); zones.bind(problem_.workers))
      return background_ ? std::nan("")
             : plan.schedule
                 ? expected_work(*plan.schedule, risks_, zones)
                 : heuristics::expected_by_random_replication(*plan.random, risks_, problem_.workers, zones);
    if (background_)
      return plan.schedule ? capacities.expected_work(*plan.schedule, risks_, *background_) : std::nan("");
    if (risks_.size() == 1 && risks_.front() == problem_.risk) return plan.expected_work;
    if (plan.random && std::ranges::equal(risks_, problem_.risks())) return plan.expected_work;
    return plan.schedule ? expected_work(*plan.schedule, risks_) : std::nan("");
  }

  /// The first of the strategies that completes the same work as the last.
  static std::size_t first_alike(std::span<const Schedule* const> schedules) {
    const auto alike = [&](const Schedule* other) {
      return other != nullptr && complete_the_same_work(*other, *schedules.back());
    };
    return static_cast<std::size_t>(std::find_if(schedules.begin(), schedules.end(), alike) - schedules.begin());
  }

  /// Of strategies with chunks of one size the tasks of a worker are counted once.
  void count_in_common(const std::vector<NamedPlan>& plans, CompileOptions& options) {
    std::vector<FinishTimes> lists;
    for (std::size_t s = 0; s < plans.size(); ++s)
      if (const Plan& plan = plans[s].plan; first_alike_[s] == s)
        lists.push_back(plan.schedule ? longest_list(*plan.schedule) : longest_list(*plan.random));
    options.common = common_list(lists);
    if (!options.common.empty()) common_.emplace(options.common, options.grid);
  }

  /// [worker][lane], or nothing where nothing is counted in common.
  const std::int32_t* count_common_tasks(std::span<const double> capacities, LaneArray<std::int32_t>& tasks) const {
    if (!common_) return nullptr;
    tasks.resize(problem_.workers * kLanes);
    loops_.count(common_->view(), capacities.data(), problem_.workers, tasks.data());
    return tasks.data();
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

  /// What ends at a recorded interruption is done. The omniscient, who is not bound to any end, has no use of it.
  void forgive_ties(std::span<double> capacities) const {
    if (!jumps_) return;
    for (double& capacity : capacities) capacity = just_after(capacity);
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
    constexpr std::size_t kMostPieces = 40'000'000;  // 1 GB
    std::size_t pieces = 0;
    std::vector<WallClockLane> result(wall_clock_ ? lanes : 0);
    for (std::size_t lane = 0; lane < result.size(); ++lane) {
      WallClockLane& one = result[lane];
      for (std::size_t w = 0; w < problem_.workers; ++w) one.times.push_back(times[w * kLanes + lane]);
      const bool common = background_->is_common();
      const double last = *std::max_element(one.times.begin(), one.times.end());
      for (std::size_t w = 0; w < (common ? 1 : problem_.workers); ++w) {
        Stream stream = jobs_stream(instance + lane, w);
        one.speeds.push_back(background_->path(common ? last : one.times[w], enough_, stream));
        pieces += one.speeds.back().pieces();
        if (pieces > kMostPieces)
          throw RuntimeError(fmt::format(
              "background jobs change more than {} times in {} instances, which startup=wall holds in memory at "
              "the same time (use a lower arrival rate or fewer workers)",
              kMostPieces, lanes));
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
    forgive_ties(capacities);
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
  bool jumps_;  // some risk has recorded times
  std::vector<std::string> names_;
  std::shared_ptr<const Background> background_;
  std::optional<WallClock> wall_clock_;  // where start-up costs take wall-clock time
  StreamKey arrivals_;
  double enough_ = 0;
  std::vector<StrategyFacts> facts_;
  std::vector<std::shared_ptr<const Kernel>> kernels_;
  std::vector<std::size_t> first_alike_;  // by strategy: whose ratios are the same
  std::optional<TaskCounter> common_;     // of the list whose tasks are counted for several kernels
};

}  // namespace

std::unique_ptr<Trial> make_worksharing_trial(const WorksharingProblem& problem, const std::vector<NamedPlan>& plans,
                                              WorksharingInstances instances, ExactCapacities& capacities) {
  return std::make_unique<WorksharingTrial>(problem, plans, std::move(instances), capacities);
}

}  // namespace coterie::sim
