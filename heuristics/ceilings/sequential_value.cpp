#include "heuristics/ceilings/sequential_value.hpp"

#include <algorithm>

#include "core/cancellation.hpp"

namespace coterie::heuristics {
namespace {

/// U_k from U_{k-1}, both in steps.
std::vector<double> with_worker(const std::vector<double>& others, const std::vector<double>& survival,
                                std::size_t startup) {
  const std::size_t width = others.size();
  const std::size_t times = survival.size();
  std::vector<double> value(times * width);  // J(t, R)
  for (std::size_t t = times; t-- > 0;) {
    cancellation_point();
    double* const at = value.data() + t * width;
    std::copy(others.begin(), others.end(), at);
    if (!(survival[t] > 0)) continue;
    for (std::size_t size = 1; size < width && t + size + startup < times; ++size) {
      const double* const after = value.data() + (t + size + startup) * width;
      const double q = survival[t + size + startup] / survival[t];
      const auto gained = static_cast<double>(size);
      for (std::size_t left = size; left < width; ++left)
        at[left] = std::max(at[left], q * (gained + after[left - size]) + (1 - q) * others[left]);
    }
  }
  value.resize(width);
  return value;
}

}  // namespace

std::vector<std::vector<double>> sequential_values(const ListeningProblem& problem) {
  problem.validate();
  std::vector<std::vector<double>> values = {std::vector<double>(problem.work_steps() + 1, 0.0)};
  for (std::size_t worker = problem.risks.size(); worker-- > 0;)
    values.push_back(with_worker(values.back(), problem.survival(worker), problem.startup_steps()));
  for (std::vector<double>& value : values)
    for (double& of_work : value) of_work *= problem.step;
  return values;
}

double sequential_value(const ListeningProblem& problem) { return sequential_values(problem).back().back(); }

}  // namespace coterie::heuristics
