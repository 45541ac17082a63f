#include "heuristics/heterogeneous/loss_formulas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/heuristics/heterogeneous/exact_loss.hpp"

namespace coterie::heuristics {
namespace {

using exact::RandomPlatforms;

/// Compares a formula with the exact optimum of all faces on 200 random platforms that `restrict` makes fit it.
template <class Restrict>
void expect_optimal(Allocation (*formula)(Platform), std::uint64_t seed, Restrict restrict) {
  RandomPlatforms random(seed);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<exact::Worker> platform = random.platform(1 + random.below(5));
    restrict(platform);
    const exact::Best best = exact::best_by_faces(platform);
    const Allocation allocation = formula(exact::rounded(platform));

    ASSERT_NEAR(allocation.loss_factor, to_double(best.loss), 1e-13 * to_double(best.loss)) << "trial " << trial;
    for (std::size_t i = 0; i < platform.size(); ++i)
      ASSERT_NEAR(allocation.shares[i], to_double(best.shares[i]), 1e-13) << "trial " << trial << " share " << i;
  }
}

TEST(LossFormulas, FreeCommunicationIsOptimal) {
  expect_optimal(free_communication, 1, [](auto& platform) {
    for (auto& worker : platform) worker.bandwidth = 0;
  });
}

TEST(LossFormulas, IdenticalWorkersIsOptimal) {
  expect_optimal(identical_workers, 2, [](auto& platform) {
    for (auto& worker : platform) worker = platform.front();
  });
}

TEST(LossFormulas, DifferentSpeedsIsOptimal) {
  expect_optimal(different_speeds, 3, [](auto& platform) {
    for (auto& worker : platform) {
      worker.bandwidth = platform.front().bandwidth;
      worker.kappa = platform.front().kappa;
    }
  });
}

void differ_in_bandwidth(std::vector<exact::Worker>& platform) {
  for (auto& worker : platform) {
    worker.speed = platform.front().speed;
    worker.kappa = platform.front().kappa;
  }
  std::sort(platform.begin(), platform.end(), [](const auto& a, const auto& b) { return a.bandwidth > b.bandwidth; });
}

TEST(LossFormulas, DifferentBandwidthsIsOptimal) { expect_optimal(different_bandwidths, 4, differ_in_bandwidth); }

TEST(LossFormulas, DifferentRisksIsOptimal) {
  expect_optimal(different_risks, 5, [](auto& platform) {
    for (auto& worker : platform) {
      worker.speed = platform.front().speed;
      worker.bandwidth = platform.front().bandwidth;
    }
    std::sort(platform.begin(), platform.end(), [](const auto& a, const auto& b) { return a.kappa > b.kappa; });
  });
}

TEST(LossFormulas, TwoWorkersInAnyOrderIsOptimal) {
  RandomPlatforms random(6);
  int first_only = 0;
  int second_only = 0;
  int both = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::vector<exact::Worker> platform = random.platform(2);
    const exact::Best best = exact::best_by_faces(platform);
    const Allocation allocation = two_workers_in_order(exact::rounded(platform));
    ASSERT_NEAR(allocation.loss_factor, to_double(best.loss), 1e-13 * to_double(best.loss)) << "trial " << trial;
    (allocation.shares[1] == 0 ? first_only : allocation.shares[0] == 0 ? second_only : both) += 1;
  }

  // Every branch of the case study has been taken.
  EXPECT_GT(first_only, 50);
  EXPECT_GT(second_only, 50);
  EXPECT_GT(both, 50);
}

/// Theorem 4 exactly as printed, growing numbers and all.
Rational printed_loss(const std::vector<exact::Worker>& platform) {
  const Rational s = platform[0].speed;
  std::vector<Rational> shares = {1};
  Rational a = s + platform[0].bandwidth;
  Rational b = s * platform[0].bandwidth;
  for (std::size_t i = 1; i < platform.size(); ++i) {
    Rational inverse = 0;
    for (std::size_t j = 0; j < i; ++j) inverse += shares[j] / platform[j].bandwidth;
    const Rational eq = 1 / inverse;
    const Rational bw = platform[i].bandwidth;
    const Rational y = (2 * eq * (bw + s) - bw * s) * b / (2 * (a * eq * bw * s + b * (eq * (bw + s) - bw * s)));
    for (Rational& share : shares) share *= y;
    shares.push_back(1 - y);
    const Rational next = a * eq * eq * (bw + s) - b * bw * s / 4;
    b = eq * (a * eq * bw * s + b * ((eq - bw) * s + eq * bw));
    a = next;
  }
  return platform[0].kappa * a / b;
}

// Errata A14: the printed recurrence is kept digit by digit, and loses from three bandwidths on.
TEST(LossFormulas, PrintedTheoremFourIsThePrintedRecurrenceAndLoses) {
  RandomPlatforms random(7);
  int suboptimal = 0;
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<exact::Worker> platform = random.platform(2 + random.below(4));
    differ_in_bandwidth(platform);
    const Allocation printed = printed_different_bandwidths(exact::rounded(platform));
    const double loss = to_double(printed_loss(platform));
    ASSERT_NEAR(printed.loss_factor, loss, 1e-13 * loss);
    ASSERT_NEAR(expected_loss(exact::rounded(platform), printed.shares), loss, 1e-13 * loss);
    const bool equal_but_last = platform.front().bandwidth == platform[platform.size() - 2].bandwidth;
    const bool optimal = printed_loss(platform) == exact::best_by_faces(platform).loss;
    ASSERT_EQ(optimal, equal_but_last);
    suboptimal += !optimal;
  }
  EXPECT_GT(suboptimal, 20);
}

// Errata B17: the printed a_p, b_p overflow for a few dozen workers.
TEST(LossFormulas, HoldForManyWorkersOfAnyScale) {
  for (const double scale : {1e-6, 1.0, 1e9}) {
    std::vector<LinearWorker> bandwidths, risks, speeds;
    for (int i = 0; i < 5000; ++i) {
      const double part = 1 + i / 1000.0;
      bandwidths.push_back({scale, scale / part, 1 / scale});
      risks.push_back({scale, scale, scale / part});
      speeds.push_back({scale * part, scale, 1});
    }
    const std::pair<Allocation, Allocation> pairs[] = {
        {different_bandwidths(bandwidths), optimal_allocation(bandwidths)},
        {different_risks(risks), optimal_allocation(risks)},
        {different_speeds(speeds), optimal_allocation(speeds)}};
    for (const auto& [formula, general] : pairs) {
      EXPECT_NEAR(formula.loss_factor, general.loss_factor, 1e-12 * general.loss_factor);
      for (std::size_t i = 0; i < 5000; ++i)
        ASSERT_NEAR(formula.shares[i], general.shares[i], 1e-10 * general.shares[i] + 1e-16) << i;
    }
  }
}

}  // namespace
}  // namespace coterie::heuristics
