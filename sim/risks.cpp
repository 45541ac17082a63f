#include "sim/risks.hpp"

namespace coterie::sim {

RiskPtr RiskLibrary::get(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  if (const auto found = made_.find(text); found != made_.end()) return found->second;
  const Expression expression = Expression::parse(text, place);
  return made_[text] = make_parametric_risk(expression);
}

std::map<std::string, std::string> RiskLibrary::checksums() const {
  const std::lock_guard lock(mutex_);
  return checksums_;
}

}  // namespace coterie::sim
