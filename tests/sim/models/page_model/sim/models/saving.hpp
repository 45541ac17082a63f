#pragma once

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// The model that sim/README.md shows; tests/CMakeLists.txt takes its code from there.
const Model& saving_model();

}  // namespace coterie::sim
