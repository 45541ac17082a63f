#include "heuristics/charts/column_descent.hpp"

#include <gtest/gtest.h>

#include "tests/heuristics/charts/chart_testing.hpp"

namespace coterie::heuristics {
namespace {

std::vector<double> logs_of(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values) logs.push_back(std::log(value));
  return logs;
}

/// The greatest part of the cost that any exchange of one step for one other could still save, by trying them all.
double greatest_saving(GroupChart chart, const std::vector<double>& risk, const std::vector<double>& weights) {
  const double cost = plain_cost(chart, risk, weights);
  double least = cost;
  for (std::size_t a = 0; a < chart.steps.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      std::swap(chart.steps[a], chart.steps[b]);
      least = std::min(least, plain_cost(chart, risk, weights));
      std::swap(chart.steps[a], chart.steps[b]);
    }
  return 1 - least / cost;
}

TEST(ColumnDescent, LeavesNoExchangeThatHelps) {
  for (const auto& [g, m] : {std::pair<std::size_t, std::size_t>{2, 9}, {3, 12}, {5, 8}, {9, 4}, {4, 25}})
    for (std::size_t real = 1; real <= g; ++real) {
      const auto risk = linear_risk_at_steps(g * m);
      const auto log_risk = logs_of(risk);
      const auto weights = last_group_weight(g, m, real);
      const auto log_weights = logs_of(weights);
      const GroupChart start = cyclic_chart(g, m);
      ASSERT_GT(greatest_saving(start, risk, weights), 1e-3);
      ColumnDescent descent(start, log_risk, log_weights);

      descent.descend();
      const GroupChart swapped = descent.chart();
      descent.descend_by_pairs();
      const GroupChart chart = descent.chart();

      ASSERT_TRUE(is_chart_with_ascending_columns(chart));
      EXPECT_LT(greatest_saving(swapped, risk, weights), 2e-8) << g << " x " << m << ", " << real << " real";
      EXPECT_LT(greatest_saving(chart, risk, weights), 2e-8) << g << " x " << m << ", " << real << " real";
      EXPECT_LE(plain_cost(chart, risk, weights), plain_cost(swapped, risk, weights));
    }
}

}  // namespace
}  // namespace coterie::heuristics
