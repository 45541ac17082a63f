#include "heuristics/worksharing/initiation_models.hpp"

#include <algorithm>

namespace coterie::heuristics {

OtherModel charged_model(double free_value, double greatest_free, std::size_t distinct_chunks, double startup) {
  return {std::max(0.0, free_value - static_cast<double>(distinct_chunks) * startup), greatest_free};
}

OtherModel free_model(double charged_value, std::optional<std::size_t> most_distinct, double startup,
                      double free_bound) {
  OtherModel model{charged_value, free_bound};
  if (most_distinct)
    model.at_most = std::min(model.at_most, charged_value + static_cast<double>(*most_distinct) * startup);
  return model;
}

}  // namespace coterie::heuristics
