#include "heuristics/return_messages/closed_forms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/errors.hpp"
#include "tests/heuristics/return_messages/brute_force_orders.hpp"
#include "tests/heuristics/return_messages/paper_stars.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {
namespace {

const std::vector<Rational> kRatios = {0, Rational(1, 4), Rational(4, 5), 1, Rational(5, 4), 2};

TEST(ReturnMessages, GivesTheFiguresOfThePaper) {
  EXPECT_EQ(to_text(optimal_lifo(kFigure3).throughput), "61/135");
  EXPECT_EQ(to_text(optimal_fifo(kFigure3, Ports::kTwo).throughput), "1/2");
  EXPECT_EQ(to_text(optimal_fifo(kFigure4, Ports::kTwo).throughput), "47/632");
  EXPECT_EQ(to_text(optimal_lifo(kFigure4).throughput), "271/4060");  // not the printed 43/580
}

TEST(ReturnMessages, EnrolsOnlyWhomItPays) {
  const auto answer = optimal_fifo(kFigure3, Ports::kTwo);

  EXPECT_EQ(answer.scenario, (Scenario{{0, 1}, {0, 1}}));
  EXPECT_EQ(answer.shares[2], 0);
}

TEST(ReturnMessages, LifoIsTheBestOfAllLifoOrders) {
  RandomStars random(11);
  for (int trial = 0; trial < 120; ++trial) {
    const auto platform = random.free(random.whole(1, 4));
    const auto answer = optimal_lifo(platform);
    for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
      EXPECT_EQ(answer.throughput, brute_force(platform, ports, OrderKind::kFifo).lifo) << trial;
      EXPECT_TRUE(fits(platform, answer, ports)) << trial;
    }
  }
}

TEST(ReturnMessages, FifoIsTheBestOfAllFifoOrders) {
  RandomStars random(12);
  for (int trial = 0; trial < 60; ++trial) {
    for (const Rational& z : kRatios) {
      const auto platform = random.proportional(random.whole(1, 4), z);
      for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
        const auto answer = optimal_fifo(platform, ports);
        EXPECT_EQ(answer.throughput, brute_force(platform, ports, OrderKind::kFifo).fifo)
            << trial << " z = " << z << (ports == Ports::kOne ? " one port" : "");
        EXPECT_TRUE(fits(platform, answer, ports)) << trial;
      }
    }
  }
}

TEST(ReturnMessages, FifoIsTheProgramOfItsOwnOrderForMoreWorkers) {
  RandomStars random(13);
  for (int trial = 0; trial < 20; ++trial) {
    for (const Rational& z : kRatios) {
      const auto platform = random.proportional(9, z);
      auto order = order_by_send_time(platform);
      if (z > 1) std::reverse(order.begin(), order.end());
      for (const Ports ports : {Ports::kTwo, Ports::kOne})
        EXPECT_EQ(optimal_fifo(platform, ports).throughput, solve_scenario(platform, {order, order}, ports).throughput)
            << trial << " z = " << z;
    }
  }
}

TEST(ReturnMessages, FifoOnABusDoesNotDependOnTheOrderAndIsTheBestPair) {
  RandomStars random(14);
  for (int trial = 0; trial < 60; ++trial) {
    const auto platform = random.bus(3);
    std::vector<std::size_t> order(platform.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
      const Rational best = brute_force(platform, ports).pair;

      EXPECT_EQ(optimal_fifo(platform, ports).throughput, best) << trial;
      do EXPECT_EQ(fifo_with_everyone(platform, order, ports).throughput, best) << trial;
      while (std::next_permutation(order.begin(), order.end()));
    }
  }
}

TEST(ReturnMessages, OnePortFifoOnABusIsTwoPortFifoCutOffByThePort) {
  RandomStars random(15);
  for (int trial = 0; trial < 200; ++trial) {
    const auto platform = random.bus(random.whole(1, 12));
    const Rational port = Rational(1) / (platform[0].send_time + platform[0].return_time);

    EXPECT_EQ(optimal_fifo(platform, Ports::kOne).throughput,
              std::min(optimal_fifo(platform, Ports::kTwo).throughput, port))
        << trial;
  }
}

TEST(ReturnMessages, FifoWithEveryoneLeavesNoIdleTime) {
  RandomStars random(16);
  for (int trial = 0; trial < 100; ++trial) {
    const auto platform = random.free(random.whole(1, 7));
    const auto order = order_by_compute_time(platform);
    const auto answer = fifo_with_everyone(platform, order, Ports::kTwo);

    EXPECT_EQ(answer.scenario.send_order, order);
    const auto rows = scenario_rows(platform, answer.scenario, Ports::kTwo);
    for (std::size_t i = 0; i < order.size(); ++i) {
      Rational used = 0;
      for (std::size_t j = 0; j < order.size(); ++j) used += rows[i * order.size() + j] * answer.shares[order[j]];
      EXPECT_EQ(used, 1) << trial;
      EXPECT_GT(answer.shares[order[i]], 0) << trial;
    }
    EXPECT_TRUE(fits(platform, fifo_with_everyone(platform, order, Ports::kOne), Ports::kOne)) << trial;
  }
}

