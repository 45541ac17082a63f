#include "sim/planning/prices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/expression.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

constexpr double kNever = kInfinity;

PriceQuestion asked(std::size_t most) {
  PriceQuestion question;
  question.question = [](std::size_t workers) {
    PlanQuestion plan;
    plan.workers = workers;
    plan.startup_cost = 0.01;
    plan.lives.planned = make_parametric_risk(Expression::parse("exponential(rate=1)"));
    plan.lives.risks = {plan.lives.planned};
    return plan;
  };
  question.most = most;
  question.prices = {0.25, 1};
  question.listening.latency = 0.02;
  question.listening.instances = 2000;
  return question;
}

const PricedMix& mix(const PriceAnswer& answer, std::size_t spot, std::size_t on_demand, const std::string& strategy) {
  return *std::find_if(answer.mixes.begin(), answer.mixes.end(), [&](const PricedMix& one) {
    return one.spot == spot && one.on_demand == on_demand && one.strategy == strategy;
  });
}

TEST(Prices, MixesAreWithinTheNumberAndOnceEach) {
  for (const std::size_t most : {1u, 2u, 3u, 20u}) {
    const auto mixes = priced_mixes(most);
    EXPECT_EQ(std::set(mixes.begin(), mixes.end()).size(), mixes.size());
    for (const auto& [spot, on_demand] : mixes) {
      EXPECT_GE(spot + on_demand, 1u);
      EXPECT_LE(spot + on_demand, most);
    }
    for (const auto& ends : {std::pair<std::size_t, std::size_t>{most, 0}, {0, most}})
      EXPECT_NE(std::find(mixes.begin(), mixes.end(), ends), mixes.end());
  }
}

TEST(Prices, MixesArePowersOfTwoAndTheRestSpot) {
  using Mix = std::pair<std::size_t, std::size_t>;
  const std::vector<Mix> mixes = priced_mixes(8);
  const auto is_tried = [&](const Mix& mix) { return std::find(mixes.begin(), mixes.end(), mix) != mixes.end(); };
  for (const Mix& mix : {Mix{1, 1}, {1, 4}, {4, 4}, {6, 2}, {7, 1}}) EXPECT_TRUE(is_tried(mix)) << mix.first;
  for (const Mix& mix : {Mix{1, 7}, {2, 6}, {3, 0}, {3, 1}, {1, 3}}) EXPECT_FALSE(is_tried(mix)) << mix.first;
}

TEST(Prices, TheFrontierHasWhatNothingIsBetterThan) {
  std::vector<PricedMix> mixes(6);
  const double values[][2] = {{1, 9}, {2, 5}, {2, 5}, {3, 6}, {3, 4}, {0.5, kNever}};
  for (std::size_t i = 0; i < 6; ++i) {
    mixes[i].cost = values[i][0];
    mixes[i].done_by = values[i][1];
  }
  mark_frontier(mixes);
  const bool expected[] = {true, true, false, false, true, false};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(mixes[i].on_frontier, expected[i]) << i;
}

TEST(Prices, OnDemandAloneNothingIsLeftToChance) {
  const PriceAnswer found = price_mixes(asked(4));
  const PricedMix& alone = mix(found, 0, 4, "equal parts");
  EXPECT_DOUBLE_EQ(alone.done_by, 0.26);
  EXPECT_DOUBLE_EQ(alone.cost, 1.04);
  EXPECT_EQ(alone.completion, 1);
}

/// One spot machine that lives exponentially and has all the work as one chunk: paid for min(T, 1.01). Means and shares
/// of 2000 runs are further off than 6 standard errors, of at most 0.5 / sqrt(2000), with a probability of 2e-9.
TEST(Prices, OneSpotMachineIsPaidWhileItLives) {
  PriceQuestion question = asked(1);
  const auto any = question.question;
  question.question = [any](std::size_t workers) {
    PlanQuestion plan = any(workers);
    plan.granularity = {heuristics::Granularity::Kind::kPerSlice, 1};
    return plan;
  };
  const PriceAnswer answer = price_mixes(question);
  const PricedMix& one = mix(answer, 1, 0, "no-replication");
  const double error = 6 * 0.5 / std::sqrt(2000);
  EXPECT_NEAR(one.completion, std::exp(-1.01), error);
  EXPECT_NEAR(one.cost, 0.25 * (1 - std::exp(-1.01)), 0.25 * error);
  EXPECT_EQ(one.done_by, kNever);
}

