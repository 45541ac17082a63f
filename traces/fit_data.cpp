#include "traces/fit_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "core/text.hpp"

namespace coterie::traces {

FitData fit_data(const Durations& durations) {
  COTERIE_REQUIRE(!durations.values().empty() && durations.values().front().value > 0);
  FitData data;
  data.scale = durations.longest();
  const auto at = [&](double time) -> FitSample& {
    const double value = time / data.scale;
    if (data.samples.empty() || data.samples.back().value < value) data.samples.push_back({value, std::log(value)});
    return data.samples.back();
  };
  std::vector<std::pair<double, double>> entries;  // age, spells
  for (const SpellCount& count : durations.counts())
    if (count.entry > 0) entries.emplace_back(count.entry, static_cast<double>(count.ended()));
  std::sort(entries.begin(), entries.end());
  auto entry = entries.begin();
  for (const SpellCount& count : durations.counts()) {
    for (; entry != entries.end() && entry->first <= count.value; ++entry) at(entry->first).entered += entry->second;
    FitSample& sample = at(count.value);
    sample.observed += static_cast<double>(count.interrupted);
    sample.censored += static_cast<double>(count.censored);
    data.observed += static_cast<double>(count.interrupted);
    data.count += static_cast<double>(count.ended());
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
