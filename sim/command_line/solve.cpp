#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/solve/problems.hpp"

namespace coterie::sim {
namespace {

std::string cell(const nlohmann::ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return to_text(value.get<double>());
  return value.dump();
}

void print_table(const nlohmann::ordered_json& answer) {
  std::size_t width = 0;
  for (const auto& [key, value] : answer.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : answer.items()) std::cout << fmt::format("{:{}}  {}\n", key, width, cell(value));
}

}  // namespace

int solve_verb(const std::vector<std::string>& arguments) {
  namespace po = boost::program_options;
  Options options("solve PROBLEM.toml [--format table|json]",
                  "Solves one explicit platform: shares, order, and what they are worth.");
  options.add()("format", po::value<std::string>(), "table (default) or json");
  options.positional("PROBLEM.toml", 1, 1);
  if (!options.parse(arguments)) return 0;
  const std::string format = options.choice("format", {"table", "json"});

  TomlTable file = TomlTable::read(options.words().front());
  const std::string name = file.text("problem");
  const auto& table = solvable_problems();
  const auto row = std::find_if(table.begin(), table.end(), [&](const auto& problem) { return problem.name == name; });
  if (row == table.end()) {
    std::vector<std::string> known;
    for (const auto& problem : table) known.push_back(problem.name);
    file.fail("problem", fmt::format("must be {}, not \"{}\"{}", quoted_list(known), name, suggestion(name, known)));
  }
  const nlohmann::ordered_json answer = row->solve(file);
  if (format == "json") {
    std::cout << answer.dump(2) << '\n';
  } else {
    print_table(answer);
  }
  return 0;
}

}  // namespace coterie::sim
