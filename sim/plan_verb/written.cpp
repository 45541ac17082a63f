#include "sim/plan_verb/written.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace coterie::sim {

std::string WrittenOptions::option(const std::string& key) const {
  static const std::map<std::string, std::string> others = {{"count", "machines"},
                                                            {"format", "trace-format"},
                                                            {"options", "option"},
                                                            {"policy", "strategy"},
                                                            {"runs", "instances"}};
  if (const auto found = others.find(key); found != others.end()) return found->second;
  std::string name = key;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

std::vector<std::string> WrittenOptions::texts(const std::string& key) {
  return key == "options" ? options_.texts(option(key)) : std::vector{text(key)};
}

const TomlTable* WrittenTables::find(const std::string& key) const {
  const TomlTable* found = nullptr;
  for (const TomlTable& table : tables_) {
    if (!table.has(key)) {
      TomlTable(table).text(key, "");  // so that messages about others may suggest it
      continue;
    }
    if (found != nullptr) table.fail(key, "given twice: once at the top and once in a table");
    found = &table;
  }
  return found;
}

TomlValue WrittenTables::value(const std::string& key) const { return TomlTable(*find(key)).value(key); }

std::string WrittenTables::text(const std::string& key) {
  const TomlValue found = value(key);
  if (found.kind == TomlValue::Kind::kList || found.kind == TomlValue::Kind::kTable)
    throw InputError(found.place, fmt::format("{} must be one value, not a {}", key,
                                              found.kind == TomlValue::Kind::kList ? "list" : "table"));
  return found.text;
}

std::vector<std::string> WrittenTables::texts(const std::string& key) {
  const TomlValue found = value(key);
  if (found.kind != TomlValue::Kind::kList) return {text(key)};
  std::vector<std::string> texts;
  for (const TomlValue& one : found.list) texts.push_back(one.text);
  return texts;
}

Place WrittenTables::place(const std::string& key) const {
  const TomlTable* table = find(key);
  return table == nullptr ? tables_.front().place() : table->place(key);
}

}  // namespace coterie::sim
