#include "heuristics/charts/group_chart.hpp"

#include <algorithm>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/contract.hpp"

namespace coterie::heuristics {
namespace {

struct Column {
  double product;
  std::uint32_t index;
};

/// Columns from the greatest product to the smallest, ties to the lower column. Products that differ by no more than
/// rounding are ties, so that the chart does not depend on the last bit.
void sort_by_product(std::vector<Column>& columns) {
  constexpr double kRounding = 1e-12;
  const auto by_product = [](const Column& a, const Column& b) { return a.product > b.product; };
  const auto is_sorted = [&] { return std::is_sorted(columns.begin(), columns.end(), by_product); };
  if (!is_sorted()) {
    std::reverse(columns.begin(), columns.end());  // a row of rising risks nearly reverses the order
    if (!is_sorted()) std::sort(columns.begin(), columns.end(), by_product);
  }
  for (auto run = columns.begin(); run != columns.end();) {
    auto end = std::next(run);
    while (end != columns.end() && end->product >= std::prev(end)->product * (1 - kRounding)) ++end;
    const auto by_index = [](const Column& a, const Column& b) { return a.index < b.index; };
    if (!std::is_sorted(run, end, by_index)) std::sort(run, end, by_index);
    run = end;
  }
}

enum class Direction { kForwards, kBackwards };

void append_row(GroupChart& chart, std::size_t row, Direction direction) {
  const std::size_t m = chart.groups;
  for (std::size_t j = 0; j < m; ++j) {
    const std::size_t step = direction == Direction::kForwards ? row * m + j + 1 : (row + 1) * m - j;
    chart.steps.push_back(static_cast<std::uint32_t>(step));
  }
}

template <typename DirectionOfRow>
GroupChart chart_by_rows(std::size_t executions, std::size_t groups, DirectionOfRow direction) {
  GroupChart chart{executions, groups, {}};
  chart.steps.reserve(executions * groups);
  for (std::size_t row = 0; row < executions; ++row) {
    cancellation_point();
    append_row(chart, row, direction(row));
  }
  return chart;
}

}  // namespace

GroupChart cyclic_chart(std::size_t executions, std::size_t groups, std::span<const double>) {
  return chart_by_rows(executions, groups, [](std::size_t) { return Direction::kForwards; });
}

GroupChart reverse_chart(std::size_t executions, std::size_t groups, std::span<const double>) {
  return chart_by_rows(executions, groups,
                       [](std::size_t row) { return row == 0 ? Direction::kForwards : Direction::kBackwards; });
}

GroupChart mirror_chart(std::size_t executions, std::size_t groups, std::span<const double>) {
  return chart_by_rows(executions, groups, [executions](std::size_t row) {
    return row < executions / 2 ? Direction::kForwards : Direction::kBackwards;
  });
}

GroupChart snake_chart(std::size_t executions, std::size_t groups, std::span<const double>) {
  return chart_by_rows(executions, groups,
                       [](std::size_t row) { return row % 2 == 0 ? Direction::kForwards : Direction::kBackwards; });
}

GroupChart fat_snake_chart(std::size_t executions, std::size_t groups, std::span<const double>) {
  GroupChart chart{executions, groups, {}};
  chart.steps.reserve(executions * groups);
  const std::size_t in_triples = executions - executions % 3;
  for (std::size_t row = 0; row < in_triples; row += 3) {
    cancellation_point();
    append_row(chart, row, Direction::kForwards);
    const std::size_t last = (row + 3) * groups;
    for (std::size_t j = 0; j < groups; ++j) chart.steps.push_back(static_cast<std::uint32_t>(last - 2 * j - 1));
    for (std::size_t j = 0; j < groups; ++j) chart.steps.push_back(static_cast<std::uint32_t>(last - 2 * j));
  }
  for (std::size_t row = in_triples; row < executions; ++row) append_row(chart, row, Direction::kForwards);
  return chart;
}

/// Row by row, the smallest step to the group with the greatest product of risks so far, which is proportional to the
/// probability that a chunk of it is lost. [worksharing-2013, Sections 5.2.4 and 7.1]
GroupChart greedy_chart(std::size_t executions, std::size_t groups, std::span<const double> risk_at_step) {
  COTERIE_REQUIRE(executions >= 1 && groups >= 1);
  COTERIE_REQUIRE(risk_at_step.size() >= executions * groups);
  GroupChart chart{executions, groups, std::vector<std::uint32_t>(executions * groups)};
  // Products are scaled by the greatest risk of each row, so that they neither overflow nor all vanish.
  std::vector<Column> columns(groups);
  for (std::uint32_t j = 0; j < groups; ++j) columns[j] = {1.0, j};
  for (std::size_t row = 0; row < executions; ++row) {
    cancellation_point();
    if (row > 0) sort_by_product(columns);
    const std::size_t first = row * groups;
    for (std::size_t rank = 0; rank < groups; ++rank)
      chart.steps[first + columns[rank].index] = static_cast<std::uint32_t>(first + rank + 1);
    if (row + 1 == executions) break;
    const double greatest = risk_at_step[first + groups - 1];
    for (std::size_t rank = 0; rank < groups; ++rank)
      columns[rank].product *= greatest > 0 ? risk_at_step[first + rank] / greatest : 0.0;
  }
  return chart;
}

std::vector<double> linear_risk_at_steps(std::size_t steps) {
  std::vector<double> risk(steps);
  std::iota(risk.begin(), risk.end(), 1.0);
  return risk;
}

}  // namespace coterie::heuristics