/// Of spot machines alone what central computes is what the comparison of policies says.
TEST(Prices, CentralIsPaidForItsMachineTime) {
  PriceQuestion question = asked(4);
  const PlanQuestion plan = question.question(4);
  const ListeningAnswer heard = listen(answer(plan), question.listening);
  const auto central = std::find_if(heard.options.begin(), heard.options.end(),
                                    [](const ListeningOption& option) { return option.name == "central"; });
  const PriceAnswer found = price_mixes(question);
  const PricedMix& priced = mix(found, 4, 0, "central");
  EXPECT_NEAR(priced.cost, 0.25 * central->machine_time, 1e-9);
  EXPECT_EQ(priced.done_by, central->done.confident);
  EXPECT_EQ(priced.completion, central->completion);
}

/// Who is never interrupted ends what the others leave.
TEST(Prices, WithOneOnDemandAllGetsDone) {
  const PriceAnswer found = price_mixes(asked(3));
  for (const PricedMix& one : found.mixes)
    if (one.on_demand > 0 && one.listens) {
      EXPECT_EQ(one.completion, 1) << one.spot << ' ' << one.on_demand;
    }
  EXPECT_TRUE(std::is_sorted(found.mixes.begin(), found.mixes.end(),
                             [](const PricedMix& a, const PricedMix& b) { return a.cost < b.cost; }));
}

/// What is on the frontier has all runs, and parameters of its own.
TEST(Prices, NothingOnTheFrontierIsToldAfterAFirstLook) {
  const PriceQuestion question = asked(8);
  std::size_t left = 0;
  for (const PricedMix& one : price_mixes(question).mixes) {
    if (one.spot == 0) continue;
    const bool in_full = one.instances == question.listening.instances && one.planned == one.listens;
    EXPECT_TRUE(in_full || !one.on_frontier) << one.spot << ' ' << one.on_demand << ' ' << one.strategy;
    left += in_full ? 0 : 1;
  }
  EXPECT_GT(left, 0U);
}

/// Whatever is found where nothing is left early, something is found without that which is hardly worse.
TEST(Prices, LittleIsLostByAFirstLook) {
  constexpr double kLost = 0.02;
  const char* const laws[] = {"exponential(rate=1)", "linear(kappa=0.3)", "weibull(shape=0.6, scale=1)",
                              "weibull(shape=3, scale=0.5)", "hyperexponential(p=0.7, rate1=5, rate2=0.3)"};
  std::uint64_t seed = 1;
  for (const char* law : laws)
    for (const double spot : {0.1, 0.6}) {
      PriceQuestion question = asked(6);
      question.question = [&](std::size_t workers) {
        PlanQuestion plan = asked(1).question(workers);
        plan.seed = seed;
        plan.lives.planned = make_parametric_risk(Expression::parse(law));
        plan.lives.risks = {plan.lives.planned};
        return plan;
      };
      ++seed;
      question.prices.spot = spot;
      const PriceAnswer quick = price_mixes(question);
      question.far_behind = kNever;
      const PriceAnswer full = price_mixes(question);
      for (const PricedMix& best : full.mixes) {
        if (!best.on_frontier) continue;
        EXPECT_TRUE(std::any_of(quick.mixes.begin(), quick.mixes.end(),
                                [&](const PricedMix& one) {
                                  return one.on_frontier && one.cost <= (1 + kLost) * best.cost &&
                                         one.done_by <= (1 + kLost) * best.done_by;
                                }))
            << law << ' ' << spot << ": " << best.spot << ' ' << best.on_demand << ' ' << best.strategy;
      }
    }
}

}  // namespace
}  // namespace coterie::sim
