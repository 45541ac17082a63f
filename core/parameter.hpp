#pragma once

#include <string>
#include <vector>

namespace coterie {

/// One parameter of a risk function, a strategy or a model, as `coterie list` prints it.
struct Parameter {
  std::string name;
  std::string unit;           ///< "work", "1/work", "" for a pure number
  std::string default_value;  ///< "" if the user must give one
  std::string range;          ///< "> 0"
  std::string meaning;
};

inline std::vector<std::string> names_of(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return names;
}

}  // namespace coterie
