#include "heuristics/now/now_network.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/infinity.hpp"
#include "heuristics/now/now_closed_forms.hpp"

namespace coterie::heuristics {
namespace {

// The deck's experiment: latency 150 us, a pipelined network with 1 us between packets, one without with 150 us.
TEST(NowNetwork, CapacityOneIsTheNetworkWithoutPipelining) {
  EXPECT_EQ(paced_transit(Rational(150), Rational(1), 1), 150);
  EXPECT_EQ(paced_transit(Rational(150), Rational(1), 2), 75);
  EXPECT_EQ(paced_transit(Rational(150), Rational(1), 149), Rational(150) / 149);
  EXPECT_EQ(paced_transit(Rational(150), Rational(1), 150), 1);
  EXPECT_EQ(paced_transit(Rational(150), Rational(1), 100000), 1);
  EXPECT_EQ(paced_transit(Rational(150), Rational(150), 7), 150);
}

TEST(NowNetwork, CountsThePacketsInTransit) {
  EXPECT_EQ(packets_in_transit(Rational(150), Rational(1)), Rational(150));
  EXPECT_EQ(packets_in_transit(Rational(150), Rational(150)), Rational(1));
  EXPECT_EQ(packets_in_transit(Rational(150), Rational(7)), Rational(22));
  EXPECT_EQ(packets_in_transit(0.0, 2.0), 1.0);
  EXPECT_EQ(packets_in_transit(0.5, 0.0), std::nullopt);
}

// Packets sent at that pace, one by one, and those of a sender that waits until there is room: never more than the
// capacity are under way, and pacing is later by less than a latency.
TEST(NowNetwork, PacedPacketsKeepTheCapacity) {
  for (const std::size_t capacity : {1, 2, 3, 7, 20})
    for (const double transit : {0.01, 0.1, 0.3, 2.0}) {
      constexpr double kLatency = 1;
      const double pace = paced_transit(kLatency, transit, capacity);
      std::vector<double> stalled;
      for (std::size_t k = 0; k < 200; ++k) {
        double sent = k > 0 ? stalled.back() + transit : 0;
        if (k >= capacity) sent = std::max(sent, stalled[k - capacity] + kLatency);
        stalled.push_back(sent);
        const double paced = static_cast<double>(k) * pace;
        ASSERT_LE(sent, paced + 1e-9);
        ASSERT_LT(paced - sent, kLatency);
        const double before = k >= capacity ? static_cast<double>(k - capacity) * pace : -kLatency;
        ASSERT_LE(before + kLatency, paced + 1e-9) << "room for packet " << k;
      }
    }
}

Now<double> bus(std::size_t workers, double work_time) {
  Now<double> now{0.1, 0.05, 0.05, 1, {}};
  now.workers.assign(workers, {work_time, 0.01, 0.01, 0.02, 0.02});
  return now;
}

TEST(NowNetwork, FeedsAsManyAsTheirMessagesFit) {
  for (const double work_time : {0.5, 2.0, 6.0})
    for (const std::size_t n : {1, 3, 12, 40}) {
      const Now<double> now = bus(n, work_time);
      constexpr double kLifespan = 100;
      for (const bool lifo : {false, true}) {
        const auto orders = [&](std::size_t count) { return lifo ? now_lifo(count) : now_fifo(count); };
        const auto fits = [&](std::size_t count) {
          const auto protocol = any_now_protocol(bus(count, work_time), orders(count));
          const bool feasible = protocol.feasible(kLifespan);
          // All work is out before the first result comes back: LIFO never has two messages at a time.
          EXPECT_TRUE(!lifo || !feasible || protocol.port_load(kLifespan) <= 1 + 1e-12);
          return feasible && protocol.port_load(kLifespan) <= 1 + 1e-12;
        };
        const auto fed = workers_fed(now, orders(n), kLifespan);
        ASSERT_TRUE(fed);
        EXPECT_TRUE(fits(*fed)) << n << " " << work_time;
        for (std::size_t more = *fed + 1; more <= n; ++more) EXPECT_FALSE(fits(more)) << n << " " << work_time;
      }
    }
  const auto crowded = any_now_protocol(bus(40, 0.5), now_fifo(40));
  EXPECT_TRUE(crowded.feasible(100.0) && !crowded.fits(100.0));
  EXPECT_LT(*workers_fed(bus(40, 0.5), now_fifo(40), 100.0), 40U);
  EXPECT_EQ(workers_fed(bus(40, 0.5), now_lifo(40), 100.0, 7), 7U);
  EXPECT_EQ(workers_fed(bus(3, 1), now_fifo(3), 0.01), std::nullopt);
}

TEST(NowNetwork, LetsThroughNoMoreThanItsMessagesTakeTime) {
  const auto protocol = any_now_protocol(bus(4, 2), now_lifo(4));
  // 4 messages each way: set-ups 0.16, no first packet is slower than the others; 0.1 + 0.05 + 0.05 a unit of work.
  EXPECT_NEAR(greatest_work(protocol, 10.0), (10 - 0.16) / 0.2, 1e-12);
  EXPECT_GE(greatest_work(protocol, 10.0), protocol.work(10));
  EXPECT_EQ(greatest_work(protocol, 0.1), 0);
  EXPECT_EQ(greatest_work(NowProtocol<double>{}, 1.0), kInfinity);
}

}  // namespace
}  // namespace coterie::heuristics
