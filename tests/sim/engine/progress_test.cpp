#include "sim/engine/progress.hpp"

#include <gtest/gtest.h>

namespace coterie::sim {
namespace {

const ProgressState kState{840, 840'000, 40'000, 320'500, 12.0};

TEST(ProgressLine, TellsShareTimeConfigurationsAndRate) {
  EXPECT_EQ(progress_line(kState, 80), "38 %, 23 s left, 320 of 840 configurations, 23 thousand instances/s");
}

TEST(ProgressLine, FitsEveryWidthAndLosesItsEndFirst) {
  const std::string whole = progress_line(kState, 200);
  for (std::size_t width = 0; width <= 200; ++width) {
    const std::string line = progress_line(kState, width);
    EXPECT_LE(line.size(), width);
    EXPECT_TRUE(whole.starts_with(line)) << line;
  }
  EXPECT_EQ(progress_line(kState, 20), "38 %, 23 s left");
  EXPECT_LE(progress_line({1'000'000, 1'000'000'000'000, 0, 999'999'999, 1e6}, 80).size(), 80);
}

TEST(ProgressLine, PromisesNothingBeforeAnythingIsDone) {
  EXPECT_EQ(progress_line({840, 840'000, 40'000, 40'000, 3.0}, 80), "4 %, 40 of 840 configurations");
}

TEST(ProgressLine, ShowsTheTimeLeftAsOtherLengths) {
  EXPECT_EQ(progress_line({10, 1000, 0, 100, 0.01}, 16), "10 %, 1 s left");
  EXPECT_EQ(progress_line({10, 1000, 0, 100, 1333}, 16), "10 %, 3.3 h left");
}

/// How many lines a run of `seconds` prints that is asked ten times a second and goes on evenly.
int lines_of(bool terminal, double seconds) {
  int lines = 0;
  double last_seconds = 0, last_share = 0;
  for (int i = 1; i <= 10 * seconds; ++i) {
    const double now = 0.1 * i, share = now / seconds;
    if (!progress_due(terminal, now, last_seconds, share, last_share)) continue;
    ++lines;
    last_seconds = now;
    last_share = share;
  }
  return lines;
}

TEST(ProgressDue, IsAtMostFourTimesASecondOnATerminalAndLessOftenWithTime) {
  EXPECT_GE(lines_of(true, 10), 30);
  EXPECT_LE(lines_of(true, 10), 40);
  EXPECT_LE(lines_of(true, 86'400), 10'000);
  EXPECT_GE(lines_of(true, 86'400), 8'640);
}

TEST(ProgressDue, IsAPlainLineEveryFivePerCentOrMinuteElsewhere) {
  EXPECT_EQ(lines_of(false, 4), 0);
  EXPECT_NEAR(lines_of(false, 200), 20, 1);  // asked ten times a second, it may see 5 % a little late
  EXPECT_NEAR(lines_of(false, 3600), 60, 1);
  EXPECT_LE(lines_of(false, 864'000), 500);
}

}  // namespace
}  // namespace coterie::sim
