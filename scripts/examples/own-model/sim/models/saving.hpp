#pragma once

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// The smallest model: what happens if one worker saves its work never or ten times (sim/EXTEND.md).
const Model& saving_model();

}  // namespace coterie::sim
