#include "sim/solve/listening_workers_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/ceilings/listening_ceiling.hpp"
#include "heuristics/ceilings/own_clocks.hpp"
#include "heuristics/ceilings/sequential_value.hpp"
#include "sim/solve/worker_numbers.hpp"
#include "sim/solve/worker_risks.hpp"

namespace coterie::sim {
namespace {

using heuristics::ListeningProblem;

constexpr double kMostSteps = 400;  // the time grows with their square

ListeningProblem read_listening_workers(TomlTable& file, const RiskKinds& laws) {
  ListeningProblem problem;
  problem.work = file.number("work");
  if (!(problem.work > 0 && std::isfinite(problem.work))) file.fail("work", "must be above 0, and finite");
  problem.startup_cost = file.number("startup", 0);
  problem.step = file.number("step", problem.work / 100);
  if (problem.step > 0 && problem.work / problem.step > kMostSteps * (1 + 1e-9))
    file.fail("step", fmt::format("is too short for work = {}: at most {} steps", to_text(problem.work), kMostSteps));
  std::vector<TomlTable> workers = read_workers(file);
  problem.risks = read_worker_risks(file, workers, laws);
  if (problem.risks.empty())
    file.fail("risk", "is missing: write it at the top of the file for all workers, or in each [[worker]]");
  file.finish();
  return problem;
}

/// Nothing if it has too many states, which is all that can be wrong with a problem that sequential_value takes.
std::optional<double> own_clocks(const ListeningProblem& problem) {
  try {
    return heuristics::own_clocks_optimum(problem);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

double bound_of(const ListeningProblem& problem) {
  heuristics::WorksharingProblem same{
      problem.risks.size(), problem.work, problem.startup_cost, problem.risks.front(), 1, 0};
  same.worker_risks = problem.risks;
  return heuristics::listening_ceiling(same);
}

}  // namespace

nlohmann::ordered_json solve_listening_workers(TomlTable& file, const RiskKinds& laws) {
  const ListeningProblem problem = read_listening_workers(file, laws);
  double expected = 0;
  try {
    expected = heuristics::sequential_value(problem);
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
  nlohmann::ordered_json answer = {{"problem", "listening-workers"},
                                   {"method",
                                    "dynamic program: workers one after another, as listed, each knows what those "
                                    "before it completed; chunks of whole steps"},
                                   {"exact", true},
                                   {"expected_work", expected}};
  const std::optional<double> clocks = own_clocks(problem);
  answer["own_clocks"] = clocks ? nlohmann::ordered_json(*clocks) : nullptr;
  const double bound = bound_of(problem);
  answer["expected_work_bound"] = std::isnan(bound) ? nlohmann::ordered_json() : nlohmann::ordered_json(bound);
  return answer;
}

}  // namespace coterie::sim
