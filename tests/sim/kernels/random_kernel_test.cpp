// Orders drawn anew for each instance: against a readable reference bit for bit, against all orders one by one in law,
// against their exact expectation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "core/infinity.hpp"
#include "sim/kernels/kernel.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

using heuristics::Chunking;
using heuristics::RandomOrders;

StreamKey key_of(std::string_view name) { return StreamKey::derive(2013, identity_hash(name), Use::kSchedule); }

double finish_of(const RandomOrders& orders, std::size_t tasks, bool with_last) {
  return orders.chunking.elapsed(tasks, with_last) + static_cast<double>(tasks) * orders.startup_cost;
}

/// Tasks of a worker that has the smaller last chunk at `place` of its order, from 0; step by step.
std::size_t tasks_within(const RandomOrders& orders, std::size_t place, double capacity) {
  std::size_t tasks = 0;
  while (tasks < orders.tasks && finish_of(orders, tasks + 1, tasks >= place) <= capacity) ++tasks;
  return tasks;
}

/// Who draws when: the four that get furthest, then the others by number.
std::vector<std::size_t> order_of_drawing(const std::vector<std::size_t>& done) {
  std::vector<std::size_t> order(done.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return done[a] > done[b]; });
  std::sort(order.begin() + std::min<std::ptrdiff_t>(4, std::ssize(order)), order.end());
  return order;
}

/// Balls drawn from an urn, each a digit of a fraction of two words; as many from one as have at most 2^40 orders (16
/// at most), the next from two new words.
class Balls {
 public:
  Balls(Stream stream, std::size_t balls) : stream_(stream), left_(balls) {
    for (double ways = static_cast<double>(balls); at_once_ < 16 && ways * static_cast<double>(balls) <= 0x1p40;
         ++at_once_)
      ways *= static_cast<double>(balls);
  }

  std::size_t next() {
    if (drawn_++ % at_once_ == 0) {
      fraction_ = std::uint64_t{stream_()} << 32;
      fraction_ |= stream_();
    }
    __extension__ typedef unsigned __int128 Wide;
    const Wide product = Wide{fraction_} * left_--;
    fraction_ = static_cast<std::uint64_t>(product);
    return static_cast<std::size_t>(product >> 64);
  }

 private:
  Stream stream_;
  std::uint64_t left_;
  std::uint64_t fraction_ = 0;
  std::size_t at_once_ = 1;
  std::size_t drawn_ = 0;
};

/// The readable reference. Chunks that nobody has completed are marked balls in an urn; a worker draws as many balls as
/// it completes full chunks. The one that gets furthest finds all of its own marked.
double drawn_work(const RandomOrders& orders, const StreamKey& key, std::span<const double> capacities,
                  std::uint64_t instance) {
  const std::size_t count = orders.chunking.count();
  const bool smaller = orders.chunking.last_size() != orders.chunking.size();
  const std::size_t full = count - (smaller ? 1 : 0);
  std::vector<double> uniforms(capacities.size());
  worker_uniforms(key, instance, uniforms);
  bool last = false;
  std::vector<std::size_t> done;
  for (std::size_t w = 0; w < capacities.size(); ++w) {
    const auto place = smaller ? static_cast<std::size_t>(uniforms[w] * static_cast<double>(count)) : count;
    const std::size_t tasks = tasks_within(orders, place, capacities[w]);
    last = last || tasks > place;
    done.push_back(tasks - (tasks > place ? 1 : 0));
  }
  const std::vector<std::size_t> order = order_of_drawing(done);
  std::size_t missing = full - done[order.front()];
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t w = order[i];
    Balls balls(Stream(key, instance, static_cast<std::uint32_t>(w)), full);
    const std::size_t draws = std::min(done[w], missing);
    std::size_t marked = std::max(done[w], missing);
    std::size_t found = 0;
    for (std::size_t ball = 0; ball < draws; ++ball) {
      if (balls.next() >= marked) continue;
      --marked;
      ++found;
    }
    missing -= found;
  }
  const std::size_t completed = full - missing + (last ? 1 : 0);
  return completed > 0 ? orders.chunking.elapsed(completed, last) : 0;
}

