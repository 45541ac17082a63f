#include "core/finish_times.hpp"

#include <gtest/gtest.h>

namespace coterie {
namespace {

TEST(FinishTimes, AreSharedByCopiesAndByWhatTakesTheFirstOfThem) {
  const FinishTimes times(std::vector<double>{1, 2, 4});
  const FinishTimes copy = times;
  const FinishTimes two = times.first(2);

  EXPECT_EQ(copy.begin(), times.begin());
  EXPECT_EQ(two.begin(), times.begin());
  EXPECT_EQ(two.size(), 2u);
  EXPECT_EQ(two.back(), 2);
  EXPECT_EQ(times.back(), 4);
}

TEST(FinishTimes, OutliveThoseTheyWereTakenFrom) {
  FinishTimes two;
  {
    const FinishTimes times(std::vector<double>{1, 2, 4});
    two = times.first(2);
  }

  EXPECT_EQ(two, FinishTimes(std::vector<double>{1, 2}));
}

TEST(FinishTimes, AreEqualByNumbers) {
  const FinishTimes times(std::vector<double>{1, 2, 4});

  EXPECT_EQ(times, FinishTimes(std::vector<double>{1, 2, 4}));
  EXPECT_FALSE(times == times.first(2));
  EXPECT_FALSE(times == FinishTimes(std::vector<double>{1, 2, 5}));
  EXPECT_EQ(FinishTimes(), times.first(0));
  EXPECT_TRUE(FinishTimes().empty());
}

TEST(FinishTimes, AreSharedOnlyWhereTheyAreTheSameInMemory) {
  const FinishTimes times(std::vector<double>{1, 2, 4});

  EXPECT_TRUE(times.shares(FinishTimes(times)));
  EXPECT_FALSE(times.shares(times.first(2)));
  EXPECT_FALSE(times.shares(FinishTimes(std::vector<double>{1, 2, 4})));
}

}  // namespace
}  // namespace coterie