TEST(ReturnMessages, OrderDoesNotMatterWhereReturnsAreAsLongAsSends) {
  RandomStars random(17);
  for (int trial = 0; trial < 50; ++trial) {
    const auto platform = random.proportional(6, 1);

    EXPECT_EQ(fifo_with_everyone(platform, order_by_send_time(platform), Ports::kTwo).throughput,
              fifo_with_everyone(platform, order_by_compute_time(platform), Ports::kTwo).throughput);
  }
}

TEST(ReturnMessages, DoublesAgreeWithFractions) {
  RandomStars random(18);
  for (int trial = 0; trial < 50; ++trial) {
    for (const Rational& z : kRatios) {
      const auto platform = random.proportional(30, z);
      for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
        const double exact = to_double(optimal_fifo(platform, ports).throughput);
        EXPECT_NEAR(optimal_fifo(to_doubles(platform), ports).throughput, exact, 1e-13 * exact);
      }
      const double exact = to_double(optimal_lifo(platform).throughput);
      EXPECT_NEAR(optimal_lifo(to_doubles(platform)).throughput, exact, 1e-13 * exact);
    }
  }
}

TEST(ReturnMessages, ShareManyWorkersInRange) {
  RandomStars random(19);
  for (const Rational& z : {Rational(1, 2), Rational(1), Rational(3)}) {
    const auto platform = to_doubles(random.proportional(20000, z));
    const auto order = order_by_send_time(platform);
    for (const auto& answer : {optimal_fifo(platform, Ports::kTwo), fifo_with_everyone(platform, order, Ports::kTwo)}) {
      EXPECT_TRUE(std::isfinite(answer.throughput));
      double port = 0;
      for (std::size_t i = 0; i < platform.size(); ++i) port += platform[i].send_time * answer.shares[i];
      EXPECT_GT(answer.throughput, 0);
      EXPECT_LE(port, 1 + 1e-9);
    }
  }
}

/// Each share is some z times the one before.
TEST(ReturnMessages, SharesStayInRangeWhereReturnsAreVeryLong) {
  Rational z = 1;
  for (int k = 0; k < 160; ++k) z *= 10;
  const auto platform = RandomStars(20).proportional(6, z);
  const auto order = order_by_send_time(platform);
  const double exact = to_double(fifo_with_everyone(platform, order, Ports::kTwo).throughput * z);
  EXPECT_NEAR(fifo_with_everyone(to_doubles(platform), order, Ports::kTwo).throughput * 1e160, exact, 1e-12 * exact);
}

TEST(ReturnMessages, TakesZeroTimes) {
  const StarPlatform<Rational> free_sends = {{0, 2, 1}, {0, 3, 2}};
  const StarPlatform<Rational> silent = {{0, 2, 0}, {0, 4, 0}};
  const StarPlatform<Rational> instant = {{1, 0, Rational(1, 2)}, {2, 0, 1}};

  EXPECT_EQ(optimal_fifo(free_sends, Ports::kTwo).throughput, brute_force(free_sends, Ports::kTwo).fifo);
  EXPECT_EQ(optimal_fifo(silent, Ports::kOne).throughput, Rational(3, 4));
  EXPECT_EQ(optimal_lifo(silent).throughput, Rational(3, 4));
  EXPECT_EQ(optimal_fifo(instant, Ports::kTwo).throughput, brute_force(instant, Ports::kTwo).fifo);
  EXPECT_THROW(fifo_with_everyone(StarPlatform<Rational>{{0, 0, 1}, {1, 1, 1}}, {0, 1}, Ports::kTwo), InputError);
}

TEST(ReturnMessages, RefuseWhatNoTheoremCovers) {
  EXPECT_THROW(optimal_fifo(StarPlatform<Rational>{{1, 1, 1}, {2, 1, 1}}, Ports::kTwo), InputError);
  EXPECT_THROW(optimal_fifo(StarPlatform<Rational>{}, Ports::kTwo), InputError);
  EXPECT_THROW(optimal_lifo(StarPlatform<Rational>{{1, -1, 1}}), InputError);
  EXPECT_THROW(fifo_with_everyone(kFigure3, {0, 0, 1}, Ports::kTwo), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
