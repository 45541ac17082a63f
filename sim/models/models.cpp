#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "sim/model.hpp"
#include "sim/models/background.hpp"
#include "sim/models/heterogeneous.hpp"
#include "sim/models/now.hpp"
#include "sim/models/return_messages.hpp"
#include "sim/models/worksharing.hpp"

namespace coterie::sim {

const std::vector<const Model*>& models() {
  static const std::vector<const Model*> table = {&worksharing_model(), &heterogeneous_model(), &background_model(),
                                                  &return_messages_model(), &now_model()};
  return table;
}

nlohmann::ordered_json axis_json(const Axis& axis, const AxisValue& value) {
  if (axis.kind == Axis::Kind::kText) return value.text;
  if (axis.kind == Axis::Kind::kWhole) return static_cast<std::int64_t>(value.number);
  return value.number;
}

const Model& model(const std::string& name, const Place& place) {
  std::vector<std::string> names;
  for (const Model* candidate : models()) {
    if (candidate->name() == name) return *candidate;
    names.push_back(candidate->name());
  }
  throw InputError(
      place, fmt::format("unknown model \"{}\"{}; known are {}", name, suggestion(name, names), quoted_list(names)));
}

std::optional<std::string> Model::objection(const Configuration&, Sampling sampling,
                                            VarianceReduction reduction) const {
  if (sampling == Sampling::kRandom && reduction == VarianceReduction::kNone) return std::nullopt;
  return fmt::format(
      "is for the model worksharing; the model {} draws at random and knows no exact means of its instances", name());
}

std::unique_ptr<Controls> Model::controls(const TrialRequest&, CapacityLaws&) const { return nullptr; }

}  // namespace coterie::sim
