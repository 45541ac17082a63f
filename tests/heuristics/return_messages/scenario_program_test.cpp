#include "heuristics/return_messages/scenario_program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/errors.hpp"
#include "heuristics/return_messages/packing_program.hpp"
#include "tests/heuristics/return_messages/brute_force_orders.hpp"
#include "tests/heuristics/return_messages/paper_stars.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {
namespace {

Scenario random_scenario(RandomStars& random, std::size_t workers) {
  Scenario scenario;
  scenario.send_order.resize(workers);
  std::iota(scenario.send_order.begin(), scenario.send_order.end(), std::size_t{0});
  scenario.return_order = scenario.send_order;
  for (auto* order : {&scenario.send_order, &scenario.return_order})
    for (std::size_t k = 1; k < workers; ++k)
      std::swap((*order)[k], (*order)[static_cast<std::size_t>(random.whole(0, static_cast<int>(k)))]);
  return scenario;
}

TEST(ScenarioProgram, GivesTheFiguresOfThePaper) {
  const auto value = [](const StarPlatform<Rational>& platform, const Scenario& scenario) {
    return to_text(solve_scenario(platform, scenario, Ports::kTwo).throughput);
  };

  EXPECT_EQ(value(kFigure3, {{0, 1, 2}, {2, 1, 0}}), "61/135");
  EXPECT_EQ(value(kFigure3, {{0, 1}, {0, 1}}), "1/2");
  EXPECT_EQ(value(kFigure3, {{0, 1, 2}, {0, 1, 2}}), "1/2");
  EXPECT_EQ(value(kFigure4, {{0, 1, 2}, {0, 1, 2}}), "47/632");
  EXPECT_EQ(value(kFigure4, {{0, 1, 2}, {2, 1, 0}}), "271/4060");  // printed 43/580: errata 1
  EXPECT_EQ(value(kFigure4, {{0, 1, 2}, {1, 0, 2}}), "57/820");    // printed 38/499: errata 2
  EXPECT_EQ(value(kFigure4, {{0, 2, 1}, {2, 0, 1}}), "38/499");
  EXPECT_EQ(value(kFigure4, {{1, 0, 2}, {1, 2, 0}}), "38/499");
}

TEST(ScenarioProgram, LeavesTheUnusedOutOfTheOrders) {
  const auto answer = solve_scenario(kFigure3, {{0, 1, 2}, {0, 1, 2}}, Ports::kTwo);

  EXPECT_EQ(answer.scenario, (Scenario{{0, 1}, {0, 1}}));
  EXPECT_EQ(answer.shares, (std::vector<Rational>{Rational(1, 4), Rational(1, 4), 0}));
}

TEST(ScenarioProgram, GivesSchedulesThatFit) {
  RandomStars random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const auto platform = random.free(random.whole(1, 6));
    const Scenario scenario = random_scenario(random, platform.size());
    for (const Ports ports : {Ports::kTwo, Ports::kOne})
      EXPECT_TRUE(fits(platform, solve_scenario(platform, scenario, ports), ports)) << trial;
  }
}

TEST(ScenarioProgram, IsTheSameWithTimeReversed) {
  RandomStars random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const auto platform = random.free(random.whole(1, 5));
    const Scenario scenario = random_scenario(random, platform.size());
    for (const Ports ports : {Ports::kTwo, Ports::kOne})
      EXPECT_EQ(solve_scenario(platform, scenario, ports).throughput,
                solve_scenario(reversed_in_time(platform), reversed_in_time(scenario), ports).throughput);
  }
}

TEST(ScenarioProgram, ClpAgreesWithExactArithmetic) {
  RandomStars random(4);
  for (int trial = 0; trial < 100; ++trial) {
    const auto platform = random.free(random.whole(1, 10));
    const Scenario scenario = random_scenario(random, platform.size());
    for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
      const double exact = to_double(solve_scenario(platform, scenario, ports).throughput);

      EXPECT_NEAR(solve_scenario_with_clp(to_doubles(platform), scenario, ports).throughput, exact, 1e-9 * exact);
      EXPECT_NEAR(solve_scenario(to_doubles(platform), scenario, ports).throughput, exact, 1e-11 * exact);
    }
  }
}

TEST(ScenarioProgram, SolvesHundredsOfWorkers) {
  RandomStars random(5);
  const auto platform = to_doubles(random.proportional(300, Rational(4, 5)));
  const Scenario scenario = random_scenario(random, platform.size());

  const auto answer = solve_scenario(platform, scenario, Ports::kTwo);

  EXPECT_EQ(answer.scenario.send_order.size(), answer.scenario.return_order.size());
  PackingSolver<double> dense;
  const auto rows = scenario_rows(platform, scenario, Ports::kTwo);
  EXPECT_NEAR(answer.throughput, dense.maximise(rows, 300, 300), 1e-8 * answer.throughput);
}

TEST(ScenarioProgram, RefusesTooManyWorkersInExactArithmetic) {
  const StarPlatform<Rational> platform(kExactScenarioWorkers + 1, {1, 1, 1});
  Scenario scenario;
  for (std::size_t i = 0; i < platform.size(); ++i) scenario.send_order.push_back(i);
  scenario.return_order = scenario.send_order;

  EXPECT_THROW(solve_scenario(platform, scenario, Ports::kTwo), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
