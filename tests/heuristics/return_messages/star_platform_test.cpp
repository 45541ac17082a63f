#include "heuristics/return_messages/star_platform.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

TEST(StarPlatform, RecognisesProportionalReturnTimes) {
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{2, 1, 1}, {4, 5, 2}}), ReturnRatio::kBelowOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{2, 1, 2}, {4, 5, 4}}), ReturnRatio::kOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{2, 1, 4}, {4, 5, 8}}), ReturnRatio::kAboveOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{2, 1, 4}, {4, 5, 7}}), ReturnRatio::kNone);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{0, 1, 4}, {0, 5, 7}}), ReturnRatio::kAboveOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{3, 1, 0}, {1, 5, 0}}), ReturnRatio::kBelowOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{0, 1, 0}, {0, 5, 0}}), ReturnRatio::kOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{0, 1, 0}, {1, 5, 2}}), ReturnRatio::kAboveOne);
  EXPECT_EQ(return_ratio(StarPlatform<Rational>{{0, 1, 1}, {1, 5, 2}}), ReturnRatio::kNone);
}

TEST(StarPlatform, AllowsDoublesTheirRounding) {
  EXPECT_EQ(return_ratio(StarPlatform<double>{{0.1, 1, 0.8 * 0.1}, {0.7, 1, 0.8 * 0.7}, {0.3, 1, 0.8 * 0.3}}),
            ReturnRatio::kBelowOne);
  EXPECT_EQ(return_ratio(StarPlatform<double>{{0.1, 1, 0.08}, {0.7, 1, 0.56000001}}), ReturnRatio::kNone);
}

TEST(StarPlatform, RefusesWhatIsNoPlatform) {
  EXPECT_THROW(require_valid(StarPlatform<double>{}), InputError);
  EXPECT_THROW(require_valid(StarPlatform<double>{{1, 1, 1}, {1, -1, 1}}), InputError);
  EXPECT_THROW(require_valid(StarPlatform<double>{{1, kInfinity, 1}}), InputError);
  EXPECT_THROW(require_valid(StarPlatform<double>{{std::numeric_limits<double>::quiet_NaN(), 1, 1}}), InputError);
  EXPECT_THROW(require_valid(StarPlatform<Rational>{{0, 0, 0}}), InputError);
  EXPECT_NO_THROW(require_valid(StarPlatform<Rational>{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}));
}

TEST(StarPlatform, RefusesOrdersThatAreNone) {
  EXPECT_THROW(require_valid(Scenario{{}, {}}, 2), InputError);
  EXPECT_THROW(require_valid(Scenario{{0, 0}, {0, 0}}, 2), InputError);
  EXPECT_THROW(require_valid(Scenario{{0, 2}, {0, 2}}, 2), InputError);
  EXPECT_THROW(require_valid(Scenario{{0, 1}, {0}}, 2), InputError);
  EXPECT_THROW(require_valid(Scenario{{0}, {1}}, 2), InputError);
  EXPECT_NO_THROW(require_valid(Scenario{{1}, {1}}, 2));
}

TEST(StarPlatform, ReversesTime) {
  const Scenario scenario{{0, 1, 2}, {2, 0, 1}};

  EXPECT_EQ(reversed_in_time(scenario), (Scenario{{1, 0, 2}, {2, 1, 0}}));
  EXPECT_EQ(reversed_in_time(reversed_in_time(scenario)), scenario);
}

}  // namespace
}  // namespace coterie::heuristics
