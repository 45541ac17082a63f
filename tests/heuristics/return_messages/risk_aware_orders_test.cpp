#include "heuristics/return_messages/risk_aware_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "heuristics/return_messages/closed_forms.hpp"
#include "heuristics/return_messages/interrupted_returns.hpp"
#include "heuristics/return_messages/scenario_program.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"
#include "tests/parametric.hpp"

namespace coterie::heuristics {
namespace {

std::vector<RiskPtr> random_risks(RandomStars& random, std::size_t workers) {
  std::vector<RiskPtr> risks;
  for (std::size_t i = 0; i < workers; ++i) risks.push_back(make_linear_risk(random.whole(1, 40) / 40.0));
  return risks;
}

/// Everyone busy all the time, by Cramer's rule; no shares where some would be negative.
StarSharing<double> busy(const StarPlatform<double>& platform, const Scenario& scenario, Ports ports) {
  const std::size_t size = scenario.send_order.size();
  const std::vector<double> rows = scenario_rows(platform, scenario, Ports::kTwo);
  const auto determinant = [&](std::size_t replaced) {
    std::vector<std::size_t> columns(size);
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    double sum = 0;
    do {
      double product = 1;
      for (std::size_t i = 0; i < size; ++i) {
        product *= columns[i] == replaced ? 1 : rows[i * size + columns[i]];
        for (std::size_t j = 0; j < i; ++j) product *= columns[j] > columns[i] ? -1 : 1;
      }
      sum += product;
    } while (std::next_permutation(columns.begin(), columns.end()));
    return sum;
  };
  StarSharing<double> sharing{scenario, std::vector<double>(platform.size(), 0.0), 0};
  double load = 0;
  for (std::size_t k = 0; k < size; ++k) {
    const std::size_t i = scenario.send_order[k];
    sharing.shares[i] = determinant(k) / determinant(size);
    if (sharing.shares[i] < 0) return {scenario, std::vector<double>(platform.size(), 0.0), 0};
    load += (platform[i].send_time + platform[i].return_time) * sharing.shares[i];
  }
  if (ports == Ports::kOne && load > 1)
    for (double& share : sharing.shares) share /= load;
  return sharing;
}

/// All subsets, all orders, by hand.
double best_by_hand(const StarPlatform<double>& platform, Ports ports, const std::vector<RiskPtr>& risks) {
  double best = 0;
  std::vector<std::size_t> sent(platform.size());
  std::iota(sent.begin(), sent.end(), std::size_t{0});
  do
    for (std::size_t enrolled = 1; enrolled <= sent.size(); ++enrolled) {
      Scenario scenario{{sent.begin(), sent.begin() + static_cast<std::ptrdiff_t>(enrolled)}, {}};
      scenario.return_order = scenario.send_order;
      std::sort(scenario.return_order.begin(), scenario.return_order.end());
      do
        for (const auto& sharing : {solve_scenario(platform, scenario, ports), busy(platform, scenario, ports)})
          best = std::max(best, expected_returned_work(platform, sharing, 1, risks));
      while (std::next_permutation(scenario.return_order.begin(), scenario.return_order.end()));
    }
  while (std::next_permutation(sent.begin(), sent.end()));
  return best;
}

TEST(RiskAwareOrders, FewWorkersGetTheBestOfAllOrders) {
  RandomStars random(61);
  for (int trial = 0; trial < 40; ++trial) {
    const auto platform = to_doubles(random.free(random.whole(1, 3)));
    const auto risks = random_risks(random, platform.size());
    for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
      const auto found = best_expected_sharing(platform, ports, 1, risks);

      EXPECT_TRUE(found.proven);
      const double by_hand = best_by_hand(platform, ports, risks);
      EXPECT_NEAR(found.expected, by_hand, 1e-11 * by_hand) << trial;
      EXPECT_DOUBLE_EQ(found.expected, expected_returned_work(platform, found.sharing, 1, risks));
    }
  }
}

/// A worker that is sure to be interrupted only keeps others waiting.
TEST(RiskAwareOrders, LeavesOutWhomNothingComesBackFrom) {
  const StarPlatform<double> platform = {{1, 2, 1}, {1, 2, 1}, {1, 2, 1}};
  const std::vector<RiskPtr> risks = {make_linear_risk(1e-6), make_linear_risk(1e6), make_linear_risk(1e-6)};

  const auto found = best_expected_sharing(platform, Ports::kTwo, 1, risks);

  EXPECT_EQ(found.sharing.shares[1], 0);
  EXPECT_GT(found.expected, 1.001 * expected_returned_work(platform, optimal_fifo(platform, Ports::kTwo), 1, risks));
}

TEST(RiskAwareOrders, ManyWorkersAreNeverWorseThanTheStrategiesOfThePaper) {
  RandomStars random(62);
  for (int trial = 0; trial < 4; ++trial) {
    const auto platform = to_doubles(random.proportional(8, Rational(4, 5)));
    const auto risks = random_risks(random, platform.size());

    const auto found = best_expected_sharing(platform, Ports::kTwo, 1, risks);

    EXPECT_FALSE(found.proven);
    for (const auto& sharing : {optimal_fifo(platform, Ports::kTwo), optimal_lifo(platform),
                                fifo_with_everyone(platform, order_by_send_time(platform), Ports::kTwo),
                                fifo_with_everyone(platform, order_by_compute_time(platform), Ports::kTwo)})
      EXPECT_GE(found.expected, expected_returned_work(platform, sharing, 1, risks) * (1 - 1e-9)) << trial;
    EXPECT_EQ(found.expected, best_expected_sharing(platform, Ports::kTwo, 1, risks).expected);
  }
}

/// The search beyond the enumeration: on a sum of distances it must find the one best pair of orders.
TEST(RiskAwareOrders, SearchFindsAPlantedPair) {
  const std::vector<std::size_t> sent = {3, 0, 6, 2, 5, 1, 4};
  const std::vector<std::size_t> returned = {5, 4, 0, 1, 6, 3, 2};
  const auto value = [&](const Scenario& scenario) {
    double wrong = 0;
    for (std::size_t k = 0; k < sent.size(); ++k) {
      wrong += scenario.send_order.at(k) == sent[k] ? 0 : 1;
      wrong += scenario.return_order.at(k) == returned[k] ? 0 : 1;
    }
    return -wrong;
  };

  const auto found = choose_orders(7, Enrolment::kEveryone, {}, value);

  ASSERT_TRUE(found);
  EXPECT_EQ(found->scenario, (Scenario{sent, returned}));
  EXPECT_FALSE(found->proven);
}

Now<double> unequal_network(std::size_t workers) {
  Now<double> now{0.1, 0.3, 0.2, 1, {}};
  for (std::size_t i = 0; i < workers; ++i)
    now.workers.push_back({1 + static_cast<double>(i), 0.1, 0.1, 0.05, 0.02 * static_cast<double>(i)});
  return now;
}

TEST(RiskAwareOrders, ProtocolsAreTheBestOfAllFeasibleOnes) {
  const Now<double> now = unequal_network(3);
  const std::vector<RiskPtr> risks = {make_linear_risk(0.04), make_linear_risk(0.001), make_linear_risk(0.02)};
  double best = 0;
  NowOrders orders = now_fifo(3);
  do {
    do {
      const auto protocol = now_protocol(now, orders);
      if (protocol.feasible(20) && protocol.port_load(20) <= 1)
        best = std::max(best, return_plan(now, orders, protocol, 20).expected(risks));
    } while (std::next_permutation(orders.finish.begin(), orders.finish.end()));
  } while (std::next_permutation(orders.start.begin(), orders.start.end()));

  const auto found = best_expected_protocol(now, 20, risks);

  ASSERT_TRUE(found);
  EXPECT_TRUE(found->proven);
  EXPECT_DOUBLE_EQ(found->expected, best);
  EXPECT_FALSE(best_expected_protocol(now, 1e-3, risks));  // nothing is feasible
}

// With one port and equal c + d there are many sharings of greatest throughput; opt-fifo's is the better one here.
TEST(RiskAwareOrders, WithOnePortAreNotBelowOptFifo) {
  const StarPlatform<double> platform = {{1, 0.4, 1}, {1, 0.2, 1}};
  const std::vector<RiskPtr> risks = {risk("exponential(rate=1e-9)"), risk("exponential(rate=0.01)")};
  const double fifo = expected_returned_work(platform, optimal_fifo(platform, Ports::kOne), 1, risks);
  const RiskAwareSharing best = best_expected_sharing(platform, Ports::kOne, 1, risks);
  EXPECT_GE(best.expected, fifo);
  EXPECT_DOUBLE_EQ(best.expected, expected_returned_work(platform, best.sharing, 1, risks));
}

TEST(RiskAwareOrders, PreferProtocolsWhoseMessagesFit) {
  Now<double> now{0, 1, 1, 1, {2, NowWorker<double>{}}};
  for (auto& worker : now.workers) worker.work_time = 0.1;
  const std::vector<RiskPtr> risks(2, risk("exponential(rate=1e-9)"));
  ASSERT_GT(now_protocol(now, now_fifo(2)).port_load(100), 1);
  ASSERT_LE(now_protocol(now, now_lifo(2)).port_load(100), 1);
  const auto found = best_expected_protocol(now, 100, risks);
  ASSERT_TRUE(found);
  EXPECT_LE(now_protocol(now, found->orders).port_load(100), 1);
}

TEST(RiskAwareOrders, RefusesTooManyWorkers) {
  const auto value = [](const Scenario&) { return 0.0; };
  EXPECT_THROW(choose_orders(kRiskAwareWorkers + 1, Enrolment::kAny, {}, value), InputError);
  EXPECT_THROW(choose_orders(0, Enrolment::kAny, {}, value), InputError);
  const auto never = [](const Scenario&) { return -kInfinity; };
  EXPECT_FALSE(choose_orders(3, Enrolment::kAny, {}, never));
}

}  // namespace
}  // namespace coterie::heuristics
