#include "sim/model_interface/configuration.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace coterie::sim {
namespace {

const auto kNamed = [](const std::string& axis) {
  return [&axis](const AxisValues::Shared& value) { return value->axis == axis; };
};

}  // namespace

nlohmann::ordered_json axis_json(const Axis& axis, const AxisValue& value) {
  if (axis.kind == Axis::Kind::kText || std::isinf(value.number)) return value.text;  // JSON has no infinity
  if (axis.kind == Axis::Kind::kWhole) return static_cast<std::int64_t>(value.number);
  return value.number;
}

void AxisValues::set(Shared value) {
  const auto place = std::lower_bound(values_.begin(), values_.end(), value,
                                      [](const Shared& a, const Shared& b) { return a->axis < b->axis; });
  if (place != values_.end() && (*place)->axis == value->axis)
    *place = std::move(value);
  else
    values_.insert(place, std::move(value));
}

void AxisValues::set_canonical(const std::string& axis, const std::string& canonical) {
  const AxisValue& now = at(axis);
  if (now.canonical == canonical) return;
  AxisValue changed = now;
  changed.canonical = canonical;
  set(std::move(changed));
}

void AxisValues::remove(const std::string& axis) { std::erase_if(values_, kNamed(axis)); }

const AxisValue* AxisValues::find(const std::string& axis) const {
  const auto found = std::find_if(values_.begin(), values_.end(), kNamed(axis));
  return found == values_.end() ? nullptr : found->get();
}

const AxisValue& AxisValues::at(const std::string& axis) const {
  if (const AxisValue* value = find(axis)) return *value;
  throw std::out_of_range("no axis " + axis);
}

}  // namespace coterie::sim
