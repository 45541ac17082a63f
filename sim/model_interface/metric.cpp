#include "sim/model_interface/metric.hpp"

#include <algorithm>
#include <vector>

namespace coterie::sim {
namespace {

void add(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::string alternatives(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += (text.empty() ? "" : " or ") + one;
  return text;
}

}  // namespace

std::string metric_axis(const Model& model) {
  const std::vector<OtherMetric>& others = model.words().other_metrics;
  return others.empty() ? "" : others.front().axis;
}

Metric metric_of(const Model& model, std::span<const std::string> values) {
  const std::vector<OtherMetric>& others = model.words().other_metrics;
  std::vector<std::string> names, units, of_reference;
  for (const std::string& value : values) {
    const auto other =
        std::find_if(others.begin(), others.end(), [&](const OtherMetric& one) { return one.value == value; });
    const bool usual = other == others.end();
    add(names, usual ? model.words().metric : other->name);
    add(units, usual ? model.words().metric_unit : other->unit);
    add(of_reference, usual ? model.words().metric : other->of_reference.empty() ? other->name : other->of_reference);
  }
  if (names.empty()) return {model.words().metric, model.words().metric_unit, model.reference(), model.words().metric};
  return {alternatives(names), units.size() == 1 ? units.front() : "", model.reference(), alternatives(of_reference)};
}

Metric metric_of(const Model& model, std::span<const Configuration> configurations) {
  const std::string axis = metric_axis(model);
  std::vector<std::string> values;
  if (!axis.empty())
    for (const Configuration& configuration : configurations) add(values, configuration.text(axis));
  return metric_of(model, values);
}

}  // namespace coterie::sim
