#include "heuristics/worksharing/two_workers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/worksharing/two_worker_shape.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

void expect_value_of_schedule(const TwoWorkerSolution& solution, const RiskPtr& law, std::int64_t chunks) {
  for (const auto& list : solution.chunks) {
    ASSERT_LE(list.size(), static_cast<std::size_t>(chunks)) << solution.method;
    for (const WorkInterval& chunk : list) {
      ASSERT_LT(chunk.begin, chunk.end) << solution.method;
      ASSERT_GE(chunk.begin, 0) << solution.method;
      ASSERT_LE(chunk.end, solution.work * (1 + 1e-15)) << solution.method;
    }
  }
  const double value = expected_work(to_schedule(solution), law);
  ASSERT_NEAR(value, solution.expected_work, 1e-12 * value)
      << solution.method << " W=" << solution.work << " n=" << chunks;
}

TEST(TwoWorkers, AreWorthWhatTheExactEvaluatorSays) {
  constexpr double kKappa = 0.5;
  const RiskPtr law = make_linear_risk(kKappa);
  for (int w = 1; w <= 60; ++w)
    for (const std::int64_t n : {1, 2, 3, 4, 5, 7, 12, 40}) {
      const double work = 0.1 * w;
      const TwoWorkerSolution best = best_two_workers(work, n, 0, law);
      const TwoWorkerSolution algorithm = algorithm_1(work, n, kKappa);
      const TwoWorkerSolution mirrored = mirrored_chunks(work, n, law);
      const TwoWorkerSolution single = symmetric_single_chunk(work, kKappa);
      expect_value_of_schedule(best, law, n);
      expect_value_of_schedule(algorithm, law, n);
      expect_value_of_schedule(mirrored, law, n);
      expect_value_of_schedule(single, law, 1);
      for (const auto* other : {&algorithm, &mirrored, &single})
        ASSERT_GE(best.expected_work, other->expected_work * (1 - 1e-13)) << work << " " << n << " " << other->method;
      if (work < 2 || work >= 4 || n >= 3) {
        const TwoWorkerSolution printed = printed_algorithm_1(work, n, kKappa);
        expect_value_of_schedule(printed, law, n);
        ASSERT_GE(algorithm.expected_work, printed.expected_work * (1 - 1e-13));
      }
    }
}

TEST(TwoWorkers, MuchMoreWorkThanCanBeDoneIsDisjoint) {
  for (const double work : {4.0, 10.0, 300.0, 1e6, 1e17, 1e300})
    for (const std::int64_t n : {1, 4, 10, 40}) {
      const auto m = static_cast<double>(n);
      const TwoWorkerSolution best = best_two_workers(work, n, 0, make_linear_risk());
      expect_value_of_schedule(best, make_linear_risk(), n);
      EXPECT_NEAR(best.expected_work, m / (m + 1), 1e-12) << work << " " << n;
      const RiskPtr law = risk("weibull(shape=3, scale=2)");
      if (n <= 4) expect_value_of_schedule(best_two_workers(work, n, 0, law), law, n);
      EXPECT_NEAR(mirrored_limit(work, *make_linear_risk()), 1, 1e-12);
    }
}

// Errata A2: where the printed branch loses. X = 1.
TEST(TwoWorkers, CorrectedBranchGainsWhatTheErrataSay) {
  EXPECT_DOUBLE_EQ(printed_algorithm_1(1.5, 3, 1).expected_work, 0.625);
  EXPECT_DOUBLE_EQ(algorithm_1(1.5, 3, 1).expected_work, 0.75);
  EXPECT_DOUBLE_EQ(printed_algorithm_1(1.75, 3, 1).expected_work, 0.40625);
  EXPECT_DOUBLE_EQ(algorithm_1(1.75, 3, 1).expected_work, 0.75);
  EXPECT_NEAR(algorithm_1(1.99, 12, 1).expected_work - printed_algorithm_1(1.99, 12, 1).expected_work, 0.168, 5e-4);
  EXPECT_NEAR(algorithm_1(1.99, 100, 1).expected_work - printed_algorithm_1(1.99, 100, 1).expected_work, 0.0198, 5e-5);
  EXPECT_THROW(printed_algorithm_1(1.3, 2, 1), InputError);
}

// Theorem 8, items 2(a) and 2(b).
TEST(TwoWorkers, AlgorithmOneApproachesThePrintedLimits) {
  for (const double work : {0.3, 0.9, 1.0, 1.4, 1.9}) {
    const double limit =
        work <= 1 ? work - work * work * work / 6 : 2 * work - 1.0 / 3 - work * work + work * work * work / 6;
    EXPECT_NEAR(algorithm_1(work, 90000, 1).expected_work, limit, 5e-5) << work;
    EXPECT_LT(algorithm_1(work, 90000, 1).expected_work, limit) << work;
  }
}

