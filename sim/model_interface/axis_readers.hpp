#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/input/platform_laws.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// How models read the axes of a configuration. All throw InputError at the place of the axis.

/// Refuses the value of an axis unless `right`: "work must be positive and finite, not 0".
void require_axis(const Configuration& configuration, const std::string& axis, bool right, const std::string& domain);

/// A whole number from `least` to `most`.
std::size_t count_axis(const Configuration& configuration, const std::string& axis, double least, double most);

/// A number above 0 and finite.
double positive_axis(const Configuration& configuration, const std::string& axis);

/// A finite number of 0 or more.
double cost_axis(const Configuration& configuration, const std::string& axis);

/// One of the words, as its index.
std::size_t choice_axis(const Configuration& configuration, const std::string& axis,
                        const std::vector<std::string>& words);

/// A law of a random platform, whose values are finite unless `Infinite::kAllowed`.
enum class Infinite { kRefused, kAllowed };
PlatformLawPtr law_axis(const Configuration& configuration, const std::string& axis,
                        Infinite infinite = Infinite::kRefused);

/// Puts the full text of the law into the identity, so that "uniform(low=.5, high=1.5)" and "uniform(high=1.5,
/// low=0.5)" are the same configuration.
void make_law_canonical(Configuration& configuration, const std::string& axis);

/// The strategies of a campaign in its order, as rows of a model's table, whose rows have a member `name`.
template <class Row>
std::vector<const Row*> chosen_rows(const std::vector<Row>& table, const std::vector<std::string>& names) {
  std::vector<const Row*> chosen;
  for (const std::string& name : names)
    for (const Row& row : table)
      if (row.name == name) chosen.push_back(&row);
  return chosen;
}

/// Descriptions of the strategies in a table whose rows have a name, a summary and a source.
template <class Row>
std::vector<StrategyText> strategy_texts(const std::vector<Row>& table) {
  std::vector<StrategyText> texts;
  for (const Row& row : table) texts.push_back({row.name, row.summary, row.source});
  return texts;
}

}  // namespace coterie::sim
