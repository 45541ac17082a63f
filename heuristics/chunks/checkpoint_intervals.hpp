#pragma once

#include <cstddef>
#include <optional>

#include "core/risk.hpp"
#include "core/schedule.hpp"

namespace coterie::heuristics {

/// Work between two checkpoints of one machine that restarts where it was interrupted, from its mean time M > 0 between
/// interruptions and the cost C > 0 of a checkpoint: sqrt(2 C M), for C far below M.
/// [Young 1974, Communications of the ACM 17, 530-531]
double young_interval(double checkpoint, double mean);
/// sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + C / 2M / 9) - C if C < 2M, otherwise M.
/// [Daly 2006, Future Generation Computer Systems 22, 303-312, Equation (37)]
double daly_interval(double checkpoint, double mean);

/// Mean time of interruption, within a relative 1e-9 for up to 1000 jumps (survival_integral); nothing if interruption
/// is not certain or the mean is not a double.
std::optional<double> mean_life(const Risk& risk);

/// All of the work in chunks of that size, the last one smaller, one after another on one worker; nothing if there are
/// too many.
std::optional<Schedule> schedule_by_interval(double work, double interval, double checkpoint);

}  // namespace coterie::heuristics
