#include "heuristics/ceilings/own_clocks.hpp"

#include <gtest/gtest.h>

#include <random>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "heuristics/ceilings/sequential_value.hpp"
#include "tests/heuristics/ceilings/alike.hpp"

namespace coterie::heuristics {
namespace {

TEST(OwnClocks, AreTheSequenceForOneWorker) {
  for (const double startup : {0.0, 0.1}) {
    const ListeningProblem problem{alike(1), 0.7, startup, 0.05};
    EXPECT_NEAR(own_clocks_optimum(problem), sequential_value(problem), 1e-14);
  }
}

// Two workers, eps = 1/30, 30 steps: computed by another program, which told the true optimum of policies that listen
// as well: .28281, .50370, .62959.
TEST(OwnClocks, HaveTheFiguresOfAnotherProgram) {
  const auto optimum = [](double work) { return own_clocks_optimum({alike(2), work, 1.0 / 30, 1.0 / 30}); };
  EXPECT_NEAR(optimum(0.3), 0.28300, 6e-6);
  EXPECT_NEAR(optimum(0.6), 0.50415, 6e-6);
  EXPECT_NEAR(optimum(0.9), 0.63056, 6e-6);
}

TEST(OwnClocks, AreNeverBelowTheSequence) {
  std::mt19937 draw(11);
  std::uniform_int_distribution<int> duration(1, 9);
  for (int i = 0; i < 60; ++i) {
    std::vector<RiskPtr> risks;
    for (int j = 0; j < 2 + i % 2; ++j) {
      std::vector<double> durations;
      for (int k = 0; k < 3; ++k) durations.push_back(duration(draw));
      risks.push_back(std::make_shared<EmpiricalRisk>(durations, "three spells"));
    }
    const ListeningProblem problem{risks, 5, i % 3 == 0 ? 0.0 : 1.0, 1};
    EXPECT_GE(own_clocks_optimum(problem), sequential_value(problem) - 1e-12);
    EXPECT_LE(own_clocks_optimum(problem), 5);
  }
}

// Two alike workers that live 2, 4, 7 or 9, W = 5, eps = 2, by hand: the first runs 2 units, which end at 4. Then the
// second runs 2 of the other 3: with 1/4 it is lost, and only then the first should dare the 3 that end at 9.
TEST(OwnClocks, CanExceedTheSequence) {
  const auto risk = std::make_shared<EmpiricalRisk>(std::vector<double>{2, 4, 7, 9}, "four spells");
  const ListeningProblem problem{alike(2, risk), 5, 2, 1};
  EXPECT_NEAR(own_clocks_optimum(problem), 63.0 / 16, 1e-13);
  EXPECT_NEAR(sequential_value(problem), 62.0 / 16, 1e-13);
}

// Nobody begins before time 1: half of the workers live half a step, and of the others a quarter 10 steps, the rest 13.
// Two that are still there do 3 units each, which end at 10; one alone 6, which end at 13: 6/4 + 6 (3/4) / 2 in all,
// computed by hand. No controller does more, and without idle steps at most 117/32 (both in exact fractions).
TEST(OwnClocks, MayWait) {
  const auto risk = std::make_shared<EmpiricalRisk>(std::vector<double>{.5, .5, .5, .5, 10, 13, 13, 13}, "young die");
  EXPECT_NEAR(own_clocks_optimum({alike(2, risk), 6, 6, 1}), 3.75, 1e-13);
}

TEST(OwnClocks, RefuseWhatIsTooLarge) {
  EXPECT_THROW(own_clocks_optimum({alike(6), 1, 0, 0.01}), InputError);
  const ListeningProblem long_lives = {alike(1, make_linear_risk(1e-9)), 1, 1, 1e-6};
  EXPECT_THROW(own_clocks_optimum(long_lives), InputError);
  EXPECT_THROW(sequential_value(long_lives), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
