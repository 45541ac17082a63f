#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie {

/// number := [+-]? (digits [. digits?] | . digits) ([eE][+-]?digits)?   The whole text must match.
/// No nan, inf, hexadecimal, blanks or locale; nothing if the value overflows a double.
std::optional<double> parse_number(std::string_view text);

/// A whole number in decimal digits with an optional sign; nothing if it overflows.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Shortest text that reads back as the same double ("0.1", "3", "inf").
std::string to_text(double value);

std::string_view trimmed(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);

/// ` (did you mean "workers"?)` for the known word nearest to `word`, or "" if none is near: fewer than half of the
/// letters differ, in a word of up to three letters at most one.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

/// `"a", "b" or "c"`, for messages.
std::string quoted_list(const std::vector<std::string>& words);

/// "1 spell", "3 spells"; `many`: the plural, if it is not `one` with an s.
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

}  // namespace coterie
