#include "core/length.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// The longest prefix of `text` that looks like an unsigned number.
std::string_view leading_number(std::string_view text) {
  std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  if (end > 0 && end < text.size() && text[end] == 'e') {
    const std::size_t digits = end + 1 + (end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-'));
    if (digits < text.size() && kDigits.find(text[digits]) != kDigits.npos)
      end = std::min(text.find_first_not_of(kDigits, digits), text.size());
  }
  return text.substr(0, end);
}

/// Numbers with units, each smaller than the one before; nothing for anything else.
std::optional<double> sum_of_parts(std::string_view text) {
  double seconds = 0;
  const TimeUnit* before = nullptr;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::string_view digits = leading_number(text);
    text = trimmed(text.substr(digits.size()));
    const std::string_view name = text.substr(0, std::min(text.find_first_of(" .0123456789"), text.size()));
    text.remove_prefix(name.size());
    const auto number = parse_number(digits);
    const TimeUnit* unit = find_time_unit(name);
    if (!number || unit == nullptr || (before != nullptr && unit <= before)) return std::nullopt;
    seconds += unit->seconds(*number);
    before = unit;
  }
  return before != nullptr ? std::optional(seconds) : std::nullopt;
}

[[noreturn]] void fail(const std::string& text, const std::string& name, std::string_view unit, ZeroLength zero,
                       const Place& place) {
  if (sum_of_parts(text).value_or(0) >= kLongestLength)
    throw InputError(place,
                     fmt::format("{} must be less than 1e15 s (32 million years), not \"{}\"", name, echoed(text)));
  throw InputError(place,
                   fmt::format("{} must be a time {}{} unit d, h, min, s, ms or us, such as 40h, 1h30m or \"1.5 min\", "
                               "not \"{}\"",
                               name, zero == ZeroLength::kAllowed ? "not below 0" : "above 0", unit, echoed(text)));
}

bool is_allowed(double length, ZeroLength zero) { return length > 0 || (length == 0 && zero == ZeroLength::kAllowed); }

bool are_allowed_seconds(double seconds, ZeroLength zero) {
  return is_allowed(seconds, zero) && seconds < kLongestLength;
}

}  // namespace

std::span<const TimeUnit> time_units() {
  static constexpr std::array<TimeUnit, 6> kUnits = {
      {{"d", 86400, 1}, {"h", 3600, 1}, {"min", 60, 1}, {"s", 1, 1}, {"ms", 1, 1e3}, {"us", 1, 1e6}}};
  return kUnits;
}

const TimeUnit* find_time_unit(std::string_view name) {
  if (name == "m") name = "min";
  for (const TimeUnit& unit : time_units())
    if (unit.name == name) return &unit;
  return nullptr;
}

Length parse_length(const std::string& text, const std::string& name, const Place& place, ZeroLength zero) {
  if (const auto number = parse_number(trimmed(text)); number && is_allowed(*number, zero)) return {*number, false};
  if (const auto seconds = sum_of_parts(text); seconds && are_allowed_seconds(*seconds, zero)) return {*seconds, true};
  fail(text, name, ", bare or with its", zero, place);
}

double parse_seconds(const std::string& text, const std::string& name, const Place& place, ZeroLength zero) {
  if (zero == ZeroLength::kAllowed && parse_number(trimmed(text)) == 0.0) return 0;
  if (const auto seconds = sum_of_parts(text); seconds && are_allowed_seconds(*seconds, zero)) return *seconds;
  fail(text, name, " with its", zero, place);
}

LengthFormat LengthFormat::best_for(double seconds) {
  constexpr double kShownAsOne = 1.00005;  // what four digits show as "1 s" is not "1000 ms"
  LengthFormat format;
  for (const TimeUnit& unit : time_units()) {
    format.unit_ = unit;
    const double least = unit.name == "d" ? 10 : unit.multiply > 1 ? 2 : 1;  // "100 h" is what people say
    if (kShownAsOne * seconds >= unit.seconds(least) || (seconds == 0 && unit.name == "s")) break;
  }
  return format;
}

LengthFormat LengthFormat::as_written(const std::string& text, double seconds) {
  const std::string_view written = trimmed(text);
  const TimeUnit* unit = find_time_unit(trimmed(written.substr(leading_number(written).size())));
  if (unit == nullptr || seconds < unit->seconds(1) || seconds > unit->seconds(1e4)) return best_for(seconds);
  LengthFormat format;
  format.unit_ = *unit;
  return format;
}

std::string LengthFormat::operator()(double seconds, int digits) const {
  const double value = seconds * unit_.divide / unit_.multiply;
  const std::string number = to_text(parse_number(fmt::format("{:.{}e}", value, digits - 1)).value_or(value));
  return unit_.name.empty() ? number : fmt::format("{} {}", number, unit_.name);
}

std::string length_text(double seconds, int digits) { return LengthFormat::best_for(seconds)(seconds, digits); }

std::string seconds_text(double seconds) {
  const std::string text = fmt::format("{:.6g} s", seconds);
  const std::string readable = length_text(seconds);
  return readable.ends_with(" s") ? text : fmt::format("{} ({})", text, readable);
}

}  // namespace coterie
