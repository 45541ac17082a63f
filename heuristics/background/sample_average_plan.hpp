#pragma once

#include "heuristics/background/background_plans.hpp"

namespace coterie::heuristics {

/// The finish time of given shares on one background, and its derivatives.
struct Sensitivity {
  double finish_time = 0;
  std::vector<double> slopes;  ///< d finish_time / d share; at a kink, those of one of the processors that stop last
};

/// realise() with derivatives, which are those of the processor that stops last. With k its index, T_j the start times:
///   dT_j = (d alpha_j + c_j(T_{j-1}) dT_{j-1}) / c_j(T_j),  dT_f = (d alpha_k + a_k(T_k) dT_k) / a_k(T_f).
Sensitivity sensitivity(const TimeVaryingTree& tree, const std::vector<double>& shares);

/// The shares with the least mean finish time over `trials` >= 1 sampled backgrounds: the split is fixed before the
/// background is known, and each processor stops when it is done. Starts from the best of four plans on the same
/// sample (without background, by simulation, iterated from that without background and, where all queues settle,
/// before correction) and descends by projected subgradients, so it is never worse than those on the sample; the mean
/// is not convex in the shares, and the steps end, so the result is neither proven to be a global nor a local optimum.
/// Keeps the sampled backgrounds in memory, and throws InputError if there are too many. `schedule` holds the means
/// over the sample: finish_time, start_times; `finish_times` those of the chosen shares on each background. Not in the
/// paper, whose plans take the split of one median background.
BackgroundPlan plan_by_sample_average(const RandomTree& tree, const StreamKey& key, std::uint64_t trials);

}  // namespace coterie::heuristics
