#include "heuristics/chunks/one_worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/quadrature.hpp"
#include "heuristics/chunks/chunk_search.hpp"

namespace coterie::heuristics {
namespace {

/// An equality of the integer tests that rounding blurs is still taken as one: the chunk at stake is empty.
constexpr double kTie = 1e-13;

void refuse_long_list(std::int64_t chunks) {
  if (chunks > kMostChunks)
    throw InputError(fmt::format("{} chunks are more than can be listed (at most {})", chunks, kMostChunks));
}

/// Greatest m in [0, most] with m (m + step) eps < 2 length, by bisection: no square root to round.
std::int64_t greatest_count(std::int64_t most, int step, double startup, double length) {
  const auto fits = [&](std::int64_t m) {
    const auto count = static_cast<double>(m);
    return count * (count + step) * startup < 2 * length * (1 - kTie);
  };
  std::int64_t low = 0;
  std::int64_t high = most;
  while (low < high) {
    const std::int64_t middle = high - (high - low) / 2;
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

/// Of scales at which products and quotients are no longer doubles.
void require_finite(const OneWorkerSolution& solution) {
  const auto is_size = [](double size) { return size > 0 && std::isfinite(size); };
  if (!std::isfinite(solution.expected_work) || !std::isfinite(solution.deployed_work) ||
      !std::all_of(solution.chunk_sizes.begin(), solution.chunk_sizes.end(), is_size))
    throw InputError("the work or the times of the risk are so large or small that the answer overflows a double");
}

OneWorkerSolution nothing(double startup, const std::string& method) {
  OneWorkerSolution solution;
  solution.startup = startup;
  solution.method = method;
  solution.exact = true;
  return solution;
}

}  // namespace

OneWorkerSolution free_linear_chunks(double work, std::int64_t chunks, double kappa) {
  if (!(work > 0)) return nothing(0, "worksharing-2013 Theorem 2");
  refuse_long_list(chunks);
  const auto n = static_cast<double>(chunks);
  const double deployed = std::min(work, n / (kappa * (n + 1)));
  OneWorkerSolution solution;
  solution.chunk_sizes.assign(static_cast<std::size_t>(chunks), deployed / n);
  solution.deployed_work = deployed;
  solution.expected_work = deployed * (1 - (n + 1) / (2 * n) * kappa * deployed);
  solution.method = "worksharing-2013 Theorem 2";
  solution.exact = true;
  return solution;
}

OneWorkerSolution charged_linear_chunks(double work, std::int64_t chunks, double startup, double kappa) {
  if (startup == 0) return free_linear_chunks(work, chunks, kappa);
  const char* const method = "worksharing-2013 Theorem 4";
  const double horizon = 1 / kappa;
  if (!(work > 0) || startup >= horizon) return nothing(startup, method);
  const std::int64_t by_horizon = greatest_count(chunks, 1, startup, horizon);
  const std::int64_t m = greatest_count(by_horizon, -1, startup, work);
  if (m == 0) return nothing(startup, method);
  refuse_long_list(m);

  // From the last chunk to the first: nothing is subtracted, so that small chunks and small E keep their digits.
  const auto count = static_cast<double>(m);
  const double last_if_free = (horizon - count * (count + 1) * startup / 2) / (count + 1);
  const double last_if_all = (work - count * (count - 1) * startup / 2) / count;
  const bool all = last_if_all <= last_if_free;
  OneWorkerSolution solution;
  solution.chunk_sizes.resize(static_cast<std::size_t>(m));
  const double last = all ? last_if_all : last_if_free;
  double slack = all ? horizon - work - count * startup : last;  // horizon - finish time of the chunk
  double sum = 0;
  for (std::int64_t i = m; i >= 1; --i) {
    const double size = last + static_cast<double>(m - i) * startup;
    solution.chunk_sizes[static_cast<std::size_t>(i - 1)] = size;
    sum += size * kappa * slack;
    slack += size + startup;
  }
  solution.startup = startup;
  solution.deployed_work = all ? work : count * (last + (count - 1) * startup / 2);
  solution.expected_work = sum;
  solution.method = method;
  solution.exact = true;
  return solution;
}

OneWorkerSolution equal_chunks(const OneWorkerProblem& problem) {
  if (!problem.chunks || !std::isfinite(problem.work))
    throw InputError("equal chunks need a finite \"work\" and a number of \"chunks\"");
  refuse_long_list(*problem.chunks);
  OneWorkerSolution solution;
  solution.startup = problem.startup;
  solution.method =
      "worksharing-2013 Theorem 3: all work in equal chunks (asymptotically optimal without start-up cost)";
  solution.upper_bound = survival_integral(problem.work, *problem.risk);
  if (!(problem.work > 0)) return solution;
  const auto n = static_cast<double>(*problem.chunks);
  solution.chunk_sizes.assign(static_cast<std::size_t>(*problem.chunks), problem.work / n);
  solution.deployed_work = problem.work;
  for (double i = 1; i <= n; ++i)
    solution.expected_work += problem.work / n * problem.risk->survival(i * (problem.work / n) + i * problem.startup);
  require_finite(solution);
  return solution;
}

OneWorkerSolution optimal_chunks(const OneWorkerProblem& problem) {
  if (!(problem.work >= 0)) throw InputError("\"work\" must not be negative");
  if (problem.chunks && *problem.chunks < 1) throw InputError("\"chunks\" must be at least 1");
  if (!(problem.startup >= 0) || !std::isfinite(problem.startup))
    throw InputError("\"startup\" must be finite and not negative");
  const Risk& risk = *problem.risk;
  const EmpiricalRisk* empirical = risk.steps();
  if (!problem.chunks && problem.startup == 0 && empirical == nullptr)
    throw InputError("without a start-up cost there is in general no best number of chunks: give \"chunks\"");
  if (empirical != nullptr && empirical->cumulative().back() < 1 && !std::isfinite(problem.work))
    throw InputError("\"work\" must be finite under a risk that never reaches 1");
  const std::int64_t chunks = problem.chunks.value_or(std::int64_t{1} << 40);

  OneWorkerSolution solution;
  if (const auto kappa = risk.linear_rate()) {
    solution = charged_linear_chunks(problem.work, chunks, problem.startup, *kappa);
  } else {
    const ChunkPlan plan = empirical != nullptr ? best_chunks(problem.work, chunks, problem.startup, *empirical)
                                                : search_chunks(problem.work, chunks, problem.startup, risk);
    solution.startup = problem.startup;
    solution.chunk_sizes = plan.sizes;
    for (const double size : plan.sizes) solution.deployed_work += size;
    solution.expected_work = plan.expected_work;
    solution.exact = empirical != nullptr;
    solution.method = empirical != nullptr ? "exact dynamic programme over the observed durations"
                      : plan.sizes.empty() && risk.survival(problem.startup) > 0
                          ? "no chunk is completed with a probability above 1e-15"
                      : plan.sizes.empty() ? "no chunk can be completed"
                      : plan.polished
                          ? "numeric: dynamic programme over finish times, then Newton on the stationarity conditions"
                          : "numeric: dynamic programme over finish times (Newton's method did not converge)";
  }
  require_finite(solution);
  solution.upper_bound = survival_integral(problem.work, risk);
  return solution;
}

double survival_integral(double work, const Risk& risk) {
  if (!(work > 0)) return 0;
  if (const EmpiricalRisk* empirical = risk.steps()) {
    double sum = 0;
    double before = 0;
    for (const double jump : empirical->jumps()) {
      const double end = std::min(jump, work);
      if (end > before) sum += (end - before) * risk.survival(end);
      before = std::max(before, end);
    }
    const double beyond = 1 - empirical->cumulative().back();
    return beyond > 0 && work > before ? sum + (work - before) * beyond : sum;
  }
  if (const auto kappa = risk.linear_rate()) {
    const double end = std::min(work, 1 / *kappa);
    return end * (1 - *kappa * end / 2);
  }
  // Between these, and from a time to its double, the integrand is smooth and of one scale.
  constexpr std::size_t kMostBreaks = 1000;  // of very many, each changes little
  std::vector<double> ends = risk.breaks();
  if (ends.size() > kMostBreaks) ends.clear();
  for (const double u : {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-3, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12, 1 - 1e-15})
    ends.push_back(risk.quantile(u));
  constexpr double kMost = std::numeric_limits<double>::max();
  ends.push_back(std::min({work, risk.horizon(), kMost}));
  std::sort(ends.begin(), ends.end());
  double sum = 0;
  double begin = 0;
  const auto survival = [&](double t) { return risk.survival(t); };
  for (const double one : ends) {
    const double last = std::min(work, one);
    while (last > begin && survival(begin) > 0) {
      const double end = begin > 0 ? std::min(last, 2 * begin) : last;
      sum += integral_within(survival, begin, end, 10, 1e-13 * survival(begin) * (end - begin));
      begin = end;
    }
  }
  return std::isinf(work) && risk.survival(kMost) * kMost > 1e-13 * sum ? kInfinity : sum;
}

Schedule to_schedule(const OneWorkerSolution& solution) {
  std::vector<double> boundaries = {0};
  TaskLists lists;
  for (const double size : solution.chunk_sizes) {
    lists.add({static_cast<std::uint32_t>(boundaries.size() - 1), 1});
    boundaries.push_back(boundaries.back() + size);
  }
  lists.close(back_to_back(lists.open(), solution.chunk_sizes, solution.startup));
  return Schedule(std::move(boundaries), std::move(lists));
}

}  // namespace coterie::heuristics
