#pragma once

#include <vector>

#include "core/speed_profile.hpp"

namespace coterie::heuristics {

/// A single-level tree whose processors and links change speed. P_0, the control processor, computes from time 0 while
/// it sends; link i is busy from T_{i-1} to T_i (T_0 = 0, in the order of the workers, no gaps); worker i computes from
/// T_i. Speeds are shares of the whole load per unit of time: 1 / (W_i(t) Tcp) and 1 / (Z_i(t) Tcm). [Wu, Cao,
/// Robertazzi 2019], Sections 2.1 and 2.3; no start-up costs, no results to return.
struct TimeVaryingTree {
  SpeedProfile control;
  std::vector<SpeedProfile> processors;  ///< of the workers
  std::vector<SpeedProfile> links;       ///< one per processor
};

/// A division of the load, with the resulting times.
struct TreeSchedule {
  double finish_time = 0;           ///< T_f
  std::vector<double> start_times;  ///< T_0 = 0, T_1, ..., T_N: when each processor begins to compute
  std::vector<double> shares;       ///< alpha_0, ..., alpha_N, with sum 1
  /// How far the schedule is from solving its equations, in shares of the load: the greatest of |sum of shares - 1| and
  /// of |share - what the processor computes from its start to T_f|.
  double residual = 0;
};

/// The constant speeds of a tree: shares of the whole load per unit of time.
struct ConstantTree {
  double control = 0;
  std::vector<double> processors;
  std::vector<double> links;
};

/// All processors stop together, speeds constant: [Wu, Cao, Robertazzi 2019], (1a)-(1c) with alpha_0 in the sum
/// (time-varying-2019, E1), by an O(N) recursion. Speeds must be positive.
TreeSchedule solve_constant(const ConstantTree& tree);

/// All processors stop together at the SMALLEST possible T_f: Algorithms 1 and 2 of [Wu, Cao, Robertazzi 2019] without
/// their time slots. T_f moves up from 0 from one breakpoint to the next until the shares add up to 1; then Newton
/// steps. O(N) per breakpoint met. If a link is slower than the next one, several T_f may solve the equations, and
/// stopping together need not be optimal for the given order.
TreeSchedule solve_by_sweep(const TimeVaryingTree& tree);

/// The same equations by a safeguarded Newton iteration with exact slopes, O(N log K) per step plus the pieces passed.
/// If has_one_root holds, this is the only root, the same as that of solve_by_sweep.
TreeSchedule solve_by_newton(const TimeVaryingTree& tree);

/// Whether it is proven that one T_f alone solves the equations: all speeds are constant, which makes the shares
/// proportional to T_f, or no link is ever slower than the link after it, which makes their sum increase strictly:
///   dS/dT_f = a_0(T_f) + sum_i (c_i(T_i) - c_{i+1}(T_i)) dT_i/dT_f,  c_{N+1} = 0.
/// In the latter case no other division finishes earlier for this order of the workers: if one finishes at T, each T_i
/// is at most that of stopping together at T, so 1 <= S(T). Otherwise stopping together is the paper's optimality
/// principle, not a theorem.
bool has_one_root(const TimeVaryingTree& tree);

/// The smallest root: by Newton if no link is ever slower than the link after it, otherwise by the sweep.
TreeSchedule solve_time_varying(const TimeVaryingTree& tree);

/// The schedule of given shares (at least 0, one for each processor, control first): start times and, as `finish_time`,
/// when the last processor with work stops.
TreeSchedule realise(const TimeVaryingTree& tree, const std::vector<double>& shares);

}  // namespace coterie::heuristics
