#include "sim/model.hpp"

#include <nlohmann/json.hpp>

namespace coterie::sim {

nlohmann::ordered_json axis_json(const Axis& axis, const AxisValue& value) {
  if (axis.kind == Axis::Kind::kText) return value.text;
  if (axis.kind == Axis::Kind::kWhole) return static_cast<std::int64_t>(value.number);
  return value.number;
}

}  // namespace coterie::sim
