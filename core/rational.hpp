#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace coterie {

using Integer = boost::multiprecision::cpp_int;
using Rational = boost::multiprecision::cpp_rational;

/// "61/135", "-2" or a decimal "0.125", "1e-3" taken at its written value. Nothing if the text is neither, if
/// the denominator is zero, or if a decimal exponent exceeds 400 in absolute value.
std::optional<Rational> parse_rational(std::string_view text);

/// A whole number in digits, or with an exponent: "1e9", "2.5e3". Nothing for anything else, or if it overflows.
std::optional<std::int64_t> parse_whole(std::string_view text);

/// "61/135", or "2" if the value is whole.
std::string to_text(const Rational& value);

/// The nearest double, even if numerator and denominator overflow.
double to_double(const Rational& value);

}  // namespace coterie