/// None, all, a finish time with or without the last chunk, one ulp beside it, anything.
double nasty_capacity(const RandomOrders& orders, Dice& dice) {
  const std::size_t kind = dice.whole(0, 6);
  if (kind == 0) return 0;
  if (kind == 1) return kInfinity;
  const double finish = finish_of(orders, dice.whole(1, orders.tasks), dice.coin());
  if (kind == 2) return finish;
  if (kind == 3) return std::nextafter(finish, 0);
  if (kind == 4) return std::nextafter(finish, kInfinity);
  return dice.real(0, 1.1 * finish_of(orders, orders.tasks, false));
}

TEST(RandomKernel, EqualsTheReferenceOnEveryInstructionSet) {
  Dice dice("reference");
  KernelScratch scratch;
  for (int round = 0; round < 600; ++round) {
    const Chunking chunking = dice.coin() ? Chunking::per_unit(dice.real(0.3, 30), dice.whole(1, 40))
                                          : Chunking::equal(1, dice.whole(1, dice.coin() ? 20 : 5000));
    const RandomOrders orders{chunking, dice.whole(1, chunking.count()), dice.coin() ? 0.0 : 0.03};
    const std::size_t workers = dice.whole(1, 12);
    const StreamKey key = StreamKey::derive(2013, static_cast<std::uint64_t>(round), Use::kSchedule);
    const std::uint64_t first = dice.coin() ? 7 : 0xfffffff0;
    std::vector<double> capacities(workers * kLanes);
    for (double& capacity : capacities) capacity = nasty_capacity(orders, dice);
    for (const LaneLoops* loops : usable_lane_loops()) {
      const auto kernel = compile(orders, workers, key, {Evaluation::kCheapest, {}, loops});
      double work[kLanes];
      kernel->completed_work({capacities.data(), first}, scratch, work);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        std::vector<double> own(workers);
        for (std::size_t w = 0; w < workers; ++w) own[w] = capacities[w * kLanes + lane];
        ASSERT_EQ(work[lane], drawn_work(orders, key, own, first + lane)) << loops->name << ", round " << round;
        ASSERT_EQ(kernel->completed_work(own, first + lane, scratch), work[lane]) << loops->name << " alone";
      }
    }
  }
}

/// The law of the completed work from all orders of all workers, one by one: probability by set of chunks.
std::map<unsigned, double> law_of_sets(const RandomOrders& orders, std::span<const double> capacities) {
  std::map<unsigned, double> all = {{0, 1.0}};
  for (const double capacity : capacities) {
    std::vector<unsigned> order(orders.chunking.count());
    std::iota(order.begin(), order.end(), 0u);
    std::map<unsigned, double> own;
    double permutations = 0;
    do {
      const auto place = std::find(order.begin(), order.end(), orders.chunking.count() - 1) - order.begin();
      const std::size_t tasks = tasks_within(orders, static_cast<std::size_t>(place), capacity);
      unsigned set = 0;
      for (std::size_t k = 0; k < tasks; ++k) set |= 1u << order[k];
      ++own[set];
      ++permutations;
    } while (std::next_permutation(order.begin(), order.end()));
    std::map<unsigned, double> joined;
    for (const auto& [set, probability] : all)
      for (const auto& [other, times] : own) joined[set | other] += probability * times / permutations;
    all = joined;
  }
  return all;
}

/// Greatest distance of the sampled distribution function of the work from the exact one.
double distance(const std::vector<double>& sorted, const RandomOrders& orders, const std::map<unsigned, double>& law) {
  std::map<double, double> exact;  // works that differ by rounding are one
  for (const auto& [set, probability] : law) {
    double work = 0;
    for (std::size_t i = 0; i < orders.chunking.count(); ++i)
      if ((set >> i & 1) != 0) work += orders.chunking.boundary(i + 1) - orders.chunking.boundary(i);
    exact[std::round(work * 1e9) / 1e9] += probability;
  }
  double greatest = 0;
  double below = 0;
  for (const auto& [work, probability] : exact) {
    below += probability;
    const auto end = std::upper_bound(sorted.begin(), sorted.end(), work + 1e-8);
    const double share = static_cast<double>(end - sorted.begin()) / static_cast<double>(sorted.size());
    greatest = std::max(greatest, std::abs(share - below));
  }
  return greatest;
}

