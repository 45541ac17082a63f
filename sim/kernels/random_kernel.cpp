#include <algorithm>
#include <bit>
#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>

#include "sim/kernel.hpp"

namespace coterie::sim {
namespace {

/// Every worker draws its own order of the chunks, anew in each instance.
class RandomKernel final : public Kernel {
 public:
  RandomKernel(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key)
      : orders_(orders), workers_(workers), key_(key) {}

  void completed_work(const double* capacities, std::uint64_t first_instance, std::size_t lanes, KernelScratch& scratch,
                      double* work) const override {
    const std::size_t count = orders_.chunking.count();
    const std::size_t last = count - 1;
    reset(scratch.order, count);
    std::fill_n(work, kLanes, 0.0);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      scratch.words.assign((count + 63) / 64, 0);
      for (std::size_t w = 0; w < workers_; ++w)
        for_each_done(w, capacities[w * kLanes + lane], first_instance + lane, scratch.order,
                      [&](std::uint32_t chunk) { scratch.words[chunk / 64] |= std::uint64_t{1} << (chunk % 64); });
      std::size_t done = 0;
      for (const std::uint64_t word : scratch.words) done += static_cast<std::size_t>(std::popcount(word));
      if (done > 0) work[lane] = orders_.chunking.elapsed(done, scratch.words[last / 64] >> (last % 64) & 1);
    }
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t instance) const override {
    std::vector<std::size_t> done(workers_, 0);
    std::vector<std::uint32_t> order;
    reset(order, orders_.chunking.count());
    for (std::size_t w = 0; w < workers_; ++w)
      for_each_done(w, capacities[w], instance, order, [&](std::uint32_t) { ++done[w]; });
    return done;
  }

 private:
  static void reset(std::vector<std::uint32_t>& order, std::size_t count) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0u);
  }

  /// Draws the worker's order one chunk after the other [Fisher and Yates], as far as its capacity carries it, and
  /// leaves `order` as it was.
  template <typename Function>
  void for_each_done(std::size_t worker, double capacity, std::uint64_t instance, std::vector<std::uint32_t>& order,
                     const Function& function) const {
    const std::size_t count = order.size();
    if (capacity < orders_.chunking.last_size() + orders_.startup_cost) return;
    Stream stream(key_, instance, static_cast<std::uint32_t>(worker));
    std::vector<std::uint32_t> swaps;
    bool with_last = false;
    for (std::size_t k = 0; k < orders_.tasks; ++k) {
      const auto pick = boost::random::uniform_int_distribution<std::uint32_t>(
          static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(count - 1))(stream);
      std::swap(order[k], order[pick]);
      swaps.push_back(pick);
      with_last = with_last || order[k] + 1 == count;
      const double finish =
          orders_.chunking.elapsed(k + 1, with_last) + static_cast<double>(k + 1) * orders_.startup_cost;
      if (finish > capacity) break;
      function(order[k]);
    }
    while (!swaps.empty()) {
      std::swap(order[swaps.size() - 1], order[swaps.back()]);
      swaps.pop_back();
    }
  }

  heuristics::RandomOrders orders_;
  std::size_t workers_;
  StreamKey key_;
};

}  // namespace

std::unique_ptr<Kernel> compile(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key) {
  return std::make_unique<RandomKernel>(orders, workers, key);
}

}  // namespace coterie::sim
