#include "heuristics/heterogeneous/share_work.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "heuristics/heterogeneous/face_enumeration.hpp"
#include "tests/heuristics/heterogeneous/exact_loss.hpp"

namespace coterie::heuristics {
namespace {

using exact::RandomPlatforms;

std::vector<LinearWorker> permuted(const std::vector<LinearWorker>& workers, const std::vector<std::size_t>& order) {
  std::vector<LinearWorker> platform;
  for (const std::size_t i : order) platform.push_back(workers[i]);
  return platform;
}

/// Worker i is the i-th served; finish times include waiting and receiving.
Schedule to_schedule(Platform platform, std::span<const double> shares) {
  const std::vector<double> times = finish_times(platform, shares);
  std::vector<double> boundaries = {0};
  TaskLists lists;
  for (std::size_t i = 0; i < platform.size(); ++i) {
    if (!(shares[i] > 0)) {
      lists.close({});
      continue;
    }
    lists.add({static_cast<std::uint32_t>(boundaries.size() - 1), 1});
    lists.close(std::vector{times[i]});
    boundaries.push_back(boundaries.back() + shares[i]);
  }
  return Schedule(std::move(boundaries), std::move(lists));
}

std::vector<RiskPtr> linear_risks(Platform platform) {
  std::vector<RiskPtr> risks;
  for (const LinearWorker& worker : platform) risks.push_back(make_linear_risk(worker.risk_rate));
  return risks;
}

double least_loss_of_all_orders(const std::vector<LinearWorker>& workers) {
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double least = INFINITY;
  do {
    least = std::min(least, allocation_by_faces(permuted(workers, order)).loss_factor);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

double loss_sorted_by(std::vector<LinearWorker> workers, const std::function<double(const LinearWorker&)>& key) {
  std::stable_sort(workers.begin(), workers.end(),
                   [&](const LinearWorker& a, const LinearWorker& b) { return key(a) > key(b); });
  return allocation_by_faces(workers).loss_factor;
}

// The search for a counterexample to Conjecture 1: global optimum of every order, by faces. The other sorting rules
// must fail, or the search could not find one.
TEST(Conjecture1, HoldsForEveryOrderWhereOtherRulesFail) {
  RandomPlatforms random(21);
  int by_bandwidth = 0;
  int by_risk = 0;
  int by_speed = 0;
  int searched = 0;
  for (const auto& [size, trials] : {std::pair{2, 2000}, {3, 1000}, {4, 150}, {5, 15}})
    for (int trial = 0; trial < trials; ++trial, ++searched) {
      const double decades = trial % 3 == 0 ? 4 : 1;
      std::vector<LinearWorker> workers;
      for (int i = 0; i < size; ++i) {
        LinearWorker worker;
        worker.speed = std::pow(10, decades * (random.uniform() - 0.5));
        worker.bandwidth = std::pow(10, decades * (random.uniform() - 0.5));
        worker.risk_rate = std::pow(10, decades * (random.uniform() - 0.5));
        workers.push_back(worker);
      }
      const double least = least_loss_of_all_orders(workers);
      const HeterogeneousSolution ours = share_work({workers, 1, Deployment::kOptional, {}, SharingMethod::kOptimal});
      ASSERT_LE(ours.loss_factor, least * (1 + 1e-12)) << size << " workers, trial " << trial;
      ASSERT_GE(ours.loss_factor, least * (1 - 1e-12)) << size << " workers, trial " << trial;
      by_bandwidth += loss_sorted_by(workers, [](const auto& w) { return w.bandwidth; }) > least * (1 + 1e-9);
      by_risk += loss_sorted_by(workers, [](const auto& w) { return w.risk_rate; }) > least * (1 + 1e-9);
      by_speed += loss_sorted_by(workers, [](const auto& w) { return w.speed; }) > least * (1 + 1e-9);
    }

  EXPECT_GT(by_bandwidth, searched / 10);
  EXPECT_GT(by_risk, searched / 10);
  EXPECT_GT(by_speed, searched / 10);
}

TEST(Conjecture1, HoldsInExactArithmetic) {
  RandomPlatforms random(22);
  for (int trial = 0; trial < 60; ++trial) {
    std::vector<exact::Worker> workers = random.platform(2 + random.below(3));
    const auto product = [](const exact::Worker& w) { return Rational(w.kappa * w.bandwidth); };
    std::sort(workers.begin(), workers.end(), [&](const auto& a, const auto& b) { return product(a) > product(b); });
    const Rational sorted = exact::best_by_faces(workers).loss;
    std::vector<std::size_t> order(workers.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      std::vector<exact::Worker> platform;
      for (const std::size_t i : order) platform.push_back(workers[i]);
      ASSERT_LE(sorted, exact::best_by_faces(platform).loss) << "trial " << trial;
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

/// Best clipped expected work over all orders and all shares on a lattice of W / steps; forced or not.
double lattice_best(const std::vector<LinearWorker>& workers, double work, int steps, bool forced) {
  std::vector<std::size_t> order(workers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  double best = 0;
  do {
    const std::vector<LinearWorker> platform = permuted(workers, order);
    std::vector<double> shares(workers.size());
    const std::function<void(std::size_t, int)> fill = [&](std::size_t i, int rest) {
      if (i + 1 == shares.size()) {
        for (int take = forced ? rest : 0; take <= rest; ++take) {
          shares[i] = work * take / steps;
          best = std::max(best, expected_work(platform, shares));
        }
        return;
      }
      for (int take = 0; take <= rest; ++take) {
        shares[i] = work * take / steps;
        fill(i + 1, rest - take);
      }
    };
    fill(0, steps);
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

// No lattice schedule beats the optimum, and the finest lattice comes close: the bound is not slack.
TEST(ShareWork, IsNeverBeatenByALatticeOfShares) {
  RandomPlatforms random(23);
  double closest_forced = 0;
  int sacrificed = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const std::vector<LinearWorker> workers = exact::rounded(random.platform(1 + random.below(3)));
    const double factor = share_work({workers, 1, Deployment::kOptional, {}, SharingMethod::kOptimal}).loss_factor;
    const double work = (0.2 + 3 * random.uniform()) / (2 * factor);
    for (const Deployment deployment : {Deployment::kForced, Deployment::kOptional}) {
      const bool forced = deployment == Deployment::kForced;
      const HeterogeneousSolution solution = share_work({workers, work, deployment, {}, SharingMethod::kOptimal});
      const double lattice = lattice_best(workers, work, 40, forced);
      ASSERT_LE(lattice, solution.expected_work * (1 + 1e-12)) << "trial " << trial << " forced " << forced;
      if (forced && solution.expected_work > 0)
        closest_forced = std::max(closest_forced, lattice / solution.expected_work);
      sacrificed += solution.sacrificed.has_value();
    }
  }
  EXPECT_GT(closest_forced, 0.999);
  EXPECT_GT(sacrificed, 10);
}

TEST(ShareWork, IsWorthWhatTheExactEvaluatorSays) {
  RandomPlatforms random(24);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<exact::Worker> exact_workers = random.platform(1 + random.below(7));
    for (auto& worker : exact_workers)
      if (random.below(6) == 0) worker.bandwidth = 0;
    HeterogeneousProblem problem;
    problem.workers = exact::rounded(exact_workers);
    problem.deployment = random.below(2) == 0 ? Deployment::kForced : Deployment::kOptional;
    problem.work = 3 * random.uniform() * problem.workers[0].speed / problem.workers[0].risk_rate;
    if (random.below(3) == 0) {
      problem.order.emplace(problem.workers.size());
      std::iota(problem.order->begin(), problem.order->end(), std::size_t{0});
    }
    const HeterogeneousSolution solution = share_work(problem);

    std::vector<double> shares;
    double total = 0;
    for (const std::size_t i : solution.order) {
      shares.push_back(solution.shares[i]);
      total += solution.shares[i];
    }
    const std::vector<LinearWorker> platform = permuted(problem.workers, solution.order);
    const Schedule schedule = to_schedule(platform, shares);
    const double value = coterie::expected_work(schedule, linear_risks(platform));
    ASSERT_NEAR(value, solution.expected_work, 1e-12 * solution.expected_work + 1e-15) << "trial " << trial;
    ASSERT_NEAR(total, solution.deployed_work, 1e-12 * solution.deployed_work);
    if (problem.deployment == Deployment::kForced) {
      ASSERT_DOUBLE_EQ(solution.deployed_work, problem.work);
    }
  }
}

TEST(ShareWork, GainsFromAnotherWorkerAndFromMoreWork) {
  RandomPlatforms random(25);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<LinearWorker> workers = exact::rounded(random.platform(1 + random.below(5)));
    const double work = random.uniform();
    const auto value = [&](double w) {
      return share_work({workers, w, Deployment::kOptional, {}, SharingMethod::kOptimal}).expected_work;
    };
    const double before = value(work);
    ASSERT_GE(value(1.5 * work), before * (1 - 1e-13));
    workers.push_back(random.worker().rounded());
    ASSERT_GE(value(work), before * (1 - 1e-13));
  }
}

/// E = D - f D^2 is what the exact evaluator says, and forced deployment beyond 1/(2f) costs one worker at most.
TEST(ShareWork, TakesAMillionWorkers) {
  RandomPlatforms random(26);
  std::vector<LinearWorker> workers;
  for (int i = 0; i < 1'000'000; ++i) {
    LinearWorker worker;
    worker.speed = 0.5 + random.uniform();
    worker.bandwidth = 1e6 * (0.5 + random.uniform());
    worker.risk_rate = 0.5 + random.uniform();
    workers.push_back(worker);
  }
  for (const double work : {1e3, 1e9}) {
    const HeterogeneousSolution solution =
        share_work({workers, work, Deployment::kForced, {}, SharingMethod::kOptimal});

    std::vector<double> shares;
    for (const std::size_t i : solution.order) shares.push_back(solution.shares[i]);
    const double value = expected_work(permuted(workers, solution.order), shares);
    const double deployed = std::min(work, 1 / (2 * solution.loss_factor));
    const double bound = deployed * (1 - solution.loss_factor * deployed);
    EXPECT_NEAR(value, solution.expected_work, 1e-10 * value);
    EXPECT_LE(value, bound * (1 + 1e-10));
    EXPECT_GE(value, bound * (1 - 1e-5));
    EXPECT_DOUBLE_EQ(solution.deployed_work, work);
  }
}

// Errata A16: kappa = (2, 1), bw = s = 1, forced.
TEST(ShareWork, SacrificesAWorkerWhereTheFormulaFails) {
  const std::vector<LinearWorker> workers = {{1, 1, 2}, {1, 1, 1}};

  const HeterogeneousSolution half = share_work({workers, 0.5, Deployment::kForced, {}, SharingMethod::kOptimal});

  EXPECT_DOUBLE_EQ(half.expected_work, 0.125);
  EXPECT_EQ(half.order, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(half.sacrificed, 0u);
  EXPECT_TRUE(half.exact);
}

/// The products of rate and bandwidth, which order the workers, are no doubles.
TEST(ShareWork, ServesInTheSameOrderInAnyUnit) {
  const auto expected = [](double unit) {
    const std::vector<LinearWorker> workers = {{unit, unit, unit}, {unit, 4 * unit, unit}};
    return share_work({workers, 0.1, Deployment::kForced, {}, SharingMethod::kOptimal});
  };
  for (const double unit : {0x1p-560, 0x1p560}) {
    EXPECT_EQ(expected(unit).order, expected(1).order);
    EXPECT_DOUBLE_EQ(expected(unit).expected_work, expected(1).expected_work);
  }
}

TEST(ShareWork, RefusesAWrongPlatform) {
  const auto solve = [](std::vector<LinearWorker> workers, double work) {
    return share_work({std::move(workers), work, Deployment::kForced, {}, SharingMethod::kOptimal});
  };
  EXPECT_THROW(solve({}, 1), InputError);
  EXPECT_THROW(solve({{0, 1, 1}}, 1), InputError);
  EXPECT_THROW(solve({{1, 1, 0}}, 1), InputError);
  EXPECT_THROW(solve({{1, NAN, 1}}, 1), InputError);
  EXPECT_THROW(solve({{1, 1, 1}}, INFINITY), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
