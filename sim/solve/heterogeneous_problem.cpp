#include "sim/solve/heterogeneous_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/heterogeneous/replicated_sharing.hpp"
#include "heuristics/heterogeneous/share_work.hpp"
#include "sim/solve/problem_risk.hpp"
#include "sim/solve/worker_numbers.hpp"

namespace coterie::sim {
namespace {

using heuristics::Deployment;
using heuristics::HeterogeneousProblem;
using heuristics::HeterogeneousSolution;
using heuristics::ReplicationProblem;
using heuristics::Rounds;
using heuristics::SharingMethod;

double positive(TomlTable& table, const std::string& key) {
  const double value = table.number(key);
  if (!(value > 0)) table.fail(key, "must be greater than 0");
  return value;
}

template <class Worker>
Worker read_machine(TomlTable& table) {
  Worker worker;
  worker.speed = positive(table, "speed");
  if (std::isinf(worker.speed)) table.fail("speed", "must be finite");
  worker.bandwidth = positive(table, "bandwidth");
  return worker;
}

heuristics::LinearWorker read_worker(TomlTable& table, const RiskKinds& laws) {
  auto worker = read_machine<heuristics::LinearWorker>(table);
  worker.risk_rate = read_linear_rate(
      table, laws, "the results of heterogeneous-2011 are for linear risk (method = \"replicated\" takes any risk)");
  return worker;
}

/// Index of the text among `words`, the first of which it is where the key is missing.
std::size_t read_choice(TomlTable& file, const std::string& key, const std::vector<std::string>& words) {
  const std::string text = file.text(key, words.front());
  const auto found = std::find(words.begin(), words.end(), text);
  if (found == words.end())
    file.fail(key, fmt::format("must be {}, not \"{}\"{}", quoted_list(words), text, suggestion(text, words)));
  return static_cast<std::size_t>(found - words.begin());
}

Deployment read_deployment(TomlTable& file) {
  return read_choice(file, "deployment", {"forced", "optional"}) == 0 ? Deployment::kForced : Deployment::kOptional;
}

double read_work(TomlTable& file) {
  const double work = file.number("work");
  if (!(work >= 0)) file.fail("work", "must not be negative");
  return work;
}

HeterogeneousProblem read_problem(TomlTable& file, const RiskKinds& laws, SharingMethod method) {
  HeterogeneousProblem problem;
  for (const char* key : {"startup", "chunks", "rounds"})
    if (file.has(key)) file.fail(key, "is a key of method = \"replicated\" only");
  problem.work = read_work(file);
  problem.deployment = read_deployment(file);
  problem.method = method;
  if (problem.deployment == Deployment::kForced && std::isinf(problem.work))
    file.fail("work", "must be finite if all of it has to be deployed (deployment = \"forced\")");
  for (TomlTable& table : read_workers(file)) problem.workers.push_back(read_worker(table, laws));
  if (file.has("order")) problem.order = read_permutation(file, "order", problem.workers.size());
  if (problem.order && problem.method == SharingMethod::kPrintedTheorem4)
    file.fail("order", "cannot be given with method = \"printed-theorem-4\", which orders workers by bandwidth");
  file.finish();
  return problem;
}

/// What `solve` returns; an InputError of its gets the file as its place.
template <class Solve>
auto at_file(const TomlTable& file, Solve solve) {
  try {
    return solve();
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
}

ReplicationProblem read_replication(TomlTable& file, const RiskKinds& laws) {
  ReplicationProblem problem;
  if (file.has("order")) file.fail("order", "cannot be given with method = \"replicated\", which finds its own order");
  problem.work = read_work(file);
  problem.deployment = read_deployment(file);
  problem.startup = file.number("startup", 0);
  if (!(problem.startup >= 0) || std::isinf(problem.startup)) file.fail("startup", "must be finite and not negative");
  problem.rounds = read_choice(file, "rounds", {"one", "several"}) == 0 ? Rounds::kOne : Rounds::kSeveral;
  if (file.has("chunks")) {
    const std::int64_t chunks = file.integer("chunks");
    if (chunks < 1 || chunks > static_cast<std::int64_t>(heuristics::kMostPieces))
      file.fail("chunks", fmt::format("must be from 1 to {}, not {}", heuristics::kMostPieces, chunks));
    if (problem.work > 0) problem.piece_size = problem.work / static_cast<double>(chunks);
  }
  for (TomlTable& table : read_workers(file)) {
    problem.workers.push_back(read_machine<heuristics::RiskyWorker>(table));
    problem.workers.back().risk = read_risk(table, laws);
  }
  file.finish();
  return problem;
}

nlohmann::ordered_json solve_replicated(TomlTable& file, const RiskKinds& laws) {
  const ReplicationProblem problem = read_replication(file, laws);
  const heuristics::ReplicatedPlan solution = at_file(file, [&] { return heuristics::replicate_work(problem); });
  std::vector<double> shares(problem.workers.size(), 0);
  std::vector<std::size_t> order;
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  for (const auto& message : solution.plan.messages) {
    std::vector<std::uint32_t> pieces;
    for (const std::uint32_t piece : message.pieces) {
      shares[message.worker] += solution.plan.piece_sizes[piece];
      pieces.push_back(piece + 1);
    }
    order.push_back(message.worker + 1);
    messages.push_back({{"worker", message.worker + 1}, {"chunks", pieces}});
  }
  nlohmann::ordered_json answer = {
      {"problem", "heterogeneous"},
      {"method", fmt::format("greedy copies by exact expected work, starting from {}; beyond heterogeneous-2011",
                             solution.from_distrib ? "DISTRIB's optimal shares" : "nothing")},
      {"exact", false},
      {"order", order},
      {"shares", shares},
      {"deployed_work", solution.plan.deployed_work()},
      {"expected_work", solution.expected_work},
      {"expected_work_without_copies", nullptr},
      {"chunk_sizes", solution.plan.piece_sizes},
      {"messages", messages}};
  if (solution.distrib_expected_work) answer["expected_work_without_copies"] = *solution.distrib_expected_work;
  return answer;
}

}  // namespace

nlohmann::ordered_json solve_heterogeneous(TomlTable& file, const RiskKinds& laws) {
  const std::size_t method = read_choice(file, "method", {"optimal", "printed-theorem-4", "replicated"});
  if (method == 2) return solve_replicated(file, laws);
  const HeterogeneousProblem problem =
      read_problem(file, laws, method == 0 ? SharingMethod::kOptimal : SharingMethod::kPrintedTheorem4);
  const HeterogeneousSolution solution = at_file(file, [&] { return heuristics::share_work(problem); });
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
