#pragma once

#include <span>
#include <string>

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// What the ratios of configurations compare.
struct Metric {
  std::string name;          ///< "work completed"; of several "A or B"
  std::string unit;          ///< empty if there are several
  std::string reference;     ///< "omniscient"
  std::string of_reference;  ///< what that is measured by; mostly the same

  bool same_of_reference() const { return name == of_reference; }
};

/// `values`: of the axis metric_axis(), if there is one.
Metric metric_of(const Model& model, std::span<const std::string> values);
Metric metric_of(const Model& model, std::span<const Configuration> configurations);

/// The axis that chooses the metric; empty: none.
std::string metric_axis(const Model& model);

}  // namespace coterie::sim
