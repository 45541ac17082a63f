#pragma once

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Single-level trees under background jobs: finishing times against that of a clairvoyant master, who solves each
/// instance exactly (Algorithms 1 and 2). Ratio = finishing time / the clairvoyant's.
///
/// Two evaluations, kept apart:
/// - realised: a plan's shares, fixed in advance, meet the instance's own background; the ratio is at least 1 up to
/// rounding.
/// - predicted: what the paper's box plots show. The simulation-based, iterative and sample-average methods predict
/// with
///   each of their trials; instance i stands for trial i (counted again from 0 after the last). Before-correction and
///   no-background predict one time. A prediction is unrelated to the instance's background, so the ratio may be below
///   1. Prediction = ratio x reference. Control-alone predicts nothing and is realised here, too.
///
/// Plans are made before the first instance, from backgrounds that no instance uses (Use::kPlan).
/// [time-varying-2019, Section 4; choices: RESULTS.md]
const Model& background_model();

}  // namespace coterie::sim
