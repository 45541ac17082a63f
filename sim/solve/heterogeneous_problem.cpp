#include "sim/solve/heterogeneous_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/heterogeneous.hpp"
#include "sim/solve/problem_risk.hpp"

namespace coterie::sim {
namespace {

using heuristics::Deployment;
using heuristics::HeterogeneousProblem;
using heuristics::HeterogeneousSolution;
using heuristics::SharingMethod;

double positive(TomlTable& table, const std::string& key) {
  const double value = table.number(key);
  if (!(value > 0)) table.fail(key, "must be greater than 0");
  return value;
}

heuristics::LinearWorker read_worker(TomlTable& table) {
  heuristics::LinearWorker worker;
  worker.speed = positive(table, "speed");
  if (std::isinf(worker.speed)) table.fail("speed", "must be finite");
  worker.bandwidth = positive(table, "bandwidth");
  worker.risk_rate = read_linear_rate(table, "the results of heterogeneous-2011 are for linear risk");
  return worker;
}

std::vector<std::size_t> read_order(TomlTable& file, std::size_t workers) {
  std::vector<std::size_t> order;
  std::vector<bool> seen(workers, false);
  for (const std::int64_t number : file.integers("order")) {
    if (number < 1 || number > static_cast<std::int64_t>(workers))
      file.fail("order", fmt::format("workers are numbered from 1 to {}; there is no {}", workers, number));
    const auto index = static_cast<std::size_t>(number - 1);
    if (seen[index]) file.fail("order", fmt::format("names worker {} twice", number));
    seen[index] = true;
    order.push_back(index);
  }
  if (order.size() != workers)
    file.fail("order", fmt::format("must name each of the {} workers once, not {}", workers, order.size()));
  return order;
}

HeterogeneousProblem read_problem(TomlTable& file) {
  HeterogeneousProblem problem;
  problem.work = file.number("work");
  if (!(problem.work >= 0)) file.fail("work", "must not be negative");
  const std::string deployment = file.text("deployment", "forced");
  if (deployment != "forced" && deployment != "optional")
    file.fail("deployment", fmt::format("must be \"forced\" or \"optional\", not \"{}\"", deployment));
  problem.deployment = deployment == "forced" ? Deployment::kForced : Deployment::kOptional;
  if (problem.deployment == Deployment::kForced && std::isinf(problem.work))
    file.fail("work", "must be finite where all of it has to be deployed (deployment = \"forced\")");
  const std::string method = file.text("method", "optimal");
  if (method != "optimal" && method != "printed-theorem-4")
    file.fail("method", fmt::format("must be \"optimal\" or \"printed-theorem-4\", not \"{}\"", method));
  problem.method = method == "optimal" ? SharingMethod::kOptimal : SharingMethod::kPrintedTheorem4;
  for (TomlTable& table : file.tables("worker")) problem.workers.push_back(read_worker(table));
  if (problem.workers.empty()) throw InputError(file.place(), "at least one [[worker]] table is needed");
  if (file.has("order")) problem.order = read_order(file, problem.workers.size());
  if (problem.order && problem.method == SharingMethod::kPrintedTheorem4)
    file.fail("order", "cannot be imposed with method = \"printed-theorem-4\", which serves by bandwidth");
  file.finish();
  return problem;
}

}  // namespace

nlohmann::ordered_json solve_heterogeneous(TomlTable& file) {
  const HeterogeneousProblem problem = read_problem(file);
  HeterogeneousSolution solution;
  try {
    solution = heuristics::share_work(problem);
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
  std::vector<std::size_t> order;
  for (const std::size_t index : solution.order) order.push_back(index + 1);
  nlohmann::ordered_json answer = {{"problem", "heterogeneous"},
                                   {"method", solution.method},
                                   {"exact", solution.exact},
                                   {"order", order},
                                   {"shares", solution.shares},
                                   {"deployed_work", solution.deployed_work},
                                   {"expected_work", solution.expected_work},
                                   {"loss_factor", solution.loss_factor}};
  if (solution.sacrificed) answer["sacrificed_worker"] = *solution.sacrificed + 1;
  return answer;
}

}  // namespace coterie::sim
