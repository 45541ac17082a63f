#pragma once

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// One round of work for workers that differ in speed, bandwidth and linear risk, on random platforms, against the
/// bound of a master who knows all interruptions (heuristics/heterogeneous/informed_bound.hpp). A ratio is work
/// completed / that bound, in [0, 1]; 1 where even the bound is 0. [heterogeneous-2011]
const Model& heterogeneous_model();

}  // namespace coterie::sim
