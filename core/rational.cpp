#include "core/rational.hpp"

#include <algorithm>
#include <limits>

#include "core/text.hpp"

namespace coterie {
namespace {

constexpr int kGreatestExponent = 400;

Integer power_of_ten(int exponent) { return boost::multiprecision::pow(Integer(10), static_cast<unsigned>(exponent)); }

std::optional<Rational> parse_decimal(std::string_view text) {
  if (!parse_number(text)) return std::nullopt;
  bool negative = false;
  if (text[0] == '+' || text[0] == '-') {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  std::int64_t exponent = 0;
  if (const std::size_t at = text.find_first_of("eE"); at != std::string_view::npos) {
    const auto written = parse_integer(text.substr(at + 1));
    if (!written || std::abs(*written) > kGreatestExponent) return std::nullopt;
    exponent = *written;
    text = text.substr(0, at);
  }
  Integer digits = 0;
  bool fraction = false;
  for (const char c : text) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    digits = digits * 10 + (c - '0');
    if (fraction) --exponent;
  }
  if (negative) digits = -digits;
  if (std::abs(exponent) > 10 * kGreatestExponent) return std::nullopt;
  if (exponent >= 0) return Rational(digits * power_of_ten(static_cast<int>(exponent)));
  return Rational(digits, power_of_ten(static_cast<int>(-exponent)));
}

}  // namespace

std::optional<Rational> parse_rational(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_decimal(text);
  const auto numerator = parse_decimal(trimmed(text.substr(0, slash)));
  const auto denominator = parse_decimal(trimmed(text.substr(slash + 1)));
  if (!numerator || !denominator || *denominator == 0) return std::nullopt;
  return *numerator / *denominator;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  const auto value = parse_decimal(text);
  if (!value || denominator(*value) != 1) return std::nullopt;
  if (abs(*value) > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return numerator(*value).convert_to<std::int64_t>();
}

std::string to_text(const Rational& value) { return value.str(); }

double to_double(const Rational& value) { return value.convert_to<double>(); }

}  // namespace coterie
