#include "traces/summary.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coterie::traces {
namespace {

AvailabilityTrace trace_of(const std::vector<double>& durations) {
  AvailabilityTrace trace;
  for (const double duration : durations) trace.records.emplace_back().duration = duration;
  return trace;
}

TEST(Summary, CountsAndAverages) {
  AvailabilityTrace trace = trace_of({4, 0, 2, 10});
  trace.records[0].host.emplace("a");
  trace.records[1].host.emplace("b");
  trace.records[2].host.emplace("a");
  trace.records[2].observed = false;
  trace.records[3].left_truncated = true;
  const TraceSummary s = summarise(trace);
  EXPECT_EQ(s.n, 4u);
  EXPECT_EQ(s.hosts, 2u);
  EXPECT_EQ(s.observed, 3u);
  EXPECT_EQ(s.censored, 1u);
  EXPECT_EQ(s.left_truncated, 1u);
  EXPECT_EQ(s.zeros, 1u);
  // Kaplan-Meier: 3/4 live longer than 0, half of these (one of two) than 4; all spells alike had 4 and 3.
  EXPECT_DOUBLE_EQ(s.mean.value, 5.25);
  EXPECT_DOUBLE_EQ(s.median.value, 4);
  EXPECT_EQ(s.open, 0);
  EXPECT_EQ(s.max, 10);
  EXPECT_DOUBLE_EQ(s.cv, std::sqrt(0.375 * 16 + 0.375 * 100 - 5.25 * 5.25) / 5.25);
  EXPECT_DOUBLE_EQ(*s.linear_distance, 0.625 - 0.4 > 0.375 ? 0.225 : 0.375);
  EXPECT_FALSE(s.resolution.has_value());
}

TEST(Summary, MeasuresTheDistanceFromTheLinearRisk) {
  // Equally spaced up to the longest: the steps of 1/n are all that separates the two.
  EXPECT_NEAR(*summarise(trace_of({1, 2, 3, 4, 5})).linear_distance, 0.2, 1e-15);
  // All equal: P(T < t) is 0 up to the longest, where the line is at 1.
  EXPECT_NEAR(*summarise(trace_of({7, 7, 7})).linear_distance, 1, 1e-15);
  // All but one near zero: the other side of the line.
  EXPECT_NEAR(*summarise(trace_of({1, 1, 1, 1000})).linear_distance, 0.75 - 0.001, 1e-15);
  EXPECT_FALSE(summarise(trace_of({0, 0})).linear_distance.has_value());
}

TEST(Summary, StandsHugeDurations) {
  const TraceSummary s = summarise(trace_of({1e308, 1e308, 1e308}));
  EXPECT_DOUBLE_EQ(s.mean.value, 1e308);
  EXPECT_DOUBLE_EQ(s.median.value, 1e308);
  EXPECT_NEAR(s.cv, 0, 1e-15);
}

}  // namespace
}  // namespace coterie::traces
