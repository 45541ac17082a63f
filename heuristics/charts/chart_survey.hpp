#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heuristics/charts/chart_catalogue.hpp"

namespace coterie::heuristics {

/// A coterie of `executions` workers whose slice is cut into executions * groups chunks.
struct ChartSize {
  std::size_t executions;
  std::size_t groups;
};

/// g in 2..100, n in 2g..1000, g divides n. [worksharing-2013, Section 5.3]: 4043 sizes; the paper prints 4032, but its
/// success rates fit only 4043. [errata, group schedules 1]
std::vector<ChartSize> table4_sizes();

struct Statistics {
  double least = 0;
  double greatest = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation, with the sizes as the whole population
};
Statistics statistics_of(const std::vector<double>& values);

/// One row of Table 4.
struct ChartSurveyRow {
  std::string name;
  Statistics relative;      ///< K / least K of the six charts
  Statistics absolute;      ///< K / K_min
  double success_rate = 0;  ///< per cent of sizes with K not above that of the best of the six, exactly
  double better_rate = 0;   ///< per cent of sizes with K below it; 0 for the six themselves
};

enum class SurveyDepth { kPaper, kRefined };

/// Table 4 over `sizes` (not empty): the six charts and best; with kRefined also refined and, called "lower bound",
/// K_LB. Ratios are doubles with relative errors below 1e-11; exact integers distinguish equal K from nearly equal
/// ones.
std::vector<ChartSurveyRow> survey_charts(const std::vector<ChartSize>& sizes, SurveyDepth depth);

/// What the paper prints in Table 4 for a row: relative and absolute (min, max, avg., stdv.) and success rate.
struct PrintedSurveyRow {
  std::string name;
  Statistics relative;
  Statistics absolute;
  double success_rate;
};
const std::vector<PrintedSurveyRow>& printed_table4();

}  // namespace coterie::heuristics
