#include "heuristics/heterogeneous/loss_allocation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "heuristics/heterogeneous/face_enumeration.hpp"
#include "tests/heuristics/heterogeneous/exact_loss.hpp"

namespace coterie::heuristics {
namespace {

using exact::RandomPlatforms;

void sort_best_first(std::vector<exact::Worker>& platform) {
  std::stable_sort(platform.begin(), platform.end(),
                   [](const auto& a, const auto& b) { return a.receive() / a.kappa < b.receive() / b.kappa; });
}

TEST(LossAllocation, IsTheExactOptimumOfSmallPlatforms) {
  RandomPlatforms random(11);
  int idle = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<exact::Worker> platform = random.platform(1 + random.below(6));
    for (auto& worker : platform)
      if (random.below(8) == 0) worker.bandwidth = 0;
    sort_best_first(platform);
    const exact::Best best = exact::best_by_faces(platform);
    const Allocation allocation = optimal_allocation(exact::rounded(platform));
    ASSERT_NEAR(allocation.loss_factor, to_double(best.loss), 1e-13 * to_double(best.loss)) << "trial " << trial;
    for (std::size_t i = 0; i < platform.size(); ++i) {
      ASSERT_NEAR(allocation.shares[i], to_double(best.shares[i]), 1e-12) << "trial " << trial << " share " << i;
      idle += best.shares[i] == 0;
    }
  }
  EXPECT_GT(idle, 40);
}

std::vector<LinearWorker> random_platform(RandomPlatforms& random, std::size_t size, double decades) {
  std::vector<LinearWorker> workers;
  for (std::size_t i = 0; i < size; ++i) {
    LinearWorker worker;
    worker.speed = std::pow(10, decades * (random.uniform() - 0.5));
    worker.bandwidth = std::pow(10, decades * (random.uniform() - 0.5));
    worker.risk_rate = std::pow(10, decades * (random.uniform() - 0.5));
    workers.push_back(worker);
  }
  std::vector<LinearWorker> sorted;
  for (const std::size_t i : best_order(workers)) sorted.push_back(workers[i]);
  return sorted;
}

/// Greatest violation of (2Q w)_i / (2f) = 1 where w_i > 0, >= 1 elsewhere: with 2Q positive definite, that is the
/// optimum. Dense, from the definition.
double optimality_gap(Platform platform, const Allocation& allocation) {
  double gap = 0;
  for (std::size_t i = 0; i < platform.size(); ++i) {
    long double sum = 2 * platform[i].alone() * allocation.shares[i];
    for (std::size_t j = 0; j < i; ++j) sum += platform[i].risk_rate * platform[j].receive() * allocation.shares[j];
    for (std::size_t j = i + 1; j < platform.size(); ++j)
      sum += platform[j].risk_rate * platform[i].receive() * allocation.shares[j];
    const auto condition = static_cast<double>(sum / (2 * allocation.loss_factor));
    gap = std::max(gap, allocation.shares[i] > 0 ? std::abs(condition - 1) : 1 - condition);
  }
  return gap;
}

/// Whether the dense 2Q, scaled to a unit diagonal, has a Cholesky factor.
bool positive_definite(Platform platform) {
  const std::size_t p = platform.size();
  std::vector<std::vector<long double>> l(p, std::vector<long double>(p, 0));
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const long double scale = std::sqrt(4.0L * platform[i].alone() * platform[j].alone());
      long double entry = i == j ? 1 : platform[i].risk_rate * static_cast<long double>(platform[j].receive()) / scale;
      for (std::size_t k = 0; k < j; ++k) entry -= l[i][k] * l[j][k];
      if (i == j && entry <= 0) return false;
      l[i][j] = i == j ? std::sqrt(entry) : entry / l[j][j];
    }
  return true;
}

TEST(LossAllocation, MeetsTheOptimalityConditionsOfTheDenseProblem) {
  RandomPlatforms random(12);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<LinearWorker> platform = random_platform(random, 1 + random.below(120), trial % 2 ? 1 : 4);
    const Allocation allocation = optimal_allocation(platform);
    ASSERT_TRUE(positive_definite(platform)) << "trial " << trial;
    ASSERT_LT(optimality_gap(platform, allocation), 1e-11) << "trial " << trial;
    ASSERT_NEAR(expected_loss(platform, allocation.shares), allocation.loss_factor, 1e-12 * allocation.loss_factor);
  }
}

TEST(LossAllocation, TakesManyWorkers) {
  RandomPlatforms random(13);
  const std::vector<LinearWorker> platform = random_platform(random, 100000, 2);
  const Allocation allocation = optimal_allocation(platform);
  double sum = 0;
  for (const double share : allocation.shares) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(expected_loss(platform, allocation.shares), allocation.loss_factor, 1e-11 * allocation.loss_factor);
}

TEST(LossAllocation, BoundsTheLossWithoutAWorker) {
  RandomPlatforms random(14);
  int tight = 0;
  int loose = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    const std::vector<LinearWorker> platform = random_platform(random, 2 + random.below(6), 1);
    const Allocation allocation = optimal_allocation(platform);
    if (std::count(allocation.shares.begin(), allocation.shares.end(), 0.0) > 0) continue;
    const std::vector<double> bounds = loss_factors_without(platform, allocation);
    for (std::size_t r = 0; r < platform.size(); ++r) {
      std::vector<LinearWorker> others = platform;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(r));
      const double without = optimal_allocation(others).loss_factor;
      ASSERT_LE(bounds[r], without * (1 + 1e-12)) << "trial " << trial << " without " << r;
      (bounds[r] > without * (1 - 1e-12) ? tight : loose) += 1;
    }
  }
  EXPECT_GT(tight, loose);
}

TEST(FaceEnumeration, IsTheExactOptimumInAnyOrder) {
  RandomPlatforms random(15);
  for (int trial = 0; trial < 300; ++trial) {
    const std::vector<exact::Worker> platform = random.platform(1 + random.below(5));
    const double loss = to_double(exact::best_by_faces(platform).loss);
    ASSERT_NEAR(allocation_by_faces(exact::rounded(platform)).loss_factor, loss, 1e-13 * loss) << "trial " << trial;
  }
}

}  // namespace
}  // namespace coterie::heuristics
