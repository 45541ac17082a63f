#pragma once

#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "traces/readers/line_reader.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Reads a file with one JSON object per line, as `jq -c` writes them. There are no comments.
class JsonLines {
 public:
  JsonLines(std::istream& input, const std::string& file) : lines_(input, file, "") {}

  /// Throws E_FIELDS if the line is not an object.
  bool next(nlohmann::json& object);
  std::size_t line() const { return lines_.line(); }
  /// Throws InputError at the current line.
  [[noreturn]] void fail(std::string_view code, const std::string& problem) const { lines_.fail(code, problem); }

  /// The text at a path of keys such as "detail/instance-id". Throws E_FIELDS if there is none.
  std::string text(const nlohmann::json& object, std::string_view path) const;
  /// The time stamp there, in seconds. Throws E_FIELDS, E_NUMBER.
  double time(const nlohmann::json& object, std::string_view path) const;
  /// The same where the object need not have one.
  static std::optional<double> time_if_any(const nlohmann::json& object, std::string_view path);

 private:
  LineReader lines_;
};

/// What is at a path of keys; null if there is nothing.
const nlohmann::json* json_at(const nlohmann::json& object, std::string_view path);

}  // namespace coterie::traces
