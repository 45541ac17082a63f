#pragma once

#include <cstddef>
#include <cstdint>

namespace coterie::sim {

/// Where the interruption times of the instances come from: `sampling` of a campaign.
enum class Sampling {
  kRandom,  ///< "random": independent draws
  kSobol    ///< "sobol": points of a low-discrepancy sequence, see SobolPoints
};

/// How mean ratios are computed: `variance_reduction` of a campaign.
enum class VarianceReduction {
  kNone,     ///< "none"
  kControl,  ///< "control": regression on quantities with known means, see ControlledMean
  kExact     ///< "exact": the mean itself if known (Model::expected_ratios), otherwise by control
};

/// Instances are assigned to kReplicates replicates in turn. Sobol points have a new shift in each, so that replicates
/// are independent; regressions take the coefficients for one replicate from the others.
inline constexpr std::size_t kReplicates = 16;
inline std::size_t replicate_of(std::uint64_t instance) { return instance % kReplicates; }

}  // namespace coterie::sim
