#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie {

/// The name of a row of a table: its member `name`, its `name()`, what it points to, or itself.
template <typename Row>
std::string row_name(const Row& row) {
  if constexpr (std::convertible_to<Row, std::string>) {
    return row;
  } else if constexpr (requires { *row; }) {
    return row_name(*row);
  } else if constexpr (requires { row.name(); }) {
    return row.name();
  } else {
    return row.name;
  }
}

/// In the order of the table.
template <typename Row>
std::vector<std::string> names_in(const std::vector<Row>& table) {
  std::vector<std::string> names;
  for (const Row& row : table) names.push_back(row_name(row));
  return names;
}

/// The row called `name`. Otherwise throws InputError at `place`: unknown `what`, with the nearest name and all names.
template <typename Row>
const Row& find_row(const std::vector<Row>& table, std::string_view name, const char* what, const Place& place) {
  for (const Row& row : table)
    if (row_name(row) == name) return row;
  const std::vector<std::string> names = names_in(table);
  throw InputError(place, fmt::format("unknown {} \"{}\"{}; known are {}", what, echoed(name), suggestion(name, names),
                                      quoted_list(names)));
}

template <typename Row>
const Row& find_row(const std::vector<Row>& table, std::string_view name, const char* what) {
  return find_row(table, name, what, Place());
}

}  // namespace coterie
