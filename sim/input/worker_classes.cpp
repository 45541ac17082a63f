#include "sim/input/worker_classes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/expression.hpp"
#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

double weight_of(std::string_view text, const Place& place) {
  const auto number = parse_number(text);
  const auto fraction = number || text.find('/') == std::string_view::npos ? std::nullopt : parse_rational(text);
  const double weight = number ? *number : fraction ? to_double(*fraction) : 0;
  if (!(weight > 0) || !std::isfinite(weight))
    throw InputError(place, fmt::format("mix: the weight \"{}\" must be a number above 0", echoed(text)));
  return weight;
}

}  // namespace

WorkerClasses WorkerClasses::parse(const std::string& text, const Place& place) {
  WorkerClasses classes;
  for (const std::string& item : parse_items(text, place)) {
    const auto sides = split_outside(item, ':');
    if (sides.size() != 2 || trimmed(sides[1]).empty())
      throw InputError(place, fmt::format("mix: write WEIGHT : RISK for each class of workers, as in "
                                          "mix(3 : linear, 2 : exponential(rate=1)), not \"{}\"",
                                          echoed(item)));
    classes.weights.push_back(weight_of(trimmed(sides[0]), place));
    classes.risks.emplace_back(trimmed(sides[1]));
    if (expression_name(classes.risks.back()) == "mix")
      throw InputError(place, "mix: a mix cannot contain another mix; list all classes in one mix");
  }
  return classes;
}

std::string WorkerClasses::text(const std::vector<double>& weights, const std::vector<std::string>& risks) {
  std::string text;
  for (std::size_t k = 0; k < weights.size(); ++k)
    text += fmt::format("{}{} : {}", k == 0 ? "mix(" : ", ", to_text(weights[k]), risks[k]);
  return text + ")";
}

std::vector<std::size_t> class_counts(const std::vector<double>& weights, std::size_t workers) {
  // In parts of a power of two, so that no sum overflows.
  const int exponent = std::ilogb(*std::max_element(weights.begin(), weights.end()));
  double sum = 0;
  for (const double weight : weights) sum += std::ldexp(weight, -exponent);
  std::vector<std::size_t> counts;
  std::vector<double> remainders;
  std::size_t given = 0;
  for (const double weight : weights) {
    const double share = std::ldexp(weight, -exponent) / sum * static_cast<double>(workers);
    // A number that is below a whole number only by rounding counts as that number.
    const double whole = std::floor(share * (1 + 1e-12));
    counts.push_back(static_cast<std::size_t>(whole));
    remainders.push_back(share - whole);
    given += counts.back();
  }
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b] + 1e-9; });
  for (std::size_t i = 0; given < workers; ++i, ++given) ++counts[order[i % order.size()]];
  return counts;
}

std::vector<std::size_t> class_of_workers(const std::vector<std::size_t>& counts) {
  std::vector<std::pair<double, std::size_t>> places;
  for (std::size_t k = 0; k < counts.size(); ++k)
    for (std::size_t i = 0; i < counts[k]; ++i)
      places.emplace_back((static_cast<double>(i) + 0.5) / static_cast<double>(counts[k]), k);
  std::stable_sort(places.begin(), places.end());
  std::vector<std::size_t> classes;
  for (const auto& [where, k] : places) classes.push_back(k);
  return classes;
}

}  // namespace coterie::sim
