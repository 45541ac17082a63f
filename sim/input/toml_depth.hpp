#pragma once

#include <string>

namespace coterie::sim {

/// Tables within tables, and parts of a key: enough for any file of ours.
constexpr int kMostTomlDepth = 50;

/// Throws InputError at the first place of a TOML text where tables, lists and dotted keys would lie deeper than
/// kMostTomlDepth: the library that parses it, and all that walks over it, goes down by recursion.
void check_toml_depth(const std::string& text, const std::string& name);

}  // namespace coterie::sim
