#include "sim/model_interface/axis_readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie::sim {

void require_axis(const Configuration& configuration, const std::string& axis, bool right, const std::string& domain) {
  if (!right)
    throw InputError(configuration.place(axis),
                     fmt::format("{} must be {}, not {}", axis, domain, echoed(configuration.text(axis))));
}

std::size_t count_axis(const Configuration& configuration, const std::string& axis, double least, double most) {
  const double value = configuration.number(axis);
  if (!(value >= least && value <= most))  // the text is made only where it is needed: grids are large
    require_axis(configuration, axis, false, fmt::format("a whole number from {:.0f} to {:.0f}", least, most));
  return static_cast<std::size_t>(value);
}

double positive_axis(const Configuration& configuration, const std::string& axis) {
  const double value = configuration.number(axis);
  require_axis(configuration, axis, value > 0 && std::isfinite(value), "positive and finite");
  return value;
}

double cost_axis(const Configuration& configuration, const std::string& axis) {
  const double value = configuration.number(axis);
  require_axis(configuration, axis, value >= 0 && std::isfinite(value), "finite and not negative");
  return value;
}

std::size_t choice_axis(const Configuration& configuration, const std::string& axis,
                        const std::vector<std::string>& words) {
  const std::string& text = configuration.text(axis);
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    throw InputError(configuration.place(axis), fmt::format("{} must be {}, not \"{}\"{}", axis, quoted_list(words),
                                                            echoed(text), suggestion(text, words)));
  return static_cast<std::size_t>(found - words.begin());
}

PlatformLawPtr law_axis(const Configuration& configuration, const std::string& axis, Infinite infinite) {
  const PlatformLawPtr law = make_platform_law(Expression::parse(configuration.text(axis), configuration.place(axis)));
  require_axis(configuration, axis, infinite == Infinite::kAllowed || std::isfinite(law->quantile(1)),
               "a law of finite values");
  return law;
}

void make_law_canonical(Configuration& configuration, const std::string& axis) {
  const Expression written = Expression::parse(configuration.text(axis), configuration.place(axis));
  configuration.values.set_canonical(axis, make_platform_law(written)->text());
}

}  // namespace coterie::sim
