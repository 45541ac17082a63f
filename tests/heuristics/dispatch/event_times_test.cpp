#include "heuristics/dispatch/event_times.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/dice.hpp"

namespace coterie::heuristics {
namespace {

TEST(EventTimes, TheFirstIsThatOfTheLeastTimeAndWorker) {
  sim::Dice dice("event times");
  for (const std::size_t workers : {1, 2, 3, 7, 8, 100}) {
    EventTimes events;
    events.clear(workers);
    EXPECT_EQ(events.first_time(), EventTimes::kNever);
    std::vector<double> times(workers, EventTimes::kNever);
    for (int change = 0; change < 1000; ++change) {
      const std::size_t worker = dice.whole(0, workers - 1);
      times[worker] = dice.whole(0, 4) == 0 ? EventTimes::kNever : static_cast<double>(dice.whole(0, 9));
      events.set(static_cast<std::uint32_t>(worker), times[worker]);

      const auto least = std::min_element(times.begin(), times.end());
      ASSERT_EQ(events.first_time(), *least);
      ASSERT_EQ(events.first(), static_cast<std::size_t>(least - times.begin()));
    }
    EventTimes at_once;
    at_once.clear(workers);
    at_once.assign(times, [](double time) { return time; });
    EXPECT_EQ(at_once.first(), events.first());
    for (std::uint32_t worker = 0; worker < workers; ++worker) EXPECT_EQ(at_once.of(worker), times[worker]);
  }
}

}  // namespace
}  // namespace coterie::heuristics
