#include "sim/solve/one_worker_problem.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "sim/solve/initiation_answer.hpp"
#include "sim/solve/problem_risk.hpp"

namespace coterie::sim {
namespace {

struct ChunkSizes {
  std::string name;
  heuristics::OneWorkerSolution (*solve)(const heuristics::OneWorkerProblem& problem);
};

const std::vector<ChunkSizes>& chunk_sizes_table() {
  static const std::vector<ChunkSizes> table = {{"optimal", heuristics::optimal_chunks},
                                                {"equal-chunks", heuristics::equal_chunks}};
  return table;
}

InitiationCase known_of(const heuristics::OneWorkerProblem& problem, const heuristics::OneWorkerSolution& solution) {
  InitiationCase known;
  known.startup = problem.startup;
  known.expected_work = solution.expected_work;
  known.bound = known.free_bound = solution.upper_bound;
  known.is_optimal = solution.exact;
  known.distinct_chunks = solution.chunk_sizes.size();
  if (problem.chunks) known.most_distinct = static_cast<std::size_t>(*problem.chunks);
  return known;
}

}  // namespace

nlohmann::ordered_json solve_one_worker(TomlTable& file, const RiskKinds& laws) {
  heuristics::OneWorkerProblem problem;
  problem.work = file.number("work");
  if (!(problem.work >= 0)) file.fail("work", "must not be negative");
  if (file.has("chunks")) {
    problem.chunks = file.integer("chunks");
    if (*problem.chunks < 1) file.fail("chunks", "must be at least 1");
  }
  problem.startup = file.number("startup", 0);
  if (!(problem.startup >= 0)) file.fail("startup", "must not be negative");
  const std::optional<double> charged_startup = read_charged_startup(file, problem.startup);
  problem.risk = read_risk(file, laws);
  const std::string name = file.text("shape", chunk_sizes_table().front().name);
  const ChunkSizes* shape = nullptr;
  std::vector<std::string> known;
  for (const ChunkSizes& row : chunk_sizes_table()) {
    known.push_back(row.name);
    if (row.name == name) shape = &row;
  }
  if (shape == nullptr)
    file.fail("shape", fmt::format("must be {}, not \"{}\"{}", quoted_list(known), name, suggestion(name, known)));
  file.finish();

  heuristics::OneWorkerSolution solution;
  try {
    solution = shape->solve(problem);
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
  return {{"problem", "one-worker"},
          {"method", solution.method},
          {"exact", solution.exact},
          {"chunk_sizes", solution.chunk_sizes},
          {"deployed_work", solution.deployed_work},
          {"expected_work", solution.expected_work},
          {"expected_work_bound", solution.upper_bound},
          {"theorem_1", theorem_1_answer(known_of(problem, solution), charged_startup)}};
}

}  // namespace coterie::sim
