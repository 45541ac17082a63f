#include "heuristics/now/now_closed_forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/errors.hpp"
#include "tests/heuristics/now/random_nows.hpp"

namespace coterie::heuristics {
namespace {

/// FIFO and LIFO in a random start-up order.
std::vector<NowOrders> closed_orders(RandomStars& random, std::size_t workers) {
  const std::vector<std::size_t> start = random_orders(random, workers).start;
  return {{start, start}, {start, {start.rbegin(), start.rend()}}};
}

TEST(NowClosedForms, AreTheGenericProtocolExactly) {
  RandomStars random(71);
  int long_results = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const Now<Rational> now = random_now(random, random.whole(1, 7));
    long_results += now.transit * now.delta > now.packaging + now.transit ? 1 : 0;
    for (const NowOrders& orders : closed_orders(random, now.workers.size())) {
      const auto generic = now_protocol(now, orders);
      const auto closed = now_closed_form(now, orders);

      ASSERT_TRUE(closed) << trial;
      EXPECT_EQ(closed->slopes, generic.slopes) << trial;
      EXPECT_EQ(closed->offsets, generic.offsets) << trial;
      EXPECT_EQ(closed->slope, generic.slope);
      EXPECT_EQ(closed->offset, generic.offset);
      EXPECT_EQ(closed->message_rate, generic.message_rate);
      EXPECT_EQ(closed->message_overhead, generic.message_overhead);
    }
  }
  EXPECT_GT(long_results, 10) << "networks whose results take longer than the work are walked from the other end";
}

TEST(NowClosedForms, OtherOrdersHaveNone) {
  RandomStars random(72);
  const Now<Rational> now = random_now(random, 4);

  EXPECT_FALSE(now_closed_form(now, {{0, 1, 2, 3}, {1, 0, 2, 3}}));
  EXPECT_TRUE(has_closed_form({{2, 0, 1}, {2, 0, 1}}));
  EXPECT_TRUE(has_closed_form({{2, 0, 1}, {1, 0, 2}}));
  EXPECT_FALSE(has_closed_form({{2, 0, 1}, {0, 2, 1}}));
  EXPECT_EQ(any_now_protocol(now, {{0, 1, 2, 3}, {1, 0, 2, 3}}).slopes,
            now_protocol(now, {{0, 1, 2, 3}, {1, 0, 2, 3}}).slopes);
}

TEST(NowClosedForms, DoublesAgreeWithFractions) {
  RandomStars random(73);
  for (int trial = 0; trial < 20; ++trial) {
    const Now<Rational> now = random_now(random, 40);
    for (const NowOrders& orders : closed_orders(random, now.workers.size())) {
      const auto exact = *now_closed_form(now, orders);
      const auto rounded = *now_closed_form(to_doubles(now), orders);

      EXPECT_NEAR(rounded.slope, to_double(exact.slope), 1e-13 * to_double(exact.slope)) << trial;
      EXPECT_NEAR(rounded.offset, to_double(exact.offset), 1e-12 * std::abs(to_double(exact.offset))) << trial;
    }
  }
}

/// A hundred thousand workstations: nothing overflows, and the equations of some of them hold.
TEST(NowClosedForms, ManyWorkstationsStayInRange) {
  constexpr std::size_t kMany = 100000;
  for (const double delta : {0.0, 0.5, 1.0, 40.0}) {
    Now<double> now{1e-5, 1.5e-4, 1e-6, delta, {}};
    for (std::size_t i = 0; i < kMany; ++i)
      now.workers.push_back({0.5 + static_cast<double>(i % 97) / 97, 1e-5, 1e-5, 3e-4, 3e-4});
    for (const NowOrders& orders : {now_fifo(kMany), now_lifo(kMany)}) {
      const auto protocol = *now_closed_form(now, orders);
      ASSERT_TRUE(std::isfinite(protocol.slope));
      ASSERT_TRUE(std::isfinite(protocol.offset));
      const bool fifo = orders.finish[0] == 0;

      for (const std::size_t i : {std::size_t{0}, kMany / 2, kMany - 1}) {
        double sent = 0;
        double returned = 0;
        for (std::size_t j = 0; j <= i; ++j) sent += protocol.slopes[j];
        for (std::size_t j = fifo ? i : 0; j < (fifo ? kMany : i + 1); ++j) returned += protocol.slopes[j];
        const double time = (now.packaging + now.transit) * sent + now.transit * delta * returned +
                            (now.workers[i].work_time + 1e-5 + 1e-5 * delta) * protocol.slopes[i];
        EXPECT_NEAR(time, 1, 1e-9) << "delta " << delta << ", workstation " << i << (fifo ? ", FIFO" : ", LIFO");
      }
    }
  }
}

TEST(NowClosedForms, RefuseWhatIsNoNetwork) {
  EXPECT_THROW(now_closed_form(Now<double>{1, 1, 1, 1, {}}, now_fifo(0)), InputError);
  EXPECT_THROW(now_closed_form(Now<double>{1, 1, 1, 1, {{1, 0, 0, 0, 0}}}, NowOrders{{0, 0}, {0, 0}}), InputError);
  EXPECT_THROW(now_closed_form(Now<double>{1, 1, 1, 1, {{0, 0, 0, 0, 0}}}, now_fifo(1)), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
