#pragma once

#include <string>

namespace coterie::sim {

/// The deepest nesting of tables and parts of a key: enough for all our files.
constexpr int kMostTomlDepth = 50;

/// Throws InputError at the first place in a TOML text where tables, lists and dotted keys are nested deeper than
/// kMostTomlDepth, because the parser and all code that walks over its result use recursion.
void check_toml_depth(const std::string& text, const std::string& name);

}  // namespace coterie::sim
