#include "heuristics/worksharing/random_replication.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/cancellation.hpp"
#include "heuristics/worksharing/whole_work.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kRipples = 0.04;  // of expected work: a load is rounded to whole chunks

std::size_t tasks_per_worker(const WorksharingProblem& problem, const Chunking& chunking) {
  const double load = std::ceil(problem.local_load() / chunking.size() * (1 - 1e-12));
  return static_cast<std::size_t>(std::clamp(load, 1.0, static_cast<double>(chunking.count())));
}

/// Workers of a zone that are alike: the first one that has their risk, and how many.
using Company = std::map<std::size_t, std::size_t>;

/// A task that all workers of a group have done where the level of the zone's part is below this one, if their own
/// parts let them: what that adds to the number of chunks that one of them is expected to have done.
struct Gain {
  double level;
  std::size_t group;
  double chunks;
};

/// The probability that a zone's workers all fail to complete a chunk of `count`.
double lost_by_zone(std::vector<Gain>& gains, const std::vector<std::size_t>& workers_of_group, double count) {
  std::sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) { return a.level > b.level; });
  std::vector<double> done(workers_of_group.size(), 0);
  const auto all_fail = [&] {
    double log = 0;
    for (std::size_t g = 0; g < done.size(); ++g)
      log += static_cast<double>(workers_of_group[g]) * std::log1p(-std::min(1.0, done[g] / count));
    return std::exp(log);
  };
  double lost = 0;
  double level = 1;
  for (const Gain& gain : gains) {
    if (gain.level < level) {
      lost += (level - gain.level) * all_fail();
      level = gain.level;
    }
    done[gain.group] += gain.chunks;
  }
  return lost + level * all_fail();
}

}  // namespace

double expected_by_random_replication(const WorksharingProblem& problem, const Chunking& chunking, std::size_t tasks) {
  const auto count = static_cast<double>(chunking.count());
  const std::span<const RiskPtr> risks = problem.risks();
  std::vector<std::pair<const Risk*, std::size_t>> workers;  // that are alike, in the order of the first of them
  std::map<const Risk*, std::size_t> place;
  for (const RiskPtr& risk : risks) {
    const std::size_t at = place.try_emplace(risk.get(), workers.size()).first->second;
    if (at == workers.size()) workers.emplace_back(risk.get(), 0);
    workers[at].second += problem.workers / risks.size();
  }
  double full_fails = 0;  // ln of the probability that no worker completes a full chunk, and the last one
  double last_fails = 0;
  for (const auto& group : workers) {
    const Risk* const risk = group.first;
    const auto alike = static_cast<double>(group.second);
    const auto done_at = [&](std::size_t step, bool with_last) {
      const double finish = chunking.elapsed(step, with_last) + static_cast<double>(step) * problem.startup_cost;
      return 1 - risk->probability(finish);
    };
    // A full chunk in position s of M comes after the smaller last one with probability (s - 1) / (M - 1).
    double full = 0;
    double last = 0;
    for (std::size_t s = 1; s <= tasks; ++s) {
      const double behind = chunking.count() > 1 ? static_cast<double>(s - 1) / (count - 1) : 0;
      full += (1 - behind) * done_at(s, false) + (behind > 0 ? behind * done_at(s, true) : 0);
      last += done_at(s, true);
    }
    // Without risk the sum is the number of chunks, give or take a rounding.
    const auto fails = [&](double sum) { return alike * std::log1p(-std::min(1.0, sum / count)); };
    full_fails += fails(full);
    last_fails += fails(last);
  }
  return chunking.elapsed(chunking.count() - 1, false) * -std::expm1(full_fails) +
         chunking.last_size() * -std::expm1(last_fails);
}

double expected_by_random_replication(const RandomOrders& orders, std::span<const RiskPtr> risks, std::size_t workers,
                                      const Zones& zones) {
  const Chunking& chunking = orders.chunking;
  const auto count = static_cast<double>(chunking.count());
  std::map<const Risk*, std::size_t> first;
  std::map<Company, std::size_t> alike;
  for (std::size_t w = 0; w < workers;) {
    Company company;
    for (const std::size_t zone = zones.of(w, workers); w < workers && zones.of(w, workers) == zone; ++w) {
      const std::size_t of_risk = risks.size() == 1 ? 0 : w;
      ++company[first.try_emplace(risks[of_risk].get(), of_risk).first->second];
    }
    ++alike[std::move(company)];
  }
  double full_lost = 1;
  double last_lost = 1;
  for (const auto& [company, zones_alike] : alike) {
    cancellation_point();
    std::vector<Gain> full;
    std::vector<Gain> last;
    std::vector<std::size_t> workers_of_group;
    for (const auto& [of_risk, alike_workers] : company) {
      const Risk& risk = *risks[of_risk];
      const std::size_t group = workers_of_group.size();
      workers_of_group.push_back(alike_workers);
      const auto add = [&](std::vector<Gain>& gains, std::size_t step, bool with_last, double share) {
        const double survival =
            risk.survival(chunking.elapsed(step, with_last) + static_cast<double>(step) * orders.startup_cost);
        if (survival > 0 && share > 0)
          gains.push_back({std::pow(survival, zones.common), group, share * std::pow(survival, 1 - zones.common)});
      };
      for (std::size_t s = 1; s <= orders.tasks; ++s) {
        const double behind = chunking.count() > 1 ? static_cast<double>(s - 1) / (count - 1) : 0;
        add(full, s, false, 1 - behind);
        add(full, s, true, behind);
        add(last, s, true, 1);
      }
    }
    full_lost *= std::pow(lost_by_zone(full, workers_of_group, count), static_cast<double>(zones_alike));
    last_lost *= std::pow(lost_by_zone(last, workers_of_group, count), static_cast<double>(zones_alike));
  }
  return chunking.elapsed(chunking.count() - 1, false) * (1 - full_lost) + chunking.last_size() * (1 - last_lost);
}

Plan random_replication_plan(const WorksharingProblem& problem, const Granularity& granularity) {
  Plan plan;
  WorksharingProblem typical = problem;  // of workers about which nothing else is known
  typical.worker_risks.clear();
  const Chunking chunking = whole_work_chunking(
      problem, granularity,
      {[&](std::size_t chunks) {
         const Chunking equal = Chunking::equal(problem.work, chunks);
         return expected_by_random_replication(typical, equal, tasks_per_worker(problem, equal));
       },
       [&](std::size_t chunks) {
         return 2 * tasks_per_worker(problem, Chunking::equal(problem.work, chunks)) * look_up_cost(*problem.risk);
       },
       problem.workers, kRipples},
      plan.counts_considered);
  const std::size_t tasks = tasks_per_worker(problem, chunking);
  plan.random = RandomOrders{chunking, tasks, problem.startup_cost};
  plan.chunks = chunking.count();
  plan.chunk_size = chunking.size();
  plan.expected_work = expected_by_random_replication(problem, chunking, tasks);
  return plan;
}

}  // namespace coterie::heuristics
