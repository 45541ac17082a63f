#include "traces/fit_data.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/contract.hpp"
#include "core/text.hpp"

namespace coterie::traces {

FitData fit_data(const Durations& durations) {
  COTERIE_REQUIRE(!durations.values().empty() && durations.values().front().value > 0);
  FitData data;
  data.scale = durations.longest();
  for (const Duration& duration : durations.values()) {
    const double value = duration.value / data.scale;
    if (data.samples.empty() || data.samples.back().value < value)
      data.samples.push_back({value, std::log(value), 0, 0});
    (duration.observed ? data.samples.back().observed : data.samples.back().censored) += 1;
    data.observed += duration.observed ? 1 : 0;
    data.count += 1;
  }
  return data;
}

FittedLaw fitted_law(const std::string& name, std::vector<std::pair<std::string, double>> parameters,
                     double log_likelihood) {
  for (const auto& [key, value] : parameters)
    if (!std::isfinite(value)) return unfitted_law(name, fmt::format("its {} is too great for a number", key));
  FittedLaw law;
  law.name = name;
  law.log_likelihood = log_likelihood;
  std::string arguments;
  for (const auto& [key, value] : parameters)
    arguments += fmt::format("{}{}={}", arguments.empty() ? "" : ", ", key, to_text(value));
  law.parameters = std::move(parameters);
  law.risk = fmt::format("{}({})", name, arguments);
  return law;
}

FittedLaw unfitted_law(const std::string& name, const std::string& problem) {
  FittedLaw law;
  law.name = name;
  law.problem = problem;
  return law;
}

}  // namespace coterie::traces