// Six samples of 50 000 within the bound of Dvoretzky, Kiefer and Wolfowitz at false alarm 1e-10 each.
TEST(RandomKernel, HasTheLawOfAllOrders) {
  constexpr std::size_t kInstances = 50'000;
  const double width = std::sqrt(std::log(2e10) / (2.0 * kInstances));
  KernelScratch scratch;
  for (const Chunking& chunking : {Chunking::equal(1, 6), Chunking::per_unit(1.1, 5), Chunking::per_unit(0.95, 6)})
    for (const std::size_t tasks : {chunking.count(), chunking.count() - 2}) {
      const RandomOrders orders{chunking, tasks, 0.02};
      const std::vector<double> capacities = {0.5, 0.31, 0.25, 0.2, 0.25, 0.2};
      const auto kernel = compile(orders, capacities.size(), key_of("law"));
      std::vector<double> works;
      for (std::uint64_t i = 0; i < kInstances; ++i) works.push_back(kernel->completed_work(capacities, i, scratch));
      std::sort(works.begin(), works.end());
      EXPECT_LE(distance(works, orders, law_of_sets(orders, capacities)), width) << chunking.count();
      // Planted: a worker that gets one task less far.
      const std::vector<double> fewer = {0.5, 0.31, 0.25, 0.2, 0.25, 0.1};
      EXPECT_GT(distance(works, orders, law_of_sets(orders, fewer)), width) << chunking.count();
    }
}

TEST(RandomKernel, RunsDistinctChunksAsFarAsTheCapacityCarries) {
  Dice dice("random orders");
  KernelScratch scratch;
  for (int round = 0; round < 2000; ++round) {
    const bool partial = dice.coin();
    const Chunking chunking =
        partial ? Chunking::per_unit(dice.real(0.3, 3), 7) : Chunking::equal(1, dice.whole(1, 130));
    const std::size_t count = chunking.count();
    const RandomOrders orders{chunking, dice.whole(1, count), dice.coin() ? 0.0 : 0.03};
    const std::size_t workers = dice.whole(1, 5);
    const auto kernel = compile(orders, workers, key_of("distinct"));
    std::vector<double> capacities(workers);
    for (double& capacity : capacities) {
      const std::size_t kind = dice.whole(0, 3);
      const std::size_t steps = dice.whole(1, orders.tasks);
      capacity = kind == 0   ? kInfinity
                 : kind == 1 ? 0
                 : kind == 2 ? chunking.elapsed(steps, false) + static_cast<double>(steps) * orders.startup_cost
                             : dice.real(0, 1.2 * static_cast<double>(orders.tasks) * chunking.size());
    }
    const auto instance = static_cast<std::uint64_t>(round);
    const double work = kernel->completed_work(capacities, instance, scratch);
    const std::vector<std::size_t> done = kernel->tasks_done(capacities, instance);

    // A worker of s tasks completes s distinct chunks: alone, it completes the work of exactly s chunks.
    double most = 0;
    double alone_best = 0;
    for (std::size_t w = 0; w < workers; ++w) {
      ASSERT_LE(done[w], orders.tasks);
      std::vector<double> only(workers, 0);
      only[w] = capacities[w];
      const double alone = kernel->completed_work(only, instance, scratch);
      const double full = chunking.elapsed(done[w], false);
      const double with_last = done[w] > 0 ? chunking.elapsed(done[w], true) : 0;
      ASSERT_TRUE(alone == full || alone == with_last) << alone << " of " << done[w] << " tasks, round " << round;
      const double time = alone + static_cast<double>(done[w]) * orders.startup_cost;
      ASSERT_LE(time, capacities[w] * (1 + 1e-14));
      const double next = static_cast<double>(done[w] + 1) * orders.startup_cost + alone + chunking.size();
      if (done[w] < orders.tasks) {
        ASSERT_GT(next * (1 + 1e-14), capacities[w]);
      }
      most += alone;
      alone_best = std::max(alone_best, alone);
    }
    ASSERT_LE(work, std::min(most, chunking.work()) * (1 + 1e-14));
    ASSERT_GE(work, alone_best * (1 - 1e-14));
  }
}

