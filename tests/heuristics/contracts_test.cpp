#include <gtest/gtest.h>

#include "core/contract.hpp"
#include "core/empirical_risk.hpp"
#include "heuristics/background/background_plans.hpp"
#include "heuristics/background/time_varying.hpp"
#include "heuristics/charts/chart_survey.hpp"
#include "heuristics/charts/group_chart.hpp"
#include "heuristics/chunks/chunk_search.hpp"

namespace coterie::heuristics {
namespace {

TEST(Contract, OfHeuristics) {
  EXPECT_THROW(lower_median({}), BrokenContract);
  EXPECT_THROW(solve_constant({1, {1, 1}, {1}}), BrokenContract);
  EXPECT_THROW(solve_constant({1, {1, 0}, {1, 1}}), BrokenContract);
  EXPECT_THROW(survey_charts({}, SurveyDepth::kPaper), BrokenContract);
  EXPECT_THROW(greedy_chart(2, 3, linear_risk_at_steps(5)), BrokenContract);
  EXPECT_THROW(search_chunks(1, 0, 0.1, *make_linear_risk()), BrokenContract);
  EXPECT_THROW(best_chunks(1, 2, -0.1, EmpiricalRisk({1, 2}, "two")), BrokenContract);
}

}  // namespace
}  // namespace coterie::heuristics
