#include "sim/results/axis_columns.hpp"

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "sim/results/result_format.hpp"

namespace coterie::sim {
namespace {

void take_texts(AxisColumn& column, const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> known;
  for (const std::string& text : values) {
    const auto [entry, fresh] = known.emplace(text, column.texts.size());
    if (fresh) column.texts.push_back(text);
    column.code.push_back(entry->second);
  }
}

void take_numbers(AxisColumn& column, const std::vector<double>& values) {
  std::vector<double>& numbers = column.numbers;
  numbers = values;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const double number : numbers) column.texts.push_back(to_text(number));
  for (const double value : values)
    column.code.push_back(
        static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), value) - numbers.begin()));
}

}  // namespace

std::vector<AxisColumn> axis_columns(const ResultFile& result) {
  std::vector<AxisColumn> list;
  for (const Axis& axis : result.catalogue().model(result.file().text_attribute("model")).axes()) {
    const std::string dataset = dataset_name(axis);
    if (!result.file().has(dataset)) continue;
    list.push_back({&axis, {}, {}, {}});
    if (axis.kind == Axis::Kind::kText) {
      take_texts(list.back(), result.file().read_texts(dataset));
    } else {
      take_numbers(list.back(), result.file().read_doubles(dataset));
    }
  }
  return list;
}

}  // namespace coterie::sim