TEST(RandomKernel, IsAPureFunctionOfTheInstance) {
  const RandomOrders orders{Chunking::equal(1, 50), 20, 0.01};
  const auto kernel = compile(orders, 3, key_of("pure"));
  const auto again = compile(orders, 3, key_of("pure"));
  const std::vector<double> capacities = {0.2, 0.35, 0.5};
  KernelScratch fresh;
  KernelScratch used;
  std::set<double> different;
  for (std::uint64_t instance = 200; instance-- > 0;) kernel->completed_work(capacities, instance, used);
  for (std::uint64_t instance = 0; instance < 200; ++instance) {
    KernelScratch scratch;
    const double work = again->completed_work(capacities, instance, scratch);
    ASSERT_EQ(kernel->completed_work(capacities, instance, used), work);
    ASSERT_EQ(kernel->completed_work(capacities, instance, fresh), work);
    different.insert(work);
  }
  EXPECT_GT(different.size(), 3u);
}

/// Each worker's chance to complete a given full chunk (or the last one) within its capacity, from first principles:
/// the chunk stands in each of the M positions with probability 1/M, the last chunk before it in (s-1)/(M-1) of cases.
double exact_work(const RandomOrders& orders, std::span<const double> capacities) {
  const std::size_t m = orders.chunking.count();
  const double size = orders.chunking.size();
  const double last = orders.chunking.last_size();
  double lost_full = 1;
  double lost_last = 1;
  for (const double capacity : capacities) {
    double full = 0;
    double tail = 0;
    for (std::size_t s = 1; s <= orders.tasks; ++s) {
      const auto steps = static_cast<double>(s);
      const double behind = m > 1 ? (steps - 1) / static_cast<double>(m - 1) : 0;
      if (steps * (size + orders.startup_cost) <= capacity) full += 1 - behind;
      const bool with_last = (steps - 1) * size + last + steps * orders.startup_cost <= capacity;
      if (with_last) full += behind;
      if (with_last) tail += 1;
    }
    lost_full *= 1 - full / static_cast<double>(m);
    lost_last *= 1 - tail / static_cast<double>(m);
  }
  return static_cast<double>(m - 1) * size * (1 - lost_full) + last * (1 - lost_last);
}

// 12 means, each within Hoeffding's bound at false alarm 1e-10: |mean - E| < W sqrt(ln(2e10) / 2N).
TEST(RandomKernel, CompletesItsExactExpectation) {
  constexpr int kInstances = 50'000;
  const double width = std::sqrt(std::log(2e10) / (2.0 * kInstances));
  KernelScratch scratch;
  for (const Chunking& chunking : {Chunking::equal(1, 7), Chunking::per_unit(1, 3), Chunking::per_unit(1.27, 5)})
    for (const double startup : {0.0, 0.04})
      for (const bool all : {true, false}) {
        const RandomOrders orders{chunking, all ? chunking.count() : 2, startup};
        const std::vector<double> capacities = {0.21, 0.55, 0.3, 0.21, 0.4, 0.25};
        const auto kernel = compile(orders, capacities.size(), key_of("expectation"));
        double sum = 0;
        for (std::uint64_t i = 0; i < kInstances; ++i) sum += kernel->completed_work(capacities, i, scratch);
        EXPECT_NEAR(sum / kInstances, exact_work(orders, capacities), width * chunking.work())
            << chunking.count() << " chunks, start-up " << startup;
        // A planted error of one position must not pass.
        RandomOrders wrong = orders;
        wrong.startup_cost += 0.5 * chunking.size();
        EXPECT_GT(std::abs(sum / kInstances - exact_work(wrong, capacities)), width * chunking.work());
      }
}

}  // namespace
}  // namespace coterie::sim
