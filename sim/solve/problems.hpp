#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "sim/drawing/timing_diagram.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// A kind of explicit problem that `coterie solve` knows: one row, one file pair.
struct SolvableProblem {
  std::string name;  ///< `problem = "..."` in the file
  std::string summary;
  std::string keys;  ///< of the file, besides "problem", for the help
  /// Reads every key of the problem (a risk may be of any of `laws`), solves it and answers with at least "problem",
  /// "method" and "exact".
  nlohmann::ordered_json (*solve)(TomlTable& file, const RiskKinds& laws);
  /// The same as a picture of who does what when; null if there is none.
  TimingDiagram (*draw)(TomlTable& file, const RiskKinds& laws) = nullptr;
};

const std::vector<SolvableProblem>& solvable_problems();

}  // namespace coterie::sim
