#include "heuristics/worksharing/brute.hpp"

#include <algorithm>
#include <array>

#include "core/ties.hpp"
#include "core/vector_loops.hpp"
#include "heuristics/worksharing/whole_work.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kTogether = 32;  // chunks

/// E = W (1 - mean over s = 1..M of Pr(s (omega + eps))^p).
double expected_by_brute_force(const WorksharingProblem& problem, std::size_t chunks) {
  const double last = just_after(problem.risk->horizon());
  const StepEnds end = Chunking::equal(problem.work, chunks).step_ends(problem.startup_cost);
  double sum = 0;
  std::array<double, kTogether> risks;
  for (std::size_t first = 1; first <= chunks && end(first) <= last; first += kTogether) {
    const auto some = std::span(risks).first(std::min(kTogether, chunks - first + 1));
    end.fill(some, first);
    const auto alive = some.first(static_cast<std::size_t>(std::ranges::upper_bound(some, last) - some.begin()));
    problem.risk->probabilities(alive, alive);
    sum += vector_loops().sum_complements(alive.data(), alive.size(), problem.workers);
    if (alive.back() == 1) break;  // nor will any later chunk be done
  }
  return problem.work / static_cast<double>(chunks) * sum;
}

}  // namespace

Plan brute_plan(const WorksharingProblem& asked, const Granularity& granularity) {
  const WorksharingProblem problem = asked.for_any_lambda();
  std::size_t considered = 0;
  const Chunking chunking =
      whole_work_chunking(problem, granularity,
                          {[&](std::size_t chunks) { return expected_by_brute_force(problem, chunks); },
                           [&](std::size_t chunks) {  // until the workers are sure to be gone
                             const double steps = problem.local_load() / problem.work * static_cast<double>(chunks);
                             return static_cast<std::size_t>(std::min(steps, static_cast<double>(chunks)) + 1) *
                                    look_up_cost(*problem.risk);
                           }},
                          considered);
  TaskLists all;
  all.reserve(1, chunking.count());
  for (std::uint32_t chunk = 0; chunk < chunking.count(); ++chunk) all.add({chunk, 1});
  all.close(chunking.back_to_back(all.open(), problem.startup_cost));
  return whole_work_plan(problem, chunking, std::move(all), considered, std::vector(problem.workers, 0u));
}

}  // namespace coterie::heuristics