/// Best of all pairs of lists of at most `chunks` intervals on a lattice of `cells`, from the definition.
double best_on_lattice(double work, int chunks, int cells, const Risk& law) {
  std::vector<std::vector<int>> finish_lists;  // for each list, the finishing step of each cell (0: never)
  const auto extend = [&](const auto& self, std::vector<int> finish, int time, int left) -> void {
    finish_lists.push_back(finish);
    if (left == 0) return;
    for (int begin = 0; begin < cells; ++begin)
      for (int end = begin + 1; end <= cells; ++end) {
        std::vector<int> next = finish;
        for (int cell = begin; cell < end; ++cell)
          if (next[static_cast<std::size_t>(cell)] == 0) next[static_cast<std::size_t>(cell)] = time + end - begin;
        self(self, next, time + end - begin, left - 1);
      }
  };
  extend(extend, std::vector<int>(static_cast<std::size_t>(cells), 0), 0, chunks);
  std::vector<std::vector<double>> lost;
  for (const auto& finish : finish_lists) {
    lost.emplace_back();
    for (const int step : finish) lost.back().push_back(step == 0 ? 1 : law.probability(work / cells * step));
  }
  double best = 0;
  for (std::size_t a = 0; a < lost.size(); ++a)
    for (std::size_t b = a; b < lost.size(); ++b) {
      double kept = 0;
      for (std::size_t cell = 0; cell < lost[a].size(); ++cell) kept += 1 - lost[a][cell] * lost[b][cell];
      best = std::max(best, kept);
    }
  return best * work / cells;
}

TEST(TwoWorkers, BestIsNotBeatenByAnyScheduleOnALattice) {
  const RiskPtr law = make_linear_risk();
  double closest = 0;
  for (int w = 1; w <= 24; ++w) {
    const double work = 0.1 * w;
    for (const auto& [chunks, cells] : {std::pair{1, 24}, {2, 8}}) {
      const double lattice = best_on_lattice(work, chunks, cells, *law);
      const double ours = best_two_workers(work, chunks, 0, law).expected_work;
      ASSERT_LE(lattice, ours * (1 + 1e-12)) << "W=" << work << " n=" << chunks;
      closest = std::max(closest, lattice / ours);
    }
    // One chunk each: Theorem 7 is best among all pairs, not only symmetric ones (errata B10).
    ASSERT_LE(best_on_lattice(work, 1, 24, *law), symmetric_single_chunk(work, 1).expected_work * (1 + 1e-12));
  }
  EXPECT_GT(closest, 0.9999);
}

TEST(TwoWorkers, AnyRiskIsNeverWorseThanItsParts) {
  for (const char* text : {"exponential", "weibull(shape=0.5, scale=1)", "weibull(shape=3, scale=2)"})
    for (const double work : {0.5, 2.0, 6.0})
      for (const std::int64_t n : {1, 4, 12}) {
        const RiskPtr law = risk(text);
        const TwoWorkerSolution best = best_two_workers(work, n, 0, law);
        expect_value_of_schedule(best, law, n);
        ASSERT_GE(best.expected_work, mirrored_chunks(work, n, law).expected_work * (1 - 1e-13));
        ASSERT_GE(best.expected_work, 2 * optimal_chunks({work / 2, n, 0, law}).expected_work * (1 - 1e-13));
      }
}

// Errata B9: the gap to the limit is at most 2W/n.
TEST(TwoWorkers, MirroredChunksApproachTheirLimit) {
  for (const char* text : {"linear", "exponential", "weibull(shape=0.5, scale=1)"})
    for (const std::int64_t n : {1, 10, 1000}) {
      const RiskPtr law = risk(text);
      const double gap = mirrored_limit(1.7, *law) - mirrored_chunks(1.7, n, law).expected_work;
      ASSERT_GE(gap, 0) << text;
      ASSERT_LE(gap, 2 * 1.7 / static_cast<double>(n)) << text;
    }
}

// Pr = 1/2 up to 0.6, 3/4 up to 1: two shared chunks of W = 1 fit it better than three.
TEST(TwoWorkers, UnderATraceFewerChunksMayBeBetter) {
  const auto law = std::make_shared<EmpiricalRisk>(std::vector<double>{0, 0, 0.6, 1}, "durations");
  const TwoWorkerSolution best = best_two_workers(1, 3, 0, law);
  EXPECT_DOUBLE_EQ(best.expected_work, 0.625);
  expect_value_of_schedule(best, law, 3);
  EXPECT_DOUBLE_EQ(mirrored_limit(1, *law), 0.65);
}

