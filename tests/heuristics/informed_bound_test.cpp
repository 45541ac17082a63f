#include "heuristics/informed_bound.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "heuristics/packing_program.hpp"
#include "rapidcheck/gtest.h"

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
    workers.push_back({eighths(1, 24), std::numeric_limits<double>::infinity(), 1});
    interruptions.push_back(eighths(0, 40));
    sum += interruptions.back() * workers.back().speed;
  }

  const double bound = informed_work_bound(workers, interruptions, kPlenty);

  RC_ASSERT(std::abs(bound - sum) <= 1e-12 * sum);
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
