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

constexpr std::size_t kMostClasses = 1000;
constexpr std::size_t kMostPoints = 500'000;  // of all classes together

/// Empty if there are too many.
std::vector<AlikeWorkers> classes_of(const WorksharingProblem& problem, SliceCache& memory) {
  const std::span<const RiskPtr> risks = problem.risks();
  std::map<RiskPtr, double> counts;
  for (const RiskPtr& risk : risks) counts[risk] += 1;
  if (counts.size() > kMostClasses) return {};
  if (risks.size() == 1) counts.begin()->second = static_cast<double>(problem.workers);
  const std::size_t points = std::min(WorkerCeiling::kMostPoints, kMostPoints / counts.size());
  std::vector<AlikeWorkers> classes;
  for (const RiskPtr& risk : risks)  // in their order, since that of pointers varies
    if (const auto found = counts.find(risk); found != counts.end()) {
      classes.push_back({found->second, memory.worker(risk, problem.startup_cost, points)});
      counts.erase(found);
    }
  return classes;
}

/// By one tangent; not limited by the work.
double ceiling_by(const WorksharingProblem& problem, const std::vector<AlikeWorkers>& classes, std::size_t tangent) {
  double sum = WorkerCeiling::intercept(tangent) * problem.work * (1 + 1e-11);
  if (tangent > 0) sum += 0x1p-51 * static_cast<double>(problem.workers) * problem.work;  // a in phi is rounded
  for (const AlikeWorkers& alike : classes) sum += alike.count * alike.ceiling->worth(tangent, problem.work);
  return sum * (1 + 1e-15 * static_cast<double>(2 + classes.size()));
}

}  // namespace

StaticCeiling least_static_ceiling(const WorksharingProblem& problem, SliceCache& memory) {
  problem.validate();
  const std::vector<AlikeWorkers> classes = classes_of(problem, memory);
  if (classes.empty()) return {std::nan(""), 0};
  std::vector<std::optional<double>> known(WorkerCeiling::kTangents);
  const auto value = [&](std::size_t tangent) {
    if (!known[tangent]) known[tangent] = ceiling_by(problem, classes, tangent);
    return *known[tangent];
  };
  // Each tangent gives a ceiling: search closely around the least.
  std::size_t best = 0;
  for (std::size_t step = 8; step > 0; step /= 2) {
    const std::size_t from = best;
    const std::size_t first = step == 8 ? 0 : from - std::min(from, step);
    const std::size_t last =
        step == 8 ? WorkerCeiling::kTangents - 1 : std::min(from + step, WorkerCeiling::kTangents - 1);
    for (std::size_t i = first; i <= last; i += step)
      if (value(i) < value(best)) best = i;
  }
  return {std::min(problem.work, value(best)), best};
}

double sum_of_workers(const WorksharingProblem& problem, SliceCache& memory) {
  problem.validate();
  const std::vector<AlikeWorkers> classes = classes_of(problem, memory);
  return classes.empty() ? std::nan("") : ceiling_by(problem, classes, 0);
}

double static_ceiling(const WorksharingProblem& problem, SliceCache* memory) {
  SliceCache own;
  return least_static_ceiling(problem, memory == nullptr ? own : *memory).value;
}

}  // namespace coterie::heuristics
