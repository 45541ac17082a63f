#pragma once

#include <string>
#include <vector>

#include "sim/campaign/catalogue.hpp"

namespace coterie::sim {

struct VerbText;

/// The call of a verb.
struct Call {
  const Catalogue& catalogue;
  std::vector<std::string> arguments;  ///< after the verb
  VerbText* text = nullptr;            ///< if not null, the verb only describes in it how it is used
};

/// What the program does for `coterie NAME ...`: one row per verb.
struct Verb {
  std::string name;
  std::string summary;
  int (*run)(const Call& call);  ///< returns the exit code; command_line reports what it throws
};

}  // namespace coterie::sim
