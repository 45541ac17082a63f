#include "sim/kernels/informed_bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>

#include "core/infinity.hpp"
#include "heuristics/heterogeneous/informed_bound.hpp"

namespace coterie::sim {
namespace {

using heuristics::LinearWorker;
using heuristics::Rounds;

class Draws {
 public:
  double between(double low, double high) {
    return boost::random::uniform_real_distribution<double>(low, high)(stream_);
  }
  /// Few different values, so that interruptions and links tie.
  double eighths(double low, double high) { return std::round(8 * between(low, high)) / 8; }

  std::vector<LinearWorker> platform(std::size_t workers, bool ties) {
    std::vector<LinearWorker> result(workers);
    for (LinearWorker& worker : result) {
      worker = {between(0.5, 2), ties ? eighths(1, 2) : between(0.5, 10), 1};
      if (between(0, 1) < 0.1) worker.bandwidth = kInfinity;
    }
    return result;
  }

 private:
  Stream stream_{StreamKey::derive(2013, identity_hash("informed"), Use::kPlatform), 0, 0};
};

void expect_the_bits_of_one(const LaneLoops& loops, const std::vector<LinearWorker>& platform,
                            const std::vector<double>& times, double work, double startup, Rounds rounds) {
  KernelScratch scratch;
  double bound[kLanes];
  InformedBounds(platform, work, startup, rounds, loops)(times.data(), kLanes, scratch, bound);
  std::vector<double> own(platform.size());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    for (std::size_t w = 0; w < own.size(); ++w) own[w] = times[w * kLanes + lane];
    ASSERT_EQ(bound[lane], heuristics::informed_work_bound(platform, own, work, startup, rounds))
        << loops.name << ", " << platform.size() << " workers, lane " << lane;
  }
}

TEST(InformedBounds, AreThoseOfOneInstanceToTheBit) {
  Draws draws;
  for (const LaneLoops* loops : usable_lane_loops())
    for (const std::size_t workers : {1, 2, 3, 10, 33})
      for (int trial = 0; trial < 40; ++trial) {
        const bool ties = trial % 2 == 0;
        const std::vector<LinearWorker> platform = draws.platform(workers, ties);
        std::vector<double> times(workers * kLanes);
        for (double& time : times) time = ties ? draws.eighths(0, 1) : draws.between(0, 3);
        const double plenty = 100 * static_cast<double>(workers);
        for (const Rounds rounds : {Rounds::kOne, Rounds::kSeveral})
          for (const double startup : {0.0, 0.1})
            for (const double work : {plenty, draws.between(0.1, 3)})
              expect_the_bits_of_one(*loops, platform, times, work, startup, rounds);
      }
}

// They are computed one at a time.
TEST(InformedBounds, OfVeryManyWorkersAreTheSame) {
  Draws draws;
  const std::vector<LinearWorker> platform = draws.platform(5000, false);
  std::vector<double> times(platform.size() * kLanes);
  for (double& time : times) time = draws.between(0, 3);
  expect_the_bits_of_one(best_lane_loops(), platform, times, 2, 0, Rounds::kOne);
}

}  // namespace
}  // namespace coterie::sim
