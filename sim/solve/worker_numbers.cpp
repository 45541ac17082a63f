#include "sim/solve/worker_numbers.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

namespace coterie::sim {

std::vector<TomlTable> read_workers(TomlTable& file) {
  std::vector<TomlTable> workers = file.tables("worker");
  if (workers.empty()) file.fail("worker", "is missing: write one [[worker]] table for each worker");
  return workers;
}

Rational read_time(TomlTable& table, const std::string& key) {
  Rational value = table.rational(key);
  if (value < 0) table.fail(key, fmt::format("must be zero or more, not {}", to_text(value)));
  return value;
}

Rational read_time(TomlTable& table, const std::string& key, const Rational& otherwise) {
  if (table.has(key)) return read_time(table, key);
  table.number(key, 0);  // the key is known, so that a misspelt one finds it
  return otherwise;
}

std::vector<std::size_t> read_order(TomlTable& file, const std::string& key, std::size_t workers) {
  std::vector<std::size_t> order;
  std::set<std::int64_t> seen;
  for (const std::int64_t number : file.integers(key)) {
    if (number < 1 || number > static_cast<std::int64_t>(workers))
      file.fail(key, fmt::format("names worker {}; workers are numbered from 1 to {}", number, workers));
    if (!seen.insert(number).second) file.fail(key, fmt::format("names worker {} twice", number));
    order.push_back(static_cast<std::size_t>(number - 1));
  }
  return order;
}

std::vector<std::size_t> read_permutation(TomlTable& file, const std::string& key, std::size_t workers) {
  std::vector<std::size_t> order = read_order(file, key, workers);
  if (order.size() != workers)
    file.fail(key, fmt::format("must name each of the {} workers once, not {}", workers, order.size()));
  return order;
}

nlohmann::ordered_json numbers_from_one(const std::vector<std::size_t>& order) {
  nlohmann::ordered_json numbers = nlohmann::ordered_json::array();
  for (const std::size_t worker : order) numbers.push_back(worker + 1);
  return numbers;
}

void add_values(nlohmann::ordered_json& json, const std::string& key, const std::vector<double>& values) {
  json[key] = values;
}

void add_values(nlohmann::ordered_json& json, const std::string& key, const std::vector<Rational>& values) {
  json[key] = nlohmann::ordered_json::array();
  json[key + "_exact"] = nlohmann::ordered_json::array();
  for (const Rational& value : values) {
    json[key].push_back(to_double(value));
    json[key + "_exact"].push_back(to_text(value));
  }
}

}  // namespace coterie::sim
