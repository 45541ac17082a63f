#include "sim/solve/return_messages_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/text.hpp"
#include "heuristics/return_messages/risk_aware_orders.hpp"
#include "heuristics/return_messages/scenario_program.hpp"
#include "heuristics/return_messages/star_strategies.hpp"
#include "sim/solve/star_diagram.hpp"
#include "sim/solve/worker_numbers.hpp"
#include "sim/solve/worker_risks.hpp"

namespace coterie::sim {
namespace {

using heuristics::Ports;
using heuristics::Scenario;
using heuristics::StarAnswer;
using heuristics::StarPlatform;
using heuristics::StarSharing;
using heuristics::StarStrategy;

constexpr const char* kProblem = "return-messages";
constexpr const char* kRiskAware = "best-expected";
constexpr int kLifespanSteps = 1000;

Ports read_ports(TomlTable& file) {
  const std::string word = file.text("ports", "two");
  if (word != "two" && word != "one") file.fail("ports", fmt::format("must be \"two\" or \"one\", not \"{}\"", word));
  return word == "one" ? Ports::kOne : Ports::kTwo;
}

/// Everything that the file says but the orders.
struct Star {
  Ports ports;
  StarPlatform<Rational> platform;
  std::vector<RiskPtr> risks;        ///< none: nobody is interrupted
  std::optional<Rational> lifespan;  ///< length of the schedule; 1 unless written
};

StarPlatform<Rational> read_platform(std::vector<TomlTable>& workers) {
  StarPlatform<Rational> platform;
  for (TomlTable& table : workers) {
    platform.push_back({read_time(table, "send"), read_time(table, "compute"), read_time(table, "return")});
    const auto& worker = platform.back();
    if (worker.send_time == 0 && worker.compute_time == 0 && worker.return_time == 0)
      table.fail("compute", "must be positive where send and return are zero (the throughput would be infinite)");
  }
  return platform;
}

Star read_star(TomlTable& file, const RiskKinds& laws) {
  const Ports ports = read_ports(file);
  std::vector<TomlTable> workers = read_workers(file);
  Star star{ports, read_platform(workers), read_worker_risks(file, workers, laws), std::nullopt};
  if (file.has("lifespan")) {
    star.lifespan = file.rational("lifespan");
    if (*star.lifespan <= 0) file.fail("lifespan", fmt::format("must be positive, not {}", to_text(*star.lifespan)));
  }
  return star;
}

const StarStrategy* read_strategy(TomlTable& file) {
  const std::string name = file.text("strategy");
  if (name == kRiskAware) return nullptr;
  std::vector<std::string> known;
  for (const StarStrategy& row : heuristics::star_strategies()) {
    if (row.name == name) return &row;
    known.push_back(row.name);
  }
  known.push_back(kRiskAware);
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

/// The answer, and what a picture of it needs.
struct Solved {
  nlohmann::ordered_json json;
  StarPlatform<double> platform;
  StarSharing<double> sharing;
  Ports ports;
  double lifespan;
};

StarSharing<double> to_doubles(const StarSharing<double>& sharing) { return sharing; }

StarSharing<double> to_doubles(const StarSharing<Rational>& sharing) {
  StarSharing<double> result{sharing.scenario, {}, to_double(sharing.throughput)};
  for (const Rational& share : sharing.shares) result.shares.push_back(to_double(share));
  return result;
}

void add_interruptions(nlohmann::ordered_json& json, const Star& star, const Solved& solved) {
  add_returns(json, heuristics::return_plan(solved.platform, solved.sharing, solved.lifespan), star.risks);
  const double best =
      heuristics::best_lifespan(solved.platform, solved.sharing, solved.lifespan, kLifespanSteps, star.risks);
  json["best_lifespan"] = best;
  json["best_lifespan_expected_work"] =
      heuristics::expected_returned_work(solved.platform, solved.sharing, best, star.risks);
}

/// Those that get work. In doubles a share may be too small to be told from 0; others are 0 only where some worker
/// computes in no time.
template <class Number, class Exact>
Scenario enrolled_workers(const StarPlatform<Exact>& platform, const StarSharing<Number>& sharing) {
  const bool may_be_idle = !std::is_same_v<Number, double> ||
                           std::ranges::any_of(platform, [](const auto& worker) { return worker.compute_time == 0; });
  return may_be_idle ? heuristics::without_idle_workers(sharing.scenario, sharing.shares) : sharing.scenario;
}

template <class Number>
Solved solved(const Star& star, const StarAnswer<Number>& answer) {
  nlohmann::ordered_json json = head(answer.method, answer.proven);
  json["throughput"] = to_doubles(answer.sharing).throughput;
  if constexpr (std::is_same_v<Number, Rational>) {
    json["throughput_exact"] = to_text(answer.sharing.throughput);
  }
  const Scenario enrolled = enrolled_workers(star.platform, answer.sharing);
  json["send"] = numbers_from_one(enrolled.send_order);
  json["return"] = numbers_from_one(enrolled.return_order);
  add_values(json, "shares", answer.sharing.shares);
  Solved result{{},
                heuristics::to_doubles(star.platform),
                to_doubles(answer.sharing),
                star.ports,
                star.lifespan ? to_double(*star.lifespan) : 1};
  if (star.lifespan || !star.risks.empty()) {
    json["lifespan"] = result.lifespan;
    json["work"] = result.lifespan * result.sharing.throughput;
  }
  if (!star.risks.empty()) add_interruptions(json, star, result);
  result.json = std::move(json);
  return result;
}

template <class Number>
StarAnswer<Number> solve_orders(const StarPlatform<Number>& platform, const Scenario& scenario, Ports ports) {
  constexpr bool kExact = std::is_same_v<Number, Rational>;
  const std::size_t workers = scenario.send_order.size();
  std::string method = fmt::format("linear program of the given orders (return-messages-2005 Section 2.2){}",
                                   ports == Ports::kOne ? ", one port" : "");
  if (!kExact)
    method += fmt::format(", {}, up to about {:.0e} of the throughput below the optimum",
                          workers > heuristics::kDenseScenarioWorkers ? "by CLP" : "in doubles",
                          heuristics::scenario_tolerance(workers) * static_cast<double>(workers));
  return {heuristics::solve_scenario(platform, scenario, ports), std::move(method), kExact};
}

StarAnswer<double> best_expected(TomlTable& file, const Star& star) {
  if (star.risks.empty())
    file.fail("strategy",
              fmt::format("\"{}\" needs risks: write risk = ... at the top or in each [[worker]]", kRiskAware));
  if (star.platform.size() > heuristics::kRiskAwareWorkers)
    file.fail("strategy", fmt::format("\"{}\" searches orders of at most {} workers, not {}", kRiskAware,
                                      heuristics::kRiskAwareWorkers, star.platform.size()));
  auto found = heuristics::best_expected_sharing(heuristics::to_doubles(star.platform), star.ports,
                                                 star.lifespan ? to_double(*star.lifespan) : 1, star.risks);
  return {
      std::move(found.sharing),
      fmt::format(
          "greatest exact expectation of returned work over {}, each with one sharing of greatest "
          "throughput and the one without idle time{}",
          found.proven ? "all pairs of orders and enrolled workers"
                       : "pairs of orders and enrolled workers (local search, not proven optimal)",
          star.ports == Ports::kOne ? " (or where that overfills the one port all shares shrunk alike), one port" : ""),
      false};  // other sharings may have the same throughput, and return more
}

Solved solve_file(TomlTable& file, const RiskKinds& laws) {
  const Star star = read_star(file, laws);
  if (file.has("strategy")) {
    for (const char* key : {"send", "return"})
      if (file.has(key)) file.fail(key, "and \"strategy\" exclude each other: the strategy chooses the orders");
    const StarStrategy* strategy = read_strategy(file);
    file.finish();
    if (strategy == nullptr) return solved(star, best_expected(file, star));
    try {
      if (const auto exact = strategy->exact(star.platform, star.ports)) return solved(star, *exact);
      return solved(star, strategy->rounded(heuristics::to_doubles(star.platform), star.ports));
    } catch (const InputError& error) {
      file.fail("strategy", fmt::format("\"{}\" cannot be used: {}", strategy->name, error.what()));
    }
  }
  if (!file.has("send") && !file.has("return")) read_strategy(file);  // says that it is missing
  const Scenario scenario = read_scenario(file, star.platform.size());
  file.finish();
  if (scenario.send_order.size() <= heuristics::kExactScenarioWorkers)
    return solved(star, solve_orders(star.platform, scenario, star.ports));
  return solved(star, solve_orders(heuristics::to_doubles(star.platform), scenario, star.ports));
}

}  // namespace

nlohmann::ordered_json solve_return_messages(TomlTable& file, const RiskKinds& laws) {
  return solve_file(file, laws).json;
}

TimingDiagram draw_return_messages(TomlTable& file, const RiskKinds& laws) {
  constexpr std::size_t kLongestFraction = 60;  // a longer one would not fit into the picture
  const Solved solved = solve_file(file, laws);
  std::string throughput = solved.json.value("throughput_exact", "");
  if (throughput.empty() || throughput.size() > kLongestFraction) throughput = to_text(solved.sharing.throughput);
  return star_diagram(solved.platform, solved.sharing, solved.ports, solved.lifespan,
                      "return-messages: throughput " + throughput);
}

}  // namespace coterie::sim
