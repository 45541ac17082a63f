#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/rational.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// What the problems with explicit workers share: users count workers from 1, the code from 0.

/// The [[worker]] tables; throws InputError if there is none.
std::vector<TomlTable> read_workers(TomlTable& file);

/// A finite number of zero or more, with its exact written value.
Rational read_time(TomlTable& table, const std::string& key);
Rational read_time(TomlTable& table, const std::string& key, const Rational& otherwise);

/// A list of distinct worker numbers from 1 to `workers`, as indices from 0.
std::vector<std::size_t> read_order(TomlTable& file, const std::string& key, std::size_t workers);

/// The same, of all workers.
std::vector<std::size_t> read_permutation(TomlTable& file, const std::string& key, std::size_t workers);

nlohmann::ordered_json numbers_from_one(const std::vector<std::size_t>& order);

/// json[key]: the numbers; with Rational also json[key + "_exact"]: the fractions as text.
void add_values(nlohmann::ordered_json& json, const std::string& key, const std::vector<double>& values);
void add_values(nlohmann::ordered_json& json, const std::string& key, const std::vector<Rational>& values);

}  // namespace coterie::sim
