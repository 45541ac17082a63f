#include "heuristics/chunks/worksharing_problem.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"
#include "core/mixture_risk.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

double greatest_slice(const RiskPtr& risk, double lambda) {
  WorksharingProblem problem;
  problem.workers = 2;
  problem.risk = risk;
  problem.lambda = lambda;
  return problem.max_slice();
}

std::vector<double> ten_times() {
  std::vector<double> times;
  for (int k = 1; k <= 10; ++k) times.push_back(k);
  return times;
}

/// The ceil(lambda N)-th of N durations, whether they count equally or have weights whose sums round.
TEST(MaxSlice, OfALawThatReachesLambdaByAJumpIsThatJump) {
  const auto equal = std::make_shared<EmpiricalRisk>(ten_times(), "equal");
  const auto weighted = std::make_shared<EmpiricalRisk>(StepLaw{ten_times(), std::vector<double>(10, 0.1)}, "weighted");
  const std::vector<double> eight = {1, 2, 3, 4, 5, 6, 7, 8};
  const auto open = std::make_shared<EmpiricalRisk>(StepLaw{eight, std::vector<double>(8, 0.1)}, "open");
  for (const RiskPtr& risk : {RiskPtr(equal), RiskPtr(weighted)})
    for (int k = 1; k <= 10; ++k) {
      EXPECT_EQ(greatest_slice(risk, k / 10.0), k) << risk->text();
      EXPECT_EQ(greatest_slice(risk, k / 10.0 - 1e-9), k) << risk->text();
      if (k == 10) continue;
      EXPECT_EQ(greatest_slice(risk, k / 10.0 + 1e-9), k + 1) << risk->text();
    }
  EXPECT_EQ(greatest_slice(open, 0.8), 8);  // the weights add up to 0.7999999999999999
  EXPECT_EQ(greatest_slice(open, 0.81), kInfinity);
}

TEST(MaxSlice, OfAMixtureOfJumpsIsThatJump) {
  for (int first = 1; first <= 9; ++first)
    for (int second = 1; second <= 9; ++second) {
      const auto law = [](int tenths, double early) {
        return std::make_shared<EmpiricalRisk>(
            StepLaw{std::vector<double>{early, 100}, std::vector<double>{tenths / 10.0, (10 - tenths) / 10.0}},
            "two jumps");
      };
      const std::vector<RiskPtr> classes = {law(first, 1), law(second, 2)};
      const auto risk = std::make_shared<MixtureRisk>(classes, std::vector<double>{1, 1}, "mixture");
      const double reached = (first + second) / 20.0;  // by the jump at 2
      EXPECT_EQ(greatest_slice(risk, reached), 2) << first << " " << second;
      EXPECT_EQ(greatest_slice(risk, reached + 1e-9), 100) << first << " " << second;
    }
}

TEST(MaxSlice, OfASmoothLawIsItsQuantile) {
  for (const double lambda : {1e-9, 0.1, 0.5, 1 - 1e-9})
    EXPECT_EQ(greatest_slice(make_linear_risk(0.25), lambda), 4 * lambda);
  const RiskPtr flat = risk("hyperexponential(p=0.5, rate1=1e6, rate2=1e-10)");  // about one half for a long time
  EXPECT_EQ(greatest_slice(flat, 0.5), flat->quantile(0.5));
}

}  // namespace
}  // namespace coterie::heuristics
