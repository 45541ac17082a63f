#include "heuristics/worksharing/charged_two_workers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/worksharing/two_worker_shape.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

std::vector<RiskPtr> charged_risks() {
  return {make_linear_risk(1), risk("exponential(rate=2)"), risk("weibull(shape=0.6, scale=0.5)"),
          std::make_shared<EmpiricalRisk>(std::vector<double>{0.2, 0.3, 0.5, 0.5, 0.8, 1.0}, "durations")};
}

/// Greatest expected work over sizes on a grid, at most two chunks a worker, laid out as Theorem 5 says.
double brute(double work, double startup, const RiskPtr& law, int cells) {
  const double step = work / cells;
  std::vector<std::array<int, 2>> lists;
  for (int a = 0; a <= cells; ++a)
    for (int b = 0; a + b <= cells; ++b)
      if (a > 0 || b == 0) lists.push_back({a, b});
  const auto placed = [&](const std::array<int, 2>& sizes, bool from_end) {
    std::vector<WorkInterval> list;
    int done = 0;
    for (const int size : sizes) {
      const double begin = done * step;
      const double end = (done + size) * step;
      if (size > 0) list.push_back(from_end ? WorkInterval{work - end, work - begin} : WorkInterval{begin, end});
      done += size;
    }
    return list;
  };
  double best = 0;
  for (const auto& one : lists)
    for (const auto& two : lists)
      best = std::max(best, expected_work_of({{placed(one, false), placed(two, true)}}, startup, law));
  return best;
}

TEST(ChargedTwoWorkers, AreNoWorseThanAnyGridOfFewChunks) {
  for (const RiskPtr& law : charged_risks())
    for (const double work : {0.1, 0.4, 0.9, 1.5})
      for (const double startup : {0.01, 0.05, 0.15}) {
        const TwoWorkerSolution best = best_charged_hybrid(work, 2, startup, law);
        ASSERT_GE(best.expected_work, brute(work, startup, law, 10) * (1 - 1e-9))
            << law->text() << " " << work << " " << startup << " " << best.method;
      }
}

TEST(ChargedTwoWorkers, AreWorthWhatTheExactEvaluatorSaysWithinTheBound) {
  for (const RiskPtr& law : charged_risks())
    for (const double work : {0.02, 0.4, 1.7})
      for (const double startup : {1e-4, 0.05, 0.4})
        for (const std::optional<std::int64_t> n : {std::optional<std::int64_t>(3), std::optional<std::int64_t>()}) {
          if (!n && startup < 0.05) continue;  // long lists take long
          const TwoWorkerSolution best = best_charged_hybrid(work, n, startup, law);
          const std::string what = law->text() + " " + std::to_string(work) + " " + std::to_string(startup);
          ASSERT_NEAR(best.expected_work, expected_work(to_schedule(best), law), 1e-12) << what;
          ASSERT_LE(best.expected_work, two_worker_bound(work, n, startup, law) * (1 + 1e-9)) << what;
          ASSERT_GE(best.expected_work, disjoint_halves(work, n, startup, law).expected_work * (1 - 1e-12)) << what;
          ASSERT_TRUE(shape_of(best.chunks, work).holds() || best.exact || best.chunks[0].empty()) << what;
          for (const auto& list : best.chunks)
            if (n) {
              ASSERT_LE(list.size(), static_cast<std::size_t>(*n)) << what;
            }
          // Theorem 1 from the free model: the best free hybrid less a start-up cost for each distinct chunk.
          if (!n) continue;
          const TwoWorkerSolution free = best_hybrid(work, *n, law);
          const auto d = static_cast<double>(distinct_chunks(free.chunks, work));
          ASSERT_GE(best.expected_work, free.expected_work - d * startup - 1e-9) << what << " " << best.method;
        }
}

TEST(ChargedTwoWorkers, AreTheOldHybridWithoutStartUpCost) {
  for (const double work : {0.3, 1.2, 2.5}) {
    EXPECT_EQ(best_charged_hybrid(work, 5, 0, make_linear_risk()).expected_work,
              best_hybrid(work, 5, make_linear_risk()).expected_work);
    const double near = best_charged_hybrid(work, 5, 1e-9, make_linear_risk()).expected_work;
    EXPECT_GT(near, best_hybrid(work, 5, make_linear_risk()).expected_work * (1 - 1e-7));
  }
  EXPECT_THROW(best_charged_hybrid(1, std::nullopt, 0, make_linear_risk()), InputError);
}

// One worker's optimum of Theorem 4 takes less than half of the work: nobody can do better than two of them.
TEST(ChargedTwoWorkers, AreExactWhereThereIsWorkEnough) {
  const RiskPtr law = make_linear_risk();
  for (const double work : {2.0, 10.0, 1e12}) {
    const TwoWorkerSolution best = best_charged_hybrid(work, std::nullopt, 0.01, law);
    EXPECT_TRUE(best.exact);
    EXPECT_NEAR(best.expected_work, 2 * optimal_chunks({work, std::nullopt, 0.01, law}).expected_work, 1e-12);
    EXPECT_NEAR(two_worker_bound(work, std::nullopt, 0.01, law), best.expected_work, 1e-12);
  }
  EXPECT_FALSE(best_charged_hybrid(1, std::nullopt, 0.01, law).exact);
}

/// Where next to nothing can be completed, the bound keeps its digits.
TEST(ChargedTwoWorkers, AreWithinTheBoundWhereFewOutliveTheStartUpCost) {
  struct Case {
    double work, startup;
    const char* law;
  };
  for (const Case& c : {Case{1e-6, 18.42, "exponential(rate=1)"}, Case{1e-4, 25, "exponential(rate=1)"},
                        Case{1e-3, 500, "weibull(shape=0.5,scale=1)"}, Case{1e-3, 20, "weibull(shape=1.5,scale=2)"},
                        Case{1e-3, 1e4, "lognormal(median=1,sigma=1.2)"}, Case{1e-13, 3, "weibull(shape=2,scale=1)"}}) {
    const RiskPtr law = risk(c.law);
    const double best = best_charged_hybrid(c.work, 3, c.startup, law).expected_work;
    const double bound = two_worker_bound(c.work, 3, c.startup, law);
    EXPECT_GT(bound, 0) << c.law;
    EXPECT_LE(best, bound * (1 + 1e-12)) << c.law;
    EXPECT_LE(bound, 2 * c.work * law->survival(c.startup) * (1 + 1e-9)) << c.law;
  }
}

TEST(ChargedTwoWorkers, TheBoundHoldsWhereTheBestListOfOneWorkerIsTooLongToWrite) {
  const double bound = two_worker_bound(1, std::nullopt, 1e-15, make_linear_risk());
  EXPECT_LE(bound, 1);
  EXPECT_GE(bound, best_charged_hybrid(1, 10, 1e-15, make_linear_risk()).expected_work);
}

TEST(ChargedTwoWorkers, SharingBeatsDisjointHalvesWhereWorkIsShort) {
  const RiskPtr law = make_linear_risk();
  const double shared = best_charged_hybrid(0.4, std::nullopt, 0.01, law).expected_work;
  EXPECT_GT(shared, 1.05 * disjoint_halves(0.4, std::nullopt, 0.01, law).expected_work);
}

TEST(ChargedTwoWorkers, NothingCanBeDoneAtACostBeyondTheHorizon) {
  EXPECT_EQ(best_charged_hybrid(1, 3, 1, make_linear_risk()).expected_work, 0);
  EXPECT_EQ(best_charged_hybrid(0, 3, 0.1, make_linear_risk()).expected_work, 0);
}

}  // namespace
}  // namespace coterie::heuristics
