#include "sim/planning/question.hpp"

#include <algorithm>

namespace coterie::sim {

std::string Question::called(const std::string& key) const {
  if (from_file) return key;
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

Place Question::place(const std::string& key) const {
  const auto found = places.find(key);
  return found == places.end() ? Place{} : found->second;
}

}  // namespace coterie::sim
