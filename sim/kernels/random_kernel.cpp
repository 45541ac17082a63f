#include <algorithm>
#include <optional>

#include "sim/kernels/kernel.hpp"

namespace coterie::sim {
namespace {

/// When a worker ends each of its tasks, the smaller last chunk among them or not yet.
std::vector<double> finish_times(const heuristics::RandomOrders& orders, bool with_last) {
  std::vector<double> finish;
  for (std::size_t k = 1; k <= orders.tasks; ++k)
    finish.push_back(orders.chunking.elapsed(k, with_last) + static_cast<double>(k) * orders.startup_cost);
  return finish;
}

bool has_smaller(const heuristics::RandomOrders& orders) {
  return orders.chunking.last_size() != orders.chunking.size();
}

/// As many as can be drawn in at most 2^40 ways, each of which then has its share of the 2^64 numbers within 2^-24.
std::uint32_t balls_of_two_words(std::int32_t chunks) {
  constexpr double kWays = 0x1p40;
  constexpr std::uint32_t kMost = 16;
  std::uint32_t balls = 1;
  for (double ways = chunks; balls < kMost && ways * chunks <= kWays; ++balls) ways *= chunks;
  return balls;
}

/// Every worker draws its own order of the chunks, anew in each instance. The full chunks that it completes are then a
/// random set, independent of those of the other workers; of such sets only the sizes have to be drawn: how many of a
/// worker's chunks nobody before it has completed is the number of marked balls in a draw from an urn without return.
/// [worksharing-2013, Section 6.1]
class RandomKernel final : public Kernel {
 public:
  RandomKernel(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key,
               const CompileOptions& options, const LaneLoops& loops)
      : orders_(orders), workers_(workers), key_(key), loops_(loops), full_(finish_times(orders, false), options.grid) {
    if (has_smaller(orders)) smaller_.emplace(finish_times(orders, true), options.grid);
    balls_ = balls_of_two_words(full_chunks());
    is_common_ = !smaller_ && full_.is_of(options.common);
  }

  void completed_work(const LaneInstances& instances, KernelScratch& scratch, double* work) const override {
    bool last[kLanes] = {};
    std::int32_t completed[kLanes];
    const std::int32_t* const tasks = is_common_ && instances.common_tasks != nullptr
                                          ? instances.common_tasks
                                          : count_tasks(instances.capacities, instances.first, scratch, last);
    loops_.join_random_sets({key_.key[0], key_.key[1], instances.first, workers_, full_chunks(), balls_}, tasks,
                            completed);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::size_t chunks = static_cast<std::size_t>(completed[lane]) + (last[lane] ? 1 : 0);
      work[lane] = chunks > 0 ? orders_.chunking.elapsed(chunks, last[lane]) : 0;
    }
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t instance) const override {
    std::vector<double> uniforms(workers_);
    worker_uniforms(key_, instance, uniforms);
    std::vector<std::size_t> done;
    for (std::size_t w = 0; w < workers_; ++w) {
      done.push_back(sim::tasks_done(full_.view(), capacities[w]));
      if (smaller_ && done[w] >= position(uniforms[w])) done[w] = sim::tasks_done(smaller_->view(), capacities[w]);
    }
    return done;
  }

 private:
  std::int32_t full_chunks() const { return static_cast<std::int32_t>(orders_.chunking.count()) - (smaller_ ? 1 : 0); }

  /// Position of the smaller last chunk in a worker's order, from 0.
  std::uint32_t position(double uniform) const {
    return static_cast<std::uint32_t>(uniform * static_cast<double>(orders_.chunking.count()));
  }

  /// Full chunks that each worker completes, in scratch; last[lane]: whether any completes the smaller one.
  const std::int32_t* count_tasks(const double* capacities, std::uint64_t first_instance, KernelScratch& scratch,
                                  bool* last) const {
    scratch.counts.resize(workers_ * kLanes);
    std::int32_t* done = scratch.counts.data();
    loops_.count(full_.view(), capacities, workers_, done);
    if (!smaller_) return done;
    scratch.reals.resize((workers_ + 3) / 4 * 4 * kLanes);
    loops_.uniforms(key_.key[0], key_.key[1], first_instance, 0, workers_, scratch.reals.data());
    std::int32_t with_last[kLanes];
    for (std::size_t w = 0; w < workers_; ++w) {
      loops_.count(smaller_->view(), capacities + w * kLanes, 1, with_last);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const auto place = static_cast<std::int32_t>(position(scratch.reals[w * kLanes + lane]));
        if (done[w * kLanes + lane] < place || with_last[lane] <= place) continue;
        done[w * kLanes + lane] = with_last[lane] - 1;
        last[lane] = true;
      }
    }
    return done;
  }

  heuristics::RandomOrders orders_;
  std::size_t workers_;
  StreamKey key_;
  const LaneLoops& loops_;
  TaskCounter full_;
  std::uint32_t balls_ = 1;
  std::optional<TaskCounter> smaller_;  // where the last chunk is smaller: the times with it
  bool is_common_ = false;              // the full chunks are the common list's tasks
};

}  // namespace

FinishTimes longest_list(const heuristics::RandomOrders& orders) {
  return has_smaller(orders) ? FinishTimes() : FinishTimes(finish_times(orders, false));
}

std::unique_ptr<Kernel> compile(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key,
                                const CompileOptions& options) {
  return std::make_unique<RandomKernel>(orders, workers, key, options,
                                        options.loops != nullptr ? *options.loops : best_lane_loops());
}

}  // namespace coterie::sim
