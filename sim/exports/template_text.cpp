#include "sim/exports/template_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace coterie::sim {

std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    const std::string mark = '@' + name + '@';
    for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos; at += value.size())
      text.replace(at, mark.size(), value);
  }
  return text;
}

double twelve_digits(double value) { return std::stod(fmt::format("{:.12g}", value)); }

std::string time_limit_line(double seconds, bool has_unit) {
  constexpr double kMostMinutes = 525'600;  // a year
  const double minutes = std::ceil(1.1 * seconds / 60) + 1;
  if (has_unit && minutes <= kMostMinutes) return fmt::format("#SBATCH --time={}", minutes);
  return "# No --time: the plan has none in seconds. Give sbatch one if your partition's is too short.";
}

}  // namespace coterie::sim
