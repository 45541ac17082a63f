#include "heuristics/heterogeneous/informed_bound.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/cancellation.hpp"

namespace coterie::heuristics {

double work_alone(const LinearWorker& worker, double interruption, double startup, Rounds rounds) {
  const double computing = std::max(0.0, interruption - startup * worker.compute());
  if (rounds == Rounds::kOne) return computing / (worker.receive() + worker.compute());
  const double computed = computing / worker.compute();
  return std::isinf(worker.bandwidth) ? computed : std::min(computed, interruption / worker.receive());
}

double informed_work_bound(Platform platform, std::span<const double> interruptions, double work, double startup,
                           Rounds rounds) {
  const std::size_t workers = platform.size();
  std::vector<std::size_t> by_interruption(workers);
  std::iota(by_interruption.begin(), by_interruption.end(), std::size_t{0});
  std::sort(by_interruption.begin(), by_interruption.end(),
            [&](std::size_t a, std::size_t b) { return interruptions[a] < interruptions[b]; });
  std::vector<double> slack(workers);  // of the master's port until the k-th interruption
  std::vector<std::size_t> rank(workers);
  for (std::size_t k = 0; k < workers; ++k) {
    slack[k] = interruptions[by_interruption[k]];
    rank[by_interruption[k]] = k;
  }

  double total = 0;
  for (const std::size_t i : descending(platform, &LinearWorker::bandwidth)) {
    cancellation_point();
    const double receive = platform[i].receive();
    const double alone = work_alone(platform[i], interruptions[i], startup, rounds);
    const auto from = slack.begin() + static_cast<std::ptrdiff_t>(rank[i]);
    const double left = *std::min_element(from, slack.end());
    const double share = receive * alone <= left ? alone : left / receive;
    for (auto later = from; later != slack.end(); ++later) *later = std::max(0.0, *later - share * receive);
    total += share;
    if (total >= work) return work;
  }
  return total;
}

}  // namespace coterie::heuristics
