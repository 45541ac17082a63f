#include "sim/model_interface/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coterie::sim {

const Axis* Model::axis(const std::string& name) const {
  const auto found = std::find_if(axes().begin(), axes().end(), [&](const Axis& axis) { return axis.name == name; });
  return found == axes().end() ? nullptr : &*found;
}

std::optional<std::string> Model::why_not_exact(const Configuration&) const {
  return fmt::format("is for the model worksharing; the model {} has no exact means for its instances", name());
}

std::vector<BoundedNumber> Model::expected_ratios(const TrialRequest& request) const {
  return std::vector<BoundedNumber>(request.strategies.size(), {std::nan(""), std::nan("")});
}

}  // namespace coterie::sim
