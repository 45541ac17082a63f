#pragma once

#include <cstddef>
#include <cstdint>

namespace coterie::sim {

/// Where the interruption times of the instances come from: `sampling` of a campaign.
enum class Sampling {
  kRandom,  ///< "random": independent draws
  kSobol    ///< "sobol": points of a low-discrepancy sequence, see SobolPoints
};

/// What is done to the mean ratios: `variance_reduction` of a campaign.
enum class VarianceReduction {
  kNone,     ///< "none"
  kControl,  ///< "control": regression on what has a known mean, see ControlledMean
  kExact     ///< "exact": the mean itself where it is known (Model::expected_ratios), by control where it is not
};

/// Instances fall into kReplicates in turn. Sobol points are shifted anew in each, so that replicates are independent;
/// regressions take the coefficients of one from the others.
inline constexpr std::size_t kReplicates = 16;
inline std::size_t replicate_of(std::uint64_t instance) { return instance % kReplicates; }

}  // namespace coterie::sim
