// The best of all static schedules on a grid, for a few workers and pieces, beside the ceiling and beside `best`.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>

#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "heuristics/ceilings/static_ceiling.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kMostPieces = 6;

/// By piece, the probability that a worker with this list loses it; 1 where it does not run it.
using Lost = std::array<double, kMostPieces>;

/// All lists of one worker: ordered chunks of any pieces, each piece at most once. Those that another one is at least
/// as good as, piece by piece, are left out.
std::vector<Lost> all_lists(std::size_t pieces, double size, double startup, const Risk& risk) {
  std::vector<Lost> lists;
  const auto extend = [&](const auto& self, unsigned done, double clock, const Lost& lost) -> void {
    lists.push_back(lost);
    const unsigned all = (1u << pieces) - 1;
    for (unsigned chunk = 1; chunk <= all; ++chunk) {
      if ((chunk & done) != 0) continue;
      const double end = clock + startup + size * std::popcount(chunk);
      const double probability = risk.probability(end);
      if (probability >= 1) continue;
      Lost more = lost;
      for (std::size_t i = 0; i < pieces; ++i)
        if ((chunk >> i & 1) != 0) more[i] = probability;
      self(self, done | chunk, end, more);
    }
  };
  Lost nothing;
  nothing.fill(1);
  extend(extend, 0, 0, nothing);
  const auto covers = [&](const Lost& a, const Lost& b) {
    return std::equal(a.begin(), a.end(), b.begin(), std::less_equal<>());
  };
  std::sort(lists.begin(), lists.end());
  lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
  std::vector<Lost> kept;
  for (const Lost& one : lists)
    if (std::none_of(lists.begin(), lists.end(), [&](const Lost& other) { return other != one && covers(other, one); }))
      kept.push_back(one);
  return kept;
}

/// The greatest expected work of any choice of one list a worker.
double optimum(const WorksharingProblem& problem, std::size_t pieces) {
  const double size = problem.work / static_cast<double>(pieces);
  std::vector<std::vector<Lost>> lists;
  for (std::size_t w = 0; w < problem.workers; ++w) {
    const RiskPtr& risk = problem.risks()[problem.risks().size() == 1 ? 0 : w];
    lists.push_back(all_lists(pieces, size, problem.startup_cost, *risk));
  }
  const bool alike = problem.risks().size() == 1;
  double least = static_cast<double>(pieces);
  const auto choose = [&](const auto& self, std::size_t worker, std::size_t first, const Lost& lost) -> void {
    for (std::size_t k = first; k < lists[worker].size(); ++k) {
      Lost both;
      double sum = 0;
      for (std::size_t i = 0; i < pieces; ++i) sum += both[i] = lost[i] * lists[worker][k][i];
      if (worker + 1 < lists.size()) {
        self(self, worker + 1, alike ? k : 0, both);
      } else {
        least = std::min(least, sum);
      }
    }
  };
  Lost all;
  all.fill(1);
  choose(choose, 0, 0, all);
  return problem.work - size * least;
}

/// Risks of all kinds, drawn: a density, jumps, open tails.
RiskPtr small_risk(std::mt19937& draw) {
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(draw); };
  switch (std::uniform_int_distribution<int>(0, 4)(draw)) {
    case 0:
      return make_linear_risk(real(0.3, 1.5));
    case 1:
      return make_parametric_risk(Expression::parse("exponential(rate=" + std::to_string(real(0.3, 3)) + ")"));
    case 2:
      return make_parametric_risk(Expression::parse("weibull(shape=" + std::to_string(real(0.4, 3)) + ", scale=1)"));
    default: {
      std::vector<double> durations;
      double time = 0;
      for (int i = 0; i < 4; ++i) durations.push_back(time += real(0.05, 1));
      return std::make_shared<EmpiricalRisk>(StepLaw{durations, std::vector<double>(4, real(0.15, 0.25))},
                                             "four spells");
    }
  }
}

/// The least and the mean of what `best` expects as a share of the optimum on the grid, over so many problems; the
/// ceiling is above both.
struct Share {
  double least = 0;
  double mean = 0;
};
Share share_of_best(std::size_t problems, std::size_t workers, std::size_t pieces, bool alike) {
  std::mt19937 draw(static_cast<unsigned>(100 * workers + pieces));
  const auto real = [&](double low, double high) { return std::uniform_real_distribution<double>(low, high)(draw); };
  Share share{1e9, 0};
  for (std::size_t i = 0; i < problems; ++i) {
    WorksharingProblem problem{workers, real(0.2, 2), real(0.01, 0.2), small_risk(draw), 1, 0};
    if (!alike) {
      for (std::size_t w = 0; w < workers; ++w) problem.worker_risks.push_back(small_risk(draw));
      problem.risk = std::make_shared<MixtureRisk>(problem.worker_risks, std::vector<double>(workers, 1), "mixture");
    }
    const double most = optimum(problem, pieces);
    const double best = worksharing_strategy("best").build(problem, {}).expected_work;
    const double ceiling = static_ceiling(problem);
    EXPECT_LE(std::max(most, best), ceiling * (1 + 1e-12)) << problem.risk->text();
    share.least = std::min(share.least, best / most);
    share.mean += best / most / static_cast<double>(problems);
  }
  return share;
}

/// COTERIE_FULL=1 looks at many, else at a few.
std::size_t problems(std::size_t few) {
  const char* set = std::getenv("COTERIE_FULL");
  return set != nullptr && std::string(set) == "1" ? 25 * few : few;
}

constexpr std::array<std::array<std::size_t, 3>, 4> kSizes = {{{1, 5, 8}, {2, 4, 8}, {2, 5, 3}, {3, 4, 3}}};

// `best` is not bound to the grid, so that it may be above what is best there.
TEST(ExhaustiveSchedules, AreNotAboveTheCeilingNorMuchAboveBest) {
  for (const auto& [workers, pieces, few] : kSizes) {
    const Share share = share_of_best(problems(few), workers, pieces, true);
    EXPECT_GE(share.least, 0.98) << workers << ' ' << pieces;
    EXPECT_GE(share.mean, 1) << workers << ' ' << pieces;
    RecordProperty("least_" + std::to_string(workers) + "_" + std::to_string(pieces), std::to_string(share.least));
  }
}

TEST(ExhaustiveSchedules, OfUnlikeWorkersAreNotAboveTheCeilingNorMuchAboveBest) {
  for (const auto& [workers, pieces, few] : kSizes) {
    const Share share = share_of_best(problems(few), workers, pieces, false);
    EXPECT_GE(share.least, 0.95) << workers << ' ' << pieces;
    RecordProperty("least_" + std::to_string(workers) + "_" + std::to_string(pieces), std::to_string(share.least));
  }
}

}  // namespace
}  // namespace coterie::heuristics
