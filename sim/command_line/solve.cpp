#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

#include "core/errors.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/solve/problems.hpp"
#include "sim/timing_diagram.hpp"

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
  Options options("solve PROBLEM.toml [--format table|json|svg]",
                  "Solves one explicit platform: shares, order, and what they are worth.");
  options.add()("format", po::value<std::string>(), "table (default), json, or svg: a picture of who does what when");
  options.positional("PROBLEM.toml", 1, 1);
  if (!options.parse(arguments)) return 0;
  const std::string format = options.choice("format", {"table", "json", "svg"});

  TomlTable file = TomlTable::read(options.words().front());
  const SolvableProblem& row = find_row(solvable_problems(), file.text("problem"), "problem", file.place("problem"));
  if (format == "svg") {
    if (row.draw == nullptr)
      throw InputError(fmt::format("--format svg: problem \"{}\" has no timing diagram; use table or json", row.name));
    std::cout << timing_diagram_svg(row.draw(file));
    return 0;
  }
  const nlohmann::ordered_json answer = row.solve(file);
  if (format == "json") {
    std::cout << answer.dump(2) << '\n';
  } else {
    print_table(answer);
  }
  return 0;
}

}  // namespace coterie::sim