// Where W is far beyond all lives, each worker alone completes its mean life, and the limit is twice that.
TEST(TwoWorkers, LimitCountsLongTails) {
  const std::vector<std::pair<const char*, double>> laws = {
      {"exponential", 1}, {"lognormal(sigma=2)", 1e12}, {"lognormal(sigma=5)", 1e30}, {"weibull(shape=0.3)", 1e12}};
  for (const auto& [text, work] : laws) {
    const RiskPtr law = risk(text);
    for (const double times : {1e3, 1e6, 1e9}) {
      const double alone = survival_integral(work * times, *law);
      EXPECT_NEAR(mirrored_limit(work * times, *law), 2 * alone, 1e-9 * alone) << text << " x " << times;
    }
  }
  const RiskPtr rarely_long = risk("hyperexponential(p=0.9999995, rate1=1, rate2=1e-8)");
  EXPECT_NEAR(mirrored_limit(3e12, *rarely_long), 2 * (0.9999995 + 5e-7 * 1e8), 1e-6);
}

TEST(TwoWorkers, TieAtHalfTheHorizonIsThreeEighths) {
  EXPECT_DOUBLE_EQ(symmetric_single_chunk(0.5, 1).expected_work, 0.375);
  EXPECT_DOUBLE_EQ(symmetric_single_chunk(std::nextafter(0.5, 1), 1).expected_work, 0.375);
}

TEST(TwoWorkers, NoWorkGivesNoChunks) {
  const RiskPtr law = make_linear_risk();
  for (const TwoWorkerSolution& solution :
       {best_two_workers(0, 3, 0, law), algorithm_1(0, 3, 1), mirrored_chunks(0, 3, law), symmetric_single_chunk(0, 1),
        best_two_workers(0, 3, 0, risk("exponential"))}) {
    EXPECT_TRUE(solution.chunks[0].empty());
    EXPECT_TRUE(solution.chunks[1].empty());
    EXPECT_EQ(solution.expected_work, 0.0);
    EXPECT_EQ(expected_work(to_schedule(solution), law), 0.0);
  }
}

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
        const TwoWorkerSolution best = best_two_workers(work, 2, startup, law);
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
          const TwoWorkerSolution best = best_two_workers(work, n, startup, law);
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
          const TwoWorkerSolution free = best_two_workers(work, *n, 0, law);
          const auto d = static_cast<double>(distinct_chunks(free.chunks, work));
          ASSERT_GE(best.expected_work, free.expected_work - d * startup - 1e-9) << what << " " << best.method;
        }
}

TEST(ChargedTwoWorkers, GoOverIntoThoseWithoutStartUpCost) {
  for (const double work : {0.3, 1.2, 2.5}) {
    const double free = best_two_workers(work, 5, 0, make_linear_risk()).expected_work;
    EXPECT_GT(best_two_workers(work, 5, 1e-9, make_linear_risk()).expected_work, free * (1 - 1e-7));
  }
  EXPECT_THROW(best_two_workers(1, std::nullopt, 0, make_linear_risk()), InputError);
}

// One worker's optimum of Theorem 4 takes less than half of the work: nobody can do better than two of them.
TEST(ChargedTwoWorkers, AreExactWhereThereIsWorkEnough) {
  const RiskPtr law = make_linear_risk();
  for (const double work : {2.0, 10.0, 1e12}) {
    const TwoWorkerSolution best = best_two_workers(work, std::nullopt, 0.01, law);
    EXPECT_TRUE(best.exact);
    EXPECT_NEAR(best.expected_work, 2 * optimal_chunks({work, std::nullopt, 0.01, law}).expected_work, 1e-12);
    EXPECT_NEAR(two_worker_bound(work, std::nullopt, 0.01, law), best.expected_work, 1e-12);
  }
  EXPECT_FALSE(best_two_workers(1, std::nullopt, 0.01, law).exact);
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
    const double best = best_two_workers(c.work, 3, c.startup, law).expected_work;
    const double bound = two_worker_bound(c.work, 3, c.startup, law);
    EXPECT_GT(bound, 0) << c.law;
    EXPECT_LE(best, bound * (1 + 1e-12)) << c.law;
    EXPECT_LE(bound, 2 * c.work * law->survival(c.startup) * (1 + 1e-9)) << c.law;
  }
}

TEST(ChargedTwoWorkers, TheBoundHoldsWhereTheBestListOfOneWorkerIsTooLongToWrite) {
  const double bound = two_worker_bound(1, std::nullopt, 1e-15, make_linear_risk());
  EXPECT_LE(bound, 1);
  EXPECT_GE(bound, best_two_workers(1, 10, 1e-15, make_linear_risk()).expected_work);
}

TEST(ChargedTwoWorkers, SharingBeatsDisjointHalvesWhereWorkIsShort) {
  const RiskPtr law = make_linear_risk();
  const double shared = best_two_workers(0.4, std::nullopt, 0.01, law).expected_work;
  EXPECT_GT(shared, 1.05 * disjoint_halves(0.4, std::nullopt, 0.01, law).expected_work);
}

TEST(ChargedTwoWorkers, NothingCanBeDoneAtACostBeyondTheHorizon) {
  EXPECT_EQ(best_two_workers(1, 3, 1, make_linear_risk()).expected_work, 0);
  EXPECT_EQ(best_two_workers(0, 3, 0.1, make_linear_risk()).expected_work, 0);
}

}  // namespace
}  // namespace coterie::heuristics
