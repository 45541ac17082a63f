#include "heuristics/chunks/worker_ceiling.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/empirical_risk.hpp"
#include "heuristics/chunks/one_worker.hpp"

namespace coterie::heuristics {
namespace {

// What the proof rests on: a + sum of phi(l_j) is at least 1 - exp(-sum of l_j).
TEST(WorkerCeiling, WeightsCoverEveryNumberOfCopies) {
  std::mt19937 draw(3);
  std::exponential_distribution<double> l(1);
  std::uniform_real_distribution<double> scale(0, 3);
  for (int i = 0; i < 200'000; ++i) {
    const auto index = static_cast<std::size_t>(i) % WorkerCeiling::kTangents;
    double sum = WorkerCeiling::intercept(index);
    double all = 0;
    const double mean = std::pow(10, scale(draw) - 2);
    for (int copies = i / 7 % 6; copies >= 0; --copies) {
      const double one = mean * l(draw);
      all += one;
      sum += WorkerCeiling::weight(index, std::exp(-one), -std::expm1(-one));
    }
    ASSERT_GE(sum, -std::expm1(-all) * (1 - 1e-14)) << WorkerCeiling::tangent(index);
  }
}

TEST(WorkerCeiling, WeightsFallWithTheRisk) {
  for (std::size_t index = 0; index < WorkerCeiling::kTangents; ++index) {
    double before = WorkerCeiling::weight(index, 0, 1);
    EXPECT_NEAR(before, 1 - WorkerCeiling::intercept(index), 1e-15);
    for (int i = 1; i <= 1000; ++i) {
      const double weight = WorkerCeiling::weight(index, i / 1000.0, 1 - i / 1000.0);
      EXPECT_LE(weight, before + 1e-15);
      before = weight;
    }
    EXPECT_EQ(before, 0);
  }
}

// The best list over all subsets of the durations, by hand: chunks that end elsewhere could as well end later.
TEST(WorkerCeiling, IsTheBestListUnderAnEmpiricalRisk) {
  const std::vector<double> durations = {0.2, 0.5, 0.6, 1.1, 1.3, 2.0, 2.1};
  const WorkerCeiling ceiling(std::make_shared<EmpiricalRisk>(durations, "seven spells"), 0.15, 1000);
  for (const std::size_t tangent : {std::size_t{0}, std::size_t{10}, std::size_t{25}, std::size_t{40}}) {
    double best = 0;
    for (unsigned set = 1; set < 1u << durations.size(); ++set) {
      double clock = 0;
      double worth = 0;
      for (std::size_t i = 0; i < durations.size(); ++i) {
        if ((set >> i & 1) == 0) continue;
        const double lost = static_cast<double>(i) / static_cast<double>(durations.size());
        worth += (durations[i] - clock - 0.15) * WorkerCeiling::weight(tangent, lost, 1 - lost);
        clock = durations[i];
      }
      best = std::max(best, worth);
    }
    EXPECT_NEAR(ceiling.worth(tangent, 100), best, 1e-11 * best) << tangent;
  }
}

TEST(WorkerCeiling, IsSharpForOneWorkerAlone) {
  for (const char* text :
       {"linear", "exponential(rate=2)", "weibull(shape=0.5, scale=1)", "weibull(shape=3, scale=1)"}) {
    const RiskPtr risk = make_parametric_risk(Expression::parse(text));
    const WorkerCeiling ceiling(risk, 0.05, 100'000);
    for (const double work : {0.1, 0.4, 5.0}) {
      const double best = optimal_chunks({work, std::nullopt, 0.05, risk}).expected_work;
      EXPECT_GE(ceiling.worth(0, work), best) << text;
      EXPECT_LE(ceiling.worth(0, work), best * 1.003) << text << ' ' << work;
    }
  }
}

// Products of two times are out of a double's range.
TEST(WorkerCeiling, IsTheSameInAnyUnitOfTime) {
  const auto worth = [](double unit) {
    const RiskPtr risk = make_parametric_risk(Expression::parse(fmt::format("exponential(rate={})", 1 / unit)));
    return WorkerCeiling(risk, 0.01 * unit, 100'000).worth(0, 10 * unit) / unit;
  };
  EXPECT_NEAR(worth(0x1p-560), worth(1), 1e-6);
  EXPECT_NEAR(worth(0x1p+560), worth(1), 1e-6);
}

// Fewer points never make it less.
TEST(WorkerCeiling, IsNoLessOnAPartOfTheGrid) {
  std::vector<double> durations;
  for (int k = 1; k < 500; ++k) durations.push_back(0.001 * k * k);
  const auto trace = std::make_shared<EmpiricalRisk>(durations, "spells");
  for (const RiskPtr& risk : std::vector<RiskPtr>{trace, make_linear_risk()}) {
    const WorkerCeiling fine(risk, 0.05, 100'000);
    for (const std::size_t points : {100, 333, 1}) {
      const WorkerCeiling coarse(risk, 0.05, points);
      EXPECT_LE(coarse.points(), points);
      for (const std::size_t tangent : {0, 10, 30})
        for (const double work : {0.1, 2.0, 50.0})
          EXPECT_GE(coarse.worth(tangent, work), fine.worth(tangent, work) * (1 - 1e-3)) << points;
    }
    EXPECT_LE(WorkerCeiling(risk, 0.05, 400).worth(0, 2), 1.02 * fine.worth(0, 2));
  }
}

TEST(WorkerCeiling, IsNothingWhereAStartUpCostIsALife) {
  const WorkerCeiling ceiling(make_linear_risk(), 1, 100'000);
  for (std::size_t index = 0; index < WorkerCeiling::kTangents; ++index) EXPECT_EQ(ceiling.worth(index, 3), 0);
}

}  // namespace
}  // namespace coterie::heuristics
