#include "heuristics/return_messages/order_search.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "heuristics/return_messages/closed_forms.hpp"
#include "tests/heuristics/return_messages/brute_force_orders.hpp"
#include "tests/heuristics/return_messages/paper_stars.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {
namespace {

TEST(OrderSearch, FindsThePairThatIsNeitherFifoNorLifo) {
  const auto best = best_orders(kFigure4, OrderKind::kPair, Ports::kTwo);

  EXPECT_TRUE(best.proven);
  EXPECT_EQ(to_text(best.sharing.throughput), "38/499");
  EXPECT_TRUE(fits(kFigure4, best.sharing, Ports::kTwo));
}

TEST(OrderSearch, EqualsBruteForceOverAllPairs) {
  RandomStars random(21);
  for (int trial = 0; trial < 30; ++trial) {
    const auto platform = random.free(random.whole(1, 4));
    for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
      const BruteForce expected = brute_force(platform, ports);
      const auto pair = best_orders(platform, OrderKind::kPair, ports);
      const auto fifo = best_orders(platform, OrderKind::kFifo, ports);

      EXPECT_EQ(pair.sharing.throughput, expected.pair) << trial;
      EXPECT_EQ(fifo.sharing.throughput, expected.fifo) << trial;
      EXPECT_TRUE(fits(platform, pair.sharing, ports)) << trial;
      EXPECT_EQ(fifo.sharing.scenario.send_order, fifo.sharing.scenario.return_order);
    }
  }
}

/// The proof must not lean on the local search: started from the worst order it still ends at the optimum.
TEST(OrderSearch, ProvesFromAnyStart) {
  RandomStars random(22);
  for (int trial = 0; trial < 20; ++trial) {
    const auto platform = random.proportional(4, Rational(random.whole(1, 6), 3));
    const BruteForce expected = brute_force(platform, Ports::kTwo);
    const Scenario poor{{3}, {3}};

    EXPECT_EQ(prove_orders(platform, OrderKind::kPair, Ports::kTwo, poor).throughput, expected.pair) << trial;
    EXPECT_EQ(prove_orders(platform, OrderKind::kFifo, Ports::kTwo, poor).throughput, expected.fifo) << trial;
  }
}

TEST(OrderSearch, ProvesPlatformsFullOfTies) {
  const StarPlatform<Rational> equal(6, {1, 3, 1});
  const Rational fifo = optimal_fifo(equal, Ports::kTwo).throughput;

  EXPECT_EQ(best_orders(equal, OrderKind::kPair, Ports::kTwo).sharing.throughput, fifo);
  RandomStars random(23);
  const auto bus = random.bus(5);
  EXPECT_EQ(best_orders(bus, OrderKind::kPair, Ports::kTwo).sharing.throughput,
            optimal_fifo(bus, Ports::kTwo).throughput);
}

TEST(OrderSearch, FifoProofAgreesWithTheTheorem) {
  RandomStars random(24);
  for (int trial = 0; trial < 10; ++trial) {
    const auto platform = random.proportional(7, Rational(4, 5));
    for (const Ports ports : {Ports::kTwo, Ports::kOne})
      EXPECT_EQ(best_orders(platform, OrderKind::kFifo, ports).sharing.throughput,
                optimal_fifo(platform, ports).throughput);
  }
}

TEST(OrderSearch, SortingByCommunicationIsNotOptimalWhereReturnsAreNotProportional) {
  RandomStars random(25);
  int worse = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const auto platform = random.free(3);
    const auto sorted = order_by_communication(platform);
    const auto by_sum = solve_scenario(platform, {sorted, sorted}, Ports::kTwo).throughput;
    const auto best = best_orders(platform, OrderKind::kFifo, Ports::kTwo).sharing.throughput;

    EXPECT_LE(by_sum, best);
    worse += by_sum < best ? 1 : 0;
  }
  EXPECT_GT(worse, 0);
}

TEST(OrderSearch, SaysWhenItProvesNothingAndIsNeverBelowFifoAndLifo) {
  RandomStars random(26);
  const auto platform = to_doubles(random.proportional(12, Rational(4, 5)));

  const auto first = best_orders(platform, OrderKind::kPair, Ports::kTwo);

  EXPECT_FALSE(first.proven);
  EXPECT_GE(first.sharing.throughput, optimal_lifo(platform).throughput * (1 - 1e-9));
  EXPECT_GE(first.sharing.throughput, optimal_fifo(platform, Ports::kTwo).throughput * (1 - 1e-9));
  const auto second = best_orders(platform, OrderKind::kPair, Ports::kTwo);
  EXPECT_EQ(first.sharing.scenario, second.sharing.scenario);
  EXPECT_EQ(first.sharing.shares, second.sharing.shares);
}

TEST(OrderSearch, RefusesTooManyWorkers) {
  EXPECT_THROW(best_orders(StarPlatform<double>(kSearchedWorkers + 1, {1, 1, 1}), OrderKind::kPair, Ports::kTwo),
               InputError);
  EXPECT_THROW(best_orders(StarPlatform<double>{}, OrderKind::kPair, Ports::kTwo), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
