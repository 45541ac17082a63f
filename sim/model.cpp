#include "sim/model.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace coterie::sim {

nlohmann::ordered_json axis_json(const Axis& axis, const AxisValue& value) {
  if (axis.kind == Axis::Kind::kText) return value.text;
  if (axis.kind == Axis::Kind::kWhole) return static_cast<std::int64_t>(value.number);
  return value.number;
}

std::optional<std::string> Model::objection(const Configuration&, Sampling sampling,
                                            VarianceReduction reduction) const {
  if (sampling == Sampling::kRandom && reduction == VarianceReduction::kNone) return std::nullopt;
  return fmt::format(
      "is for the model worksharing; the model {} draws at random and knows no exact means of its instances", name());
}

std::unique_ptr<Controls> Model::controls(const TrialRequest&, CapacityLaws&) const { return nullptr; }

}  // namespace coterie::sim
