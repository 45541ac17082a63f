#include "sim/planning/choice.hpp"

#include <gtest/gtest.h>

namespace coterie::sim {
namespace {

constexpr ChoiceQuestion kPriced{.has_deadline = true, .confidence = 0.95, .has_prices = true};

Outcomes in_time(double share, double cost, double q95) {
  Outcomes one;
  one.runs = 10000;
  one.in_time = estimate_share(static_cast<std::size_t>(10000 * share), 10000);
  one.all_done = share;
  one.cost = cost;
  one.q50 = one.q90 = one.q95 = q95;
  one.work_done = share;
  return one;
}

Outcomes finishing(double all_done, double q95, double machine_time) {
  Outcomes one;
  one.all_done = all_done;
  one.q50 = all_done >= 0.5 ? q95 / 2 : kInfinity;
  one.q90 = one.q95 = all_done >= 0.95 ? q95 : kInfinity;
  one.machine_time = machine_time;
  one.work_done = all_done;
  return one;
}

using Order = std::vector<std::size_t>;

TEST(Choice, TakesTheCheapestThatMeetsTheDeadline) {
  const std::vector options = {in_time(0.90, 1, 5), in_time(0.97, 12, 4), in_time(0.99, 10, 6)};
  const Choice choice = choose(options, kPriced);
  EXPECT_EQ(choice.rule, ChoiceRule::kDeadline);
  EXPECT_EQ(choice.order, (Order{2, 1, 0}));
}

TEST(Choice, OfEqualCostsTakesTheOneThatEndsEarlierThenThePlainer) {
  EXPECT_EQ(choose(std::vector{in_time(0.99, 10, 6), in_time(0.99, 10.05, 5)}, kPriced).order, (Order{1, 0}));
  EXPECT_EQ(choose(std::vector{in_time(0.99, 10, 6), in_time(0.99, 10.05, 5.98)}, kPriced).order, (Order{0, 1}));
  EXPECT_EQ(choose(std::vector{in_time(0.99, 10, 6), in_time(0.99, 10.2, 5)}, kPriced).order, (Order{0, 1}));
}

TEST(Choice, ADeadlineIsMetIfTheIntervalIsAtMostAPercentagePointBelow) {
  Outcomes few = in_time(0.95, 1, 5);
  EXPECT_TRUE(kPriced.meets(few));
  few.in_time = estimate_share(95, 100);
  EXPECT_FALSE(kPriced.meets(few));
  EXPECT_TRUE(kPriced.may_meet(few));
  few.in_time = estimate_share(9945, 10000);  // within the point, but not as many as asked
  EXPECT_FALSE((ChoiceQuestion{true, 0.999, true}).meets(few));
}

TEST(Choice, WhereNothingMeetsTheDeadlineTakesTheMostLikely) {
  const Choice choice = choose(std::vector{in_time(0.2, 1, 9), in_time(0.6, 50, 9)}, kPriced);
  EXPECT_EQ(choice.rule, ChoiceRule::kNearest);
  EXPECT_EQ(choice.order, (Order{1, 0}));
}

TEST(Choice, WithoutADeadlineTakesTheEarliestAndWithinTwoPercentTheLeastMachineTime) {
  const ChoiceQuestion question;
  const Choice choice = choose(
      std::vector{finishing(1, 10, 7), finishing(1, 10.1, 5), finishing(1, 12, 1), finishing(0.4, 1, 1)}, question);
  EXPECT_EQ(choice.rule, ChoiceRule::kFinish);
  EXPECT_EQ(choice.order, (Order{1, 0, 2, 3}));
}

TEST(Choice, WhereHardlyEverAllIsDoneTakesTheMostWork) {
  const Choice choice = choose(std::vector{finishing(0.3, 1, 1), finishing(0.45, 9, 9)}, {});
  EXPECT_EQ(choice.rule, ChoiceRule::kWork);
  EXPECT_EQ(choice.order, (Order{1, 0}));
}

TEST(Choice, QuantilesAreTheLeastTimesThatSoManyRunsReach) {
  std::vector<FleetOutcome> runs(20);
  for (std::size_t i = 0; i < 19; ++i) runs[i].finish = static_cast<double>(i + 1);
  const Outcomes found = outcomes_of(runs, 10, 0.9);
  EXPECT_EQ(found.q50, 10);
  EXPECT_EQ(found.q95, 19);
  EXPECT_EQ(found.confident, 18);
  EXPECT_EQ(found.in_time.share, 0.5);
  EXPECT_EQ(found.all_done, 0.95);
}

}  // namespace
}  // namespace coterie::sim
