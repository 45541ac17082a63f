#pragma once

#include <cstddef>

#include "core/rational.hpp"
#include "heuristics/charts/group_chart.hpp"

namespace coterie::heuristics {

/// K = sum over columns of the product of the column's steps, exact: under the linear risk (slice * kappa <= 1) the
/// chart completes slice - K (g / kappa) (slice kappa / n)^(g+1) in expectation.
/// [worksharing-2013, Section 5.2.2; domain: errata B7]
Integer performance_constant(const GroupChart& chart);

/// K_min = ceil(m (n!)^(1/m)), n = executions * groups, m = groups: no chart has a smaller K (arithmetic and geometric
/// mean). Exact: the least integer x with x^m >= m^m n!. [worksharing-2013, Section 5.2.2]. Requires m >= 1.
Integer least_performance_constant(std::size_t executions, std::size_t groups);

/// ln(m (n!)^(1/m)), K_min before rounding up. Error: a few units of the last digit.
double log_least_performance_constant(std::size_t executions, std::size_t groups);

/// ln of a positive integer of any size, absolute error 1e-15 of the result or 2e-16.
double log_of(const Integer& value);

}  // namespace coterie::heuristics
