#include "sim/planning/clock.hpp"

#include <gtest/gtest.h>

namespace coterie::sim {
namespace {

constexpr double kHour = 3600, kDay = 24 * kHour;

TEST(Clock, ReadsTimesOfAnyWeekAndDates) {
  EXPECT_EQ(parse_clock_time("Mon 18:00")->in_week, 18 * kHour);
  EXPECT_EQ(parse_clock_time("friday 17:30:10")->in_week, 4 * kDay + 17.5 * kHour + 10);
  EXPECT_EQ(parse_clock_time("Sun")->in_week, 6 * kDay);
  EXPECT_EQ(parse_clock_time("1970-01-01T01:00:00Z")->since_1970, kHour);
  EXPECT_EQ(parse_clock_time("1970-01-05T00:00:00Z")->in_week, 0);
  for (const char* wrong : {"12h", "Mon 25:00", "Mon 6", "Mond 6:00", "", "18:00"})
    EXPECT_FALSE(parse_clock_time(wrong)) << wrong;
}

TEST(Clock, CountsToTheNextSuchTime) {
  const auto between = [](const char* a, const char* b) {
    return seconds_between(*parse_clock_time(a), *parse_clock_time(b));
  };
  EXPECT_EQ(between("Mon 18:00", "Fri 17:00"), 4 * kDay - kHour);
  EXPECT_EQ(between("Fri 17:00", "Mon 18:00"), 3 * kDay + kHour);
  EXPECT_EQ(between("Mon 18:00", "Mon 18:00"), 7 * kDay);
  EXPECT_EQ(between("2026-06-01T00:00:00Z", "2026-06-15T00:00:00Z"), 14 * kDay);
  EXPECT_LT(between("2026-06-15T00:00:00Z", "2026-06-01T00:00:00Z"), 0);
  EXPECT_EQ(between("2026-06-01T00:00:00Z", "Tue 00:00"), kDay);  // a Monday
}

}  // namespace
}  // namespace coterie::sim
