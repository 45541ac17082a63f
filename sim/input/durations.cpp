#include "sim/input/durations.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

/// In seconds, the greatest first.
constexpr std::array<std::pair<const char*, double>, 5> kUnits = {
    {{"d", 86400.0}, {"h", 3600.0}, {"min", 60.0}, {"s", 1.0}, {"ms", 0.001}}};

}  // namespace

Length parse_length(const std::string& text, const std::string& name) {
  const std::string_view whole = trimmed(text);
  const auto fail = [&] {
    throw InputError(
        fmt::format("{} must be a number, not negative, with its unit d, h, min, s or ms, such as 40h or "
                    "\"1.5 min\", not \"{}\"",
                    name, text));
  };
  const std::size_t unit_at = whole.find_last_of("0123456789. ") + 1;
  const auto number = parse_number(trimmed(whole.substr(0, unit_at)));
  if (!number || !(*number >= 0)) fail();
  const std::string_view unit = whole.substr(unit_at);
  if (unit.empty()) return {*number, false};
  for (const auto& [known, seconds] : kUnits)
    if (unit == known && *number * seconds < 1e15) return {*number * seconds, true};
  fail();
  return {};
}

LengthFormat LengthFormat::best_for(double seconds) {
  LengthFormat format;
  for (const auto& [name, unit] : kUnits) {
    format.unit_ = unit;
    format.name_ = name;
    const double least = unit == kUnits.front().second ? 10 : 2;  // "100 h" is what people say
    if (seconds >= least * unit || (seconds == 0 && unit == 1)) break;
  }
  return format;
}

std::string LengthFormat::operator()(double seconds) const {
  const std::string number = fmt::format("{:.4g}", seconds / unit_);
  return name_.empty() ? number : number + " " + name_;
}

}  // namespace coterie::sim
