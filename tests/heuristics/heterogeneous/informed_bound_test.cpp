#include "heuristics/heterogeneous/informed_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/infinity.hpp"
#include "heuristics/return_messages/packing_program.hpp"
#include "rapidcheck/gtest.h"
#include "tests/heuristics/heterogeneous/exact_loss.hpp"
#include "tests/heuristics/heterogeneous/random_plans.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kPlenty = 1e9;

/// The best that can be completed, over all orders: a linear programme each.
double best_by_force(const std::vector<LinearWorker>& workers, const std::vector<double>& interruptions) {
  const std::size_t p = workers.size();
  std::vector<std::size_t> order(p);
  std::iota(order.begin(), order.end(), std::size_t{0});
  PackingSolver<double> solver;
  double best = 0;
  do {
    std::vector<double> rows(p * p, 0.0);
    for (std::size_t i = 0; i < p; ++i) {
      for (std::size_t j = 0; j <= i; ++j) rows[i * p + j] = workers[order[j]].receive() / interruptions[order[i]];
      rows[i * p + i] += workers[order[i]].compute() / interruptions[order[i]];
    }
    best = std::max(best, solver.maximise(rows, p, p));
  } while (std::next_permutation(order.begin(), order.end()));
  return best;
}

double eighths(int least, int most) { return *rc::gen::inRange(least, most + 1) / 8.0; }

RC_GTEST_PROP(InformedBound, NobodyCompletesMore, ()) {
  const auto p = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<LinearWorker> workers;
  std::vector<double> interruptions;
  for (std::size_t i = 0; i < p; ++i) {
    workers.push_back({eighths(1, 24), eighths(1, 24), 1});
    interruptions.push_back(eighths(1, 40));
  }

  const double best = best_by_force(workers, interruptions);
  const double bound = informed_work_bound(workers, interruptions, kPlenty);

  RC_ASSERT(bound >= best * (1 - 1e-12));
  RC_ASSERT(informed_work_bound(workers, interruptions, best / 2) == best / 2);
  if (p == 1) RC_ASSERT(std::abs(bound - best) <= 1e-12 * best);
}

RC_GTEST_PROP(InformedBound, IsTheBestWhereCommunicationIsFree, ()) {
  const auto p = *rc::gen::inRange<std::size_t>(1, 6);
  std::vector<LinearWorker> workers;
  std::vector<double> interruptions;
  double sum = 0;
  for (std::size_t i = 0; i < p; ++i) {
    workers.push_back({eighths(1, 24), kInfinity, 1});
    interruptions.push_back(eighths(0, 40));
    sum += interruptions.back() * workers.back().speed;
  }

  const double bound = informed_work_bound(workers, interruptions, kPlenty);

  RC_ASSERT(std::abs(bound - sum) <= 1e-12 * sum);
}

/// Any plan, with copies, start-up costs and several messages a worker; plans of one message each meet the lower bound.
TEST(InformedBound, NoPlanCompletesMore) {
  exact::RandomPlatforms random(61);
  double closest = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::vector<LinearWorker> platform = exact::rounded(random.platform(1 + random.below(4)));
    const double startup = trial % 2 == 0 ? 0 : 0.1 * random.uniform();
    const MessagePlan plan = random_plan(random, platform.size());
    std::vector<bool> served(platform.size(), false);
    Rounds rounds = Rounds::kOne;
    for (const Message& message : plan.messages) {
      if (served[message.worker]) rounds = Rounds::kSeveral;
      served[message.worker] = true;
    }
    std::vector<double> interruptions;
    for (std::size_t i = 0; i < platform.size(); ++i) interruptions.push_back(2 * random.uniform());

    const double work = completed_work(to_schedule(plan, under_linear_risk(platform), startup), interruptions);
    const double bound = informed_work_bound(platform, interruptions, plan.deployed_work(), startup, rounds);

    ASSERT_LE(work, bound * (1 + 1e-12)) << "trial " << trial;
    if (bound > 0 && bound < plan.deployed_work()) closest = std::max(closest, work / bound);
  }
  EXPECT_GT(closest, 0.9);
}

TEST(InformedBound, AStartUpCostAndOverlapAreKnown) {
  const LinearWorker worker{2, 4, 1};

  EXPECT_DOUBLE_EQ(work_alone(worker, 3, 1, Rounds::kOne), 2.5 / 0.75);
  EXPECT_DOUBLE_EQ(work_alone(worker, 3, 1, Rounds::kSeveral), 5);
  EXPECT_DOUBLE_EQ(work_alone({8, 4, 1}, 3, 1, Rounds::kSeveral), 12);
  EXPECT_DOUBLE_EQ(work_alone(worker, 0.4, 1, Rounds::kOne), 0);
}

TEST(InformedBound, ThePortLimitsManyFastWorkers) {
  const std::vector<LinearWorker> workers(10, LinearWorker{1e9, 2, 1});
  const std::vector<double> interruptions(10, 3.0);

  EXPECT_NEAR(informed_work_bound(workers, interruptions, kPlenty), 6, 1e-7);
}

TEST(InformedBound, FastLinksAreServedFirst) {
  const std::vector<LinearWorker> workers = {{1e9, 1, 1}, {1, 4, 1}};
  const std::vector<double> interruptions = {4, 4};  // worker 2 alone: 3.2, its message 0.8; worker 1 has 3.2 left

  EXPECT_NEAR(informed_work_bound(workers, interruptions, kPlenty), 6.4, 1e-7);
}

}  // namespace
}  // namespace coterie::heuristics
