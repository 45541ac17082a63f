#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie {

/// The row called `name` of a table whose rows have a member `name`. Throws InputError at `place`: unknown `what`, with
/// the nearest name and all that are known.
template <typename Row>
const Row& find_row(const std::vector<Row>& table, const std::string& name, const char* what, const Place& place = {}) {
  for (const Row& row : table)
    if (row.name == name) return row;
  std::vector<std::string> names;
  for (const Row& row : table) names.push_back(row.name);
  throw InputError(place, fmt::format("unknown {} \"{}\"{}; known are {}", what, echoed(name), suggestion(name, names),
                                      quoted_list(names)));
}

}  // namespace coterie
