#include "core/step_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coterie {
namespace {

/// Recorded in whole hours; times between the hours and beside them.
const StepLaw kWholeHours{{1, 2, 3, 4, 5, 10}, {0.2, 0.3, 0.1, 0.2, 0.1, 0.1}, 1};

double mean(const StepLaw& law) {
  double sum = 0;
  for (std::size_t i = 0; i < law.times.size(); ++i) sum += law.times[i] * law.weights[i];
  return sum;
}

TEST(StepLaw, IsContinuousInTheAgeIfItsTimesAreRounded) {
  constexpr double kStep = 1.0 / 1024;
  double before = mean(kWholeHours.at_age(kStep));
  for (double age = 2 * kStep; age < 10; age += kStep) {
    const double now = mean(kWholeHours.at_age(age));
    EXPECT_NEAR(now, before, 8 * kStep) << age;
    before = now;
  }
}

TEST(StepLaw, JumpsWithTheAgeIfItsTimesAreExact) {
  StepLaw exact = kWholeHours;
  exact.rounding = 0;

  EXPECT_NEAR(exact.at_age(2).weights.front(), 0.3 / 0.8, 1e-15);
  EXPECT_EQ(exact.at_age(2).times.front(), 0);
  EXPECT_NEAR(exact.at_age(2 + 1e-9).weights.front(), 0.1 / 0.5, 1e-15);
}

/// A fine law, and the same rounded to whole hours: what is expected of the rest must not differ by more than rounding
/// can hide, at ages on the hour and beside it.
TEST(StepLaw, OfRoundedTimesIsCloseToTheUnroundedOne) {
  constexpr int kFine = 64;
  StepLaw fine, rounded{.rounding = 1};
  double left = 1;
  for (int i = kFine / 2; left > 1e-12; ++i) {
    const double weight = left * 0.3 / kFine;
    fine.add((i + 0.5) / kFine, weight);
    rounded.add(std::floor((i + 0.5) / kFine + 0.5), weight);
    left -= weight;
  }
  for (const double age : {1.0, 1.2, 1.5, 2.0, 2.49, 2.51, 3.0, 7.0})
    EXPECT_NEAR(mean(rounded.at_age(age)), mean(fine.at_age(age)), 0.05) << age;
}

TEST(StepLaw, AgesInTwoStepsAsInOne) {
  for (const double first : {0.3, 0.5, 1.0, 1.8, 2.0})
    for (const double second : {0.1, 0.25, 0.5, 1.0, 3.1}) {
      const StepLaw twice = kWholeHours.at_age(first).at_age(second);
      const StepLaw once = kWholeHours.at_age(first + second);
      ASSERT_EQ(twice.times.size(), once.times.size()) << first << " + " << second;
      for (std::size_t i = 0; i < once.times.size(); ++i) {
        EXPECT_NEAR(twice.times[i], once.times[i], 1e-12) << first << " + " << second;
        EXPECT_NEAR(twice.weights[i], once.weights[i], 1e-12) << first << " + " << second;
      }
    }
}

TEST(StepLaw, KeepsItsRoundingInAnotherUnit) {
  const StepLaw minutes = kWholeHours.in_unit(1.0 / 60);

  EXPECT_EQ(minutes.rounding, 60);
  EXPECT_NEAR(mean(minutes.at_age(135)), 60 * mean(kWholeHours.at_age(2.25)), 1e-10);
}

TEST(StepLaw, HasNothingLeftWhereNoTimeReaches) {
  EXPECT_TRUE(kWholeHours.at_age(10.5).times.empty());
  EXPECT_FALSE(kWholeHours.at_age(10.4).times.empty());
}

}  // namespace
}  // namespace coterie
