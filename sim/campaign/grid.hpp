#pragma once

#include <vector>

#include "sim/input/toml_document.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Expands the [grid] table: the cartesian product of its axes in the model's order, the last one running fastest.
/// An axis is a number, a text, a list of these, or "A..B", "A..B:STEP" and "C AXIS" for numbers, where A and B may
/// name an earlier axis. Throws InputError for an unknown axis, an empty list, an empty range, a value of the
/// wrong kind or more than a million configurations.
std::vector<Configuration> expand_grid(TomlTable& grid, const Model& model);

/// One explicit configuration of a [[case]] table: as a grid, but scalars only.
Configuration read_case(TomlTable& table, const Model& model);

}  // namespace coterie::sim
