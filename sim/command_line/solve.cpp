#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/drawing/timing_diagram.hpp"
#include "sim/input/json_text.hpp"
#include "sim/solve/background_problem.hpp"
#include "sim/solve/observed_rates.hpp"
#include "sim/solve/problems.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {
namespace {

std::string cell(const nlohmann::ordered_json& value) {
  if (value.is_string()) return printable(value.get<std::string>());
  if (value.is_number_float()) return to_text(value.get<double>());
  return value.dump();
}

void print_answer(const nlohmann::ordered_json& answer) {
  std::size_t width = 0;
  for (const auto& [key, value] : answer.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : answer.items()) std::cout << fmt::format("{:{}}  {}\n", key, width, cell(value));
}

void print(const nlohmann::ordered_json& answer, const std::string& format) {
  if (format == "json") {
    std::cout << json_text(answer) << '\n';
  } else {
    print_answer(answer);
  }
}

/// Puts estimated rates into a problem file as "arrival" and "service", which the file itself must leave out.
void plan_by(const ObservedRates& rates, TomlTable& file) {
  if (file.text("problem") != "background")
    throw InputError(file.place("problem"),
                     "--estimate gives rates of background jobs; it goes with problem = "
                     "\"background\"");
  if (!plans_by_law(file))
    throw InputError(
        file.place("method"),
        "--estimate: the methods \"exact\" (default) and \"no-background\" use no rates of background jobs; "
        "write method = \"simulation\", or another that does");
  for (const char* key : {"arrival", "service"})
    if (file.has(key)) file.fail(key, "is estimated by --estimate; leave it out of the file");
  file.set("arrival", fmt::format("{:.17g}", rates.arrival.used), rates.arrival_place);
  file.set("service", fmt::format("{:.17g}", rates.service.used), rates.service_place);
}

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const SolvableProblem& problem : solvable_problems()) names.push_back(problem.name);
  return names;
}

std::string summary() {
  std::string text =
      "Solves one explicit platform: shares, order and their value.\n\nPROBLEM.toml has problem = \"NAME\" and the "
      "keys of that problem:";
  for (const SolvableProblem& problem : solvable_problems())
    text += fmt::format("\n  {}: {}.\n    Keys: {}.", problem.name, problem.summary, problem.keys);
  return text;
}

}  // namespace

int solve_verb(const Call& call) {
  namespace po = boost::program_options;
  Options options("solve [PROBLEM.toml] [--estimate FILE.toml] [--format table|json|svg]", summary());
  options.add()("format", po::value<std::string>(), "table (default), json, or svg: a timing diagram");
  options.add()("estimate", po::value<std::string>(),
                "observed background jobs (arrival_times or inter_arrivals, services): estimates their rates by "
                "time-varying-2019 (10) and (11), and uses them in PROBLEM.toml, if given, as arrival and service");
  options.positional("PROBLEM.toml", 0, 1);
  options.propose("format", {"table", "json", "svg"});
  options.file("estimate", {".toml"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  if (options.words().empty() && !options.has("estimate"))
    throw InputError("PROBLEM.toml or --estimate FILE.toml is missing");
  std::optional<ObservedRates> rates;
  if (options.has("estimate")) {
    TomlTable observations = TomlTable::read(options.text("estimate"));
    rates = read_observed_rates(observations);
  }
  if (options.words().empty()) {
    if (format == "svg") throw InputError("--format svg: estimated rates have no timing diagram; use table or json");
    print(describe(*rates), format);
    return 0;
  }

  TomlTable file = TomlTable::read(options.words().front());
  if (!file.has("problem"))
    throw InputError(file.place(),
                     fmt::format("\"problem\" is missing: write problem = {}{}", quoted_list(problem_names()),
                                 file.has("strategies") ? " (a campaign is run by coterie run)" : ""));
  const Place place = file.place("problem");
  const std::string problem = file.text("problem");
  const SolvableProblem& row = find_row(solvable_problems(), problem, "problem", place);
  if (rates) plan_by(*rates, file);
  if (format == "svg") {
    if (row.draw == nullptr)
      throw InputError(place,
                       fmt::format("\"{}\" has no timing diagram for --format svg; use table or json", row.name));
    std::cout << timing_diagram_svg(row.draw(file, call.catalogue.risks()));
    return 0;
  }
  nlohmann::ordered_json answer = row.solve(file, call.catalogue.risks());
  if (rates) answer["estimate"] = describe(*rates);
  print(answer, format);
  return 0;
}

}  // namespace coterie::sim
