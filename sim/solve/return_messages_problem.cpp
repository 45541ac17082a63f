#include "sim/solve/return_messages_problem.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

#include "core/text.hpp"
#include "heuristics/scenario_program.hpp"
#include "heuristics/star_strategies.hpp"
#include "sim/solve/worker_numbers.hpp"

namespace coterie::sim {
namespace {

using heuristics::Ports;
using heuristics::Scenario;
using heuristics::StarAnswer;
using heuristics::StarPlatform;
using heuristics::StarStrategy;

constexpr const char* kProblem = "return-messages";

Ports read_ports(TomlTable& file) {
  const std::string word = file.text("ports", "two");
  if (word != "two" && word != "one") file.fail("ports", fmt::format("must be \"two\" or \"one\", not \"{}\"", word));
  return word == "one" ? Ports::kOne : Ports::kTwo;
}

StarPlatform<Rational> read_platform(TomlTable& file) {
  StarPlatform<Rational> platform;
  for (TomlTable& table : read_workers(file)) {
    platform.push_back({read_time(table, "send"), read_time(table, "compute"), read_time(table, "return")});
    const auto& worker = platform.back();
    if (worker.send_time == 0 && worker.compute_time == 0 && worker.return_time == 0)
      table.fail("compute", "must be positive where send and return are zero (the throughput would be infinite)");
  }
  return platform;
}

const StarStrategy& read_strategy(TomlTable& file) {
  const std::string name = file.text("strategy");
  std::vector<std::string> known;
  for (const StarStrategy& row : heuristics::star_strategies()) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  file.fail("strategy", fmt::format("must be {}, not \"{}\"{}", quoted_list(known), name, suggestion(name, known)));
}

Scenario read_scenario(TomlTable& file, std::size_t workers) {
  Scenario scenario{read_order(file, "send", workers), read_order(file, "return", workers)};
  if (scenario.send_order.empty()) file.fail("send", "must name at least one worker");
  if (!std::is_permutation(scenario.send_order.begin(), scenario.send_order.end(), scenario.return_order.begin(),
                           scenario.return_order.end()))
    file.fail("return", "must name the same workers as \"send\"");
  return scenario;
}

nlohmann::ordered_json head(const std::string& method, bool exact) {
  return {{"problem", kProblem}, {"method", method}, {"exact", exact}};
}

template <class Number>
nlohmann::ordered_json answer_of(const StarAnswer<Number>& answer) {
  nlohmann::ordered_json json = head(answer.method, answer.proven);
  if constexpr (std::is_same_v<Number, double>) {
    json["throughput"] = answer.sharing.throughput;
  } else {
    json["throughput"] = to_double(answer.sharing.throughput);
    json["throughput_exact"] = to_text(answer.sharing.throughput);
  }
  json["send"] = numbers_from_one(answer.sharing.scenario.send_order);
  json["return"] = numbers_from_one(answer.sharing.scenario.return_order);
  add_values(json, "shares", answer.sharing.shares);
  return json;
}

template <class Number>
StarAnswer<Number> solve_orders(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports) {
  return {heuristics::solve_scenario(platform, scenario, ports),
          fmt::format("linear program of the given orders (return-messages-2005 Section 2.2){}",
                      ports == Ports::kOne ? ", one port" : ""),
          true};
}

}  // namespace

nlohmann::ordered_json solve_return_messages(TomlTable& file) {
  const Ports ports = read_ports(file);
  const StarPlatform<Rational> platform = read_platform(file);
  if (file.has("strategy")) {
    for (const char* key : {"send", "return"})
      if (file.has(key)) file.fail(key, "and \"strategy\" exclude each other: the strategy chooses the orders");
    const StarStrategy& strategy = read_strategy(file);
    file.finish();
    if (const auto exact = strategy.exact(platform, ports)) return answer_of(*exact);
    return answer_of(strategy.rounded(heuristics::to_doubles(platform), ports));
  }
  if (!file.has("send") && !file.has("return")) read_strategy(file);  // says that it is missing
  const Scenario scenario = read_scenario(file, platform.size());
  file.finish();
  if (scenario.send_order.size() <= heuristics::kExactScenarioWorkers)
    return answer_of(solve_orders(platform, scenario, ports));
  return answer_of(solve_orders(heuristics::to_doubles(platform), scenario, ports));
}

}  // namespace coterie::sim
