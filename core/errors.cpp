#include "core/errors.hpp"

#include <fmt/format.h>

namespace coterie {

std::string Place::text() const {
  if (line == 0) return file;
  if (column == 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, column);
}

InputError::InputError(const Place& place, const std::string& problem)
    : std::runtime_error(place.file.empty() ? problem : place.text() + ": " + problem) {}

}  // namespace coterie
