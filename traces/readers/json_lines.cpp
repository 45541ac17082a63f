#include "traces/readers/json_lines.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie::traces {

const nlohmann::json* json_at(const nlohmann::json& object, std::string_view path) {
  const nlohmann::json* at = &object;
  for (const std::string_view key : split(path, '/')) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(std::string(key));
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

bool JsonLines::next(nlohmann::json& object) {
  std::string_view line;
  if (!lines_.next(line)) return false;
  // The parser would stop at a zero byte, whatever follows.
  if (line.find('\0') == std::string_view::npos) object = nlohmann::json::parse(line, nullptr, false);
  if (line.find('\0') != std::string_view::npos || !object.is_object())
    fail("E_FIELDS", "the line is not a JSON object; write one per line, as jq -c does");
  return true;
}

std::string JsonLines::text(const nlohmann::json& object, std::string_view path) const {
  const nlohmann::json* found = json_at(object, path);
  if (found == nullptr || !found->is_string() || found->get_ref<const std::string&>().empty())
    fail("E_FIELDS", fmt::format("{} is missing or not text", path));
  return found->get<std::string>();
}

double JsonLines::time(const nlohmann::json& object, std::string_view path) const {
  const std::string stamp = text(object, path);
  const auto time = time_if_any(object, path);
  if (!time)
    fail("E_NUMBER", fmt::format("{} is \"{}\", which is not a time stamp with an offset or Z", path, echoed(stamp)));
  return *time;
}

std::optional<double> JsonLines::time_if_any(const nlohmann::json& object, std::string_view path) {
  const nlohmann::json* found = json_at(object, path);
  if (found == nullptr || !found->is_string()) return std::nullopt;
  const auto& stamp = found->get_ref<const std::string&>();
  return is_calendar_time(stamp) ? parse_time_stamp(stamp, TimeUnit{}) : std::nullopt;
}

}  // namespace coterie::traces
