#include "traces/down_times.hpp"

#include <gtest/gtest.h>

namespace coterie::traces {
namespace {

AvailabilityRecord spell(const std::string& host, double start, double end, bool interrupted = true) {
  return {.host = host, .start = start, .duration = end - start, .observed = interrupted};
}

TEST(DownTimes, AreTheGapsOfAHostAndEndWithTheRecording) {
  AvailabilityTrace trace;
  trace.records = {spell("b", 0, 10), spell("a", 20, 30), spell("a", 0, 15), spell("b", 40, 50, false),
                   spell("c", 0, 45)};
  const Durations downs = down_times(trace);
  std::vector<std::pair<double, bool>> found;
  for (const Duration& one : downs.values()) found.emplace_back(one.value, one.observed);
  EXPECT_EQ(found, (std::vector<std::pair<double, bool>>{{5, true}, {5, false}, {20, false}, {30, true}}));
}

TEST(DownTimes, NeedHostsThatReturn) {
  AvailabilityTrace trace;
  trace.records = {spell("a", 0, 10), spell("b", 20, 30)};
  EXPECT_THROW(down_times(trace), InputError);
  trace.records = {spell("a", 0, 10), spell("a", 5, 30)};
  EXPECT_THROW(down_times(trace), InputError);
  trace.records = {spell("a", 0, 10), spell("", 20, 23)};
  EXPECT_THROW(down_times(trace), InputError);
}

}  // namespace
}  // namespace coterie::traces
