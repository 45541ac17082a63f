#include "heuristics/ceilings/static_ceiling.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

namespace coterie::heuristics {
namespace {

/// Workers of one risk.
struct AlikeWorkers {
  double count = 0;
  std::shared_ptr<const WorkerCeiling> ceiling;
};

std::vector<AlikeWorkers> classes_of(const WorksharingProblem& problem, CeilingCache& memory) {
  const std::span<const RiskPtr> risks = problem.risks();
  std::map<const Risk*, std::size_t> class_of;
  std::vector<AlikeWorkers> classes;
  for (const RiskPtr& risk : risks) {
    const auto [entry, fresh] = class_of.emplace(risk.get(), classes.size());
    if (fresh) classes.push_back({0, memory.get(risk, problem.startup_cost)});
    classes[entry->second].count += 1;
  }
  if (risks.size() == 1) classes.front().count = static_cast<double>(problem.workers);
  return classes;
}

}  // namespace

std::shared_ptr<const WorkerCeiling> CeilingCache::get(const RiskPtr& risk, double startup_cost) {
  return known_.get(
      {risk, startup_cost}, [&] { return std::make_shared<const WorkerCeiling>(risk, startup_cost); },
      [](const auto& ceiling) { return ceiling->points(); });
}

double static_ceiling(const WorksharingProblem& problem, CeilingCache* memory) {
  problem.validate();
  CeilingCache own;
  const std::vector<AlikeWorkers> classes = classes_of(problem, memory == nullptr ? own : *memory);
  std::vector<std::optional<double>> known(WorkerCeiling::kTangents);
  const auto value = [&](std::size_t tangent) {
    if (!known[tangent]) {
      double sum = WorkerCeiling::intercept(tangent) * problem.work * (1 + 1e-11);
      if (tangent > 0) sum += 0x1p-51 * static_cast<double>(problem.workers) * problem.work;  // a in phi is rounded
      for (const AlikeWorkers& alike : classes) sum += alike.count * alike.ceiling->worth(tangent, problem.work);
      known[tangent] = sum * (1 + 1e-15 * static_cast<double>(2 + classes.size()));
    }
    return *known[tangent];
  };
  // Each tangent gives a ceiling: look closely where it is least.
  std::size_t best = 0;
  for (std::size_t step = 8; step > 0; step /= 2) {
    const std::size_t from = best;
    const std::size_t first = step == 8 ? 0 : from - std::min(from, step);
    const std::size_t last =
        step == 8 ? WorkerCeiling::kTangents - 1 : std::min(from + step, WorkerCeiling::kTangents - 1);
    for (std::size_t i = first; i <= last; i += step)
      if (value(i) < value(best)) best = i;
  }
  return std::min(problem.work, value(best));
}

}  // namespace coterie::heuristics
