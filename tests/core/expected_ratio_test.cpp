#include "core/expected_ratio.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/ties.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

/// Each worker its own list of single pieces, back to back.
Schedule schedule_of(const std::vector<double>& sizes, const std::vector<std::vector<std::uint32_t>>& orders,
                     double startup) {
  std::vector<double> boundaries = {0};
  for (const double size : sizes) boundaries.push_back(boundaries.back() + size);
  std::vector<double> exact;
  for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) exact.push_back(boundaries[i + 1] - boundaries[i]);
  TaskLists lists;
  for (const auto& order : orders) {
    std::vector<Task> tasks;
    for (const std::uint32_t piece : order) tasks.push_back({piece, 1});
    for (const Task& task : tasks) lists.add(task);
    lists.close(back_to_back(tasks, exact, startup));
  }
  return {boundaries, std::move(lists)};
}

double ratio_of(const Schedule& schedule, const std::vector<double>& times, double startup, double work) {
  double sum = 0;
  std::vector<double> forgiven;
  for (const double time : times) {
    sum += std::min(work, std::max(0.0, time - startup));
    forgiven.push_back(just_after(time));
  }
  return sum > 0 ? std::min(1.0, completed_work(schedule, forgiven) / std::min(work, sum)) : 1;
}

/// The mean over all combinations of what workers may have recorded.
double enumerated(const Schedule& schedule, const std::vector<std::vector<double>>& recorded, double startup,
                  double work) {
  std::vector<double> times(recorded.size());
  std::function<double(std::size_t)> mean = [&](std::size_t worker) {
    if (worker == recorded.size()) return ratio_of(schedule, times, startup, work);
    double sum = 0;
    for (const double time : recorded[worker]) {
      times[worker] = time;
      sum += mean(worker + 1);
    }
    return sum / static_cast<double>(recorded[worker].size());
  };
  return mean(0);
}

TEST(ExpectedRatio, IsTheMeanOverAllThatMayBeRecorded) {
  std::mt19937_64 random(2026);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  double greatest_error = 0;
  for (int question = 0; question < 200; ++question) {
    const std::size_t workers = 1 + below(5);
    const std::size_t pieces = 1 + below(6);
    const double startup = question % 2 == 0 ? 0 : uniform(0.01, 0.2);
    std::vector<double> sizes(pieces);
    for (double& size : sizes) size = uniform(0.1, 0.6);
    const double all = std::accumulate(sizes.begin(), sizes.end(), 0.0);
    const double work = question % 3 == 0 ? all : all * uniform(1, 1.5);  // no piece at all for the rest
    std::vector<std::vector<std::uint32_t>> orders(workers);
    for (auto& order : orders)
      for (std::size_t k = below(pieces + 1); k > 0; --k) order.push_back(static_cast<std::uint32_t>(below(pieces)));
    const Schedule schedule = schedule_of(sizes, orders, startup);
    std::vector<std::vector<double>> recorded;
    std::vector<RiskPtr> risks;
    const bool alike = question % 4 == 0;
    for (std::size_t w = 0; w < workers; ++w) {
      std::vector<double> durations(2 + below(3));
      for (double& duration : durations) duration = uniform(0.005, 2.5);
      // Some are recorded just when a task ends, some never get to work.
      const TaskList list = schedule.tasks(w);
      if (list.finish.size() > 0 && below(2) == 0) durations[0] = list.finish[below(list.finish.size())];
      if (alike && w > 0) durations = recorded[0];
      recorded.push_back(durations);
      risks.push_back(alike && w > 0 ? risks[0] : std::make_shared<EmpiricalRisk>(durations, "recorded"));
    }
    const auto known = expected_ratio(schedule, risks, startup, work, {1e-5, 1, 1e8});
    ASSERT_TRUE(known);
    EXPECT_NEAR(known->value, enumerated(schedule, recorded, startup, work), known->error) << question;
    greatest_error = std::max(greatest_error, known->error);
    if (alike) {
      const auto one_risk = expected_ratio(schedule, std::span(risks).first(1), startup, work, {1e-5, 1, 1e8});
      EXPECT_NEAR(one_risk->value, known->value, one_risk->error + known->error);
    }
  }
  EXPECT_LT(greatest_error, 2e-4);  // jumps just where all is complete are the worst
}

TEST(ExpectedRatio, OfOneWorkerOfLinearRiskIsAnIntegral) {
  const Schedule schedule = schedule_of({0.3, 0.3}, {{0, 1}}, 0);
  const auto known = expected_ratio(schedule, std::vector{risk("linear(kappa=1)")}, 0, 1);
  EXPECT_NEAR(known->value, 0.3 * std::log(2) + 0.6 * std::log(1 / 0.6), known->error);
  EXPECT_LT(known->error, 1e-5);
}

/// By quadrature over the uniforms of two workers of one law, between all places where R jumps.
double of_two(const Schedule& schedule, const Risk& law, double startup, double work) {
  using Rule = boost::math::quadrature::gauss_kronrod<double, 15>;
  const auto mean = [&](std::size_t worker, double bend, const std::function<double(double)>& value) {
    std::vector<double> cuts = {0, law.probability(startup), law.probability(startup + work), law.probability(bend), 1};
    for (const double t : schedule.tasks(worker).finish) cuts.push_back(law.probability(t));
    std::sort(cuts.begin(), cuts.end());
    double sum = 0;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
      if (cuts[i + 1] > cuts[i])
        sum += Rule::integrate([&](double u) { return value(law.quantile(u)); }, cuts[i], cuts[i + 1], 4, 1e-9);
    return sum;
  };
  return mean(0, 0, [&](double first) {
    const double done = std::min(work, std::max(0.0, first - startup));
    return mean(1, startup + work - done, [&](double second) {
      return ratio_of(schedule, {first, second}, startup, work);
    });
  });
}

TEST(ExpectedRatio, OfTwoWorkersIsAnIntegral) {
  const std::vector<std::vector<std::uint32_t>> orders = {{0, 1, 2}, {2, 1}};
  for (const char* text : {"linear(kappa=1)", "exponential(rate=2)", "weibull(shape=0.5, scale=0.7)"})
    for (const double startup : {0.0, 0.05})
      for (const double work : {1.0, 1.2, 3.0}) {
        const Schedule schedule = schedule_of({0.3, 0.4, 0.3}, orders, startup);
        const auto known = expected_ratio(schedule, std::vector{risk(text)}, startup, work);
        ASSERT_TRUE(known);
        EXPECT_NEAR(known->value, of_two(schedule, *risk(text), startup, work), known->error + 1e-8)
            << text << ' ' << startup << ' ' << work;
        EXPECT_LT(known->error, 2e-5);
      }
}

TEST(ExpectedRatio, OfASteepLawIsWhereAllHappens) {
  std::vector<std::vector<std::uint32_t>> own;
  for (std::uint32_t w = 0; w < 10; ++w) own.push_back({w});
  const Schedule schedule = schedule_of(std::vector<double>(10, 0.9), own, 0);
  const auto known = expected_ratio(schedule, std::vector{risk("weibull(shape=1000, scale=1)")}, 0, 20);
  ASSERT_TRUE(known);
  // All chunks are completed; E[9 / S] by the first terms of its series, the next being below 1e-8.
  const double mean = std::tgamma(1.001);
  const double spread = 10 * (std::tgamma(1.002) - mean * mean) / (100 * mean * mean);
  EXPECT_NEAR(known->value, 9 / (10 * mean) * (1 + spread), known->error + 1e-8);
  EXPECT_LT(known->error, 1e-5);
}

/// Where cubes of times overflow, too, and where they vanish.
TEST(ExpectedRatio, ErrorIsTheSameInAnyUnitOfTime) {
  const auto known = [](double unit) {
    std::vector<double> sizes(40, 0.5 * unit);
    std::vector<std::uint32_t> all(40);
    std::iota(all.begin(), all.end(), 0u);
    const RiskPtr law = risk(fmt::format("exponential(rate={})", 1 / unit));
    return expected_ratio(schedule_of(sizes, {all}, 0.1 * unit), std::vector{law}, 0.1 * unit, 20 * unit);
  };
  ASSERT_TRUE(known(1));
  for (const double unit : {0x1p-560, 0x1p+350, 0x1p+400}) {
    ASSERT_TRUE(known(unit)) << unit;
    EXPECT_NEAR(known(unit)->value, known(1)->value, 1e-9) << unit;
    EXPECT_NEAR(known(unit)->error, known(1)->error, 1e-6 * known(1)->error) << unit;
  }
}

TEST(ExpectedRatio, ErrorIsNeverBelowZero) {
  for (const double work : {1e-3, 1e-5}) {
    const auto nothing = expected_ratio(schedule_of({work}, {{0}}, 0), std::vector{risk("linear(kappa=1e6)")}, 0, work);
    ASSERT_TRUE(nothing);
    EXPECT_GE(nothing->error, 0);
    EXPECT_NEAR(nothing->value, 0, nothing->error);
  }
}

TEST(ExpectedRatio, OfWorkersThatAreNeverInterruptedIsWhatTheyAreGiven) {
  const Schedule schedule = schedule_of({0.5, 0.5}, {{0}, {}}, 0.1);
  const RiskPtr never = std::make_shared<EmpiricalRisk>(std::vector{50.0}, "t");
  const auto known = expected_ratio(schedule, std::vector{never}, 0.1, 1);
  EXPECT_NEAR(known->value, 0.5, known->error);
  EXPECT_LT(known->error, 1e-5);
}

TEST(ExpectedRatio, IsOneWhereNobodyCanDoAnythingAndZeroWhereNobodyIsGivenAny) {
  const RiskPtr early = std::make_shared<EmpiricalRisk>(std::vector{0.05}, "t");
  EXPECT_EQ(expected_ratio(schedule_of({1}, {{0}}, 0.1), std::vector{early}, 0.1, 1)->value, 1);
  // The chunk ends just after its start-up, which counts as completed, at the only interruption time.
  const RiskPtr at_startup = std::make_shared<EmpiricalRisk>(std::vector{1.0}, "t");
  EXPECT_EQ(expected_ratio(schedule_of({5e-13}, {{0}}, 1), std::vector{at_startup}, 1, 5e-13)->value, 1);
  const auto idle = expected_ratio(schedule_of({1}, {{}}, 0), std::vector{risk("linear(kappa=1)")}, 0, 1);
  EXPECT_NEAR(idle->value, 0, idle->error);
}

TEST(ExpectedRatio, IsNotKnownWhereDigitsDecideOrItTakesTooLong) {
  const Schedule schedule = schedule_of({0.5, 0.5}, {{0}, {1}}, 0.1);
  const RiskPtr at_startup = std::make_shared<EmpiricalRisk>(std::vector{0.1, 1.0}, "t");
  EXPECT_FALSE(expected_ratio(schedule, std::vector{at_startup}, 0.1, 1));
  EXPECT_FALSE(expected_ratio(schedule, std::vector{risk("linear(kappa=1)")}, 0.1, 1, {1e-5, 1, 1000}));
  EXPECT_FALSE(expected_ratio(schedule, std::vector{risk("linear(kappa=1)")}, 0.1, 1, {1e-12, 1e-12, 1e8}));
}

TEST(ExpectedRatio, NeedsOneRiskOrOneEach) {
  const Schedule schedule = schedule_of({0.5, 0.5}, {{0}, {1}, {1}}, 0.1);
  const RiskPtr law = risk("linear(kappa=1)");
  EXPECT_THROW(expected_ratio(schedule, std::vector{law, law}, 0.1, 1), std::invalid_argument);
}

BoundedNumber of(const std::vector<RiskPtr>& risks, std::size_t workers, double startup) {
  return any_capacity(risks, workers, startup, 1);
}

/// How often some of `workers` draws of a grid of uniforms gets beyond the start-up.
double counted(const Risk& law, double startup, int workers) {
  constexpr int kDraws = 20'000;
  int within = 0;
  for (int i = 0; i < kDraws; ++i) within += law.quantile((i + 0.5) / kDraws) <= startup ? 1 : 0;
  return 1 - std::pow(static_cast<double>(within) / kDraws, workers);
}

TEST(AnyCapacity, IsKnown) {
  for (const char* text : {"linear(kappa=1)", "exponential(rate=3)", "weibull(shape=0.4, scale=0.3)",
                           "hyperexponential(p=0.3, rate1=50, rate2=0.2)"})
    for (const double startup : {0.0001, 0.1, 0.7}) {
      const BoundedNumber any = of({risk(text)}, 3, startup);
      EXPECT_NEAR(any.value, counted(*risk(text), startup, 3), 3.0 / 20'000) << text << ' ' << startup;
      EXPECT_LT(any.error, 1e-6);
    }
  EXPECT_EQ(of({risk("linear(kappa=1)")}, 3, 1.5).value, 0);
}

TEST(AnyCapacity, IsNotKnownWhereTheRiskJumpsAtTheStartup) {
  const auto trace = [](std::vector<double> durations) {
    return std::make_shared<EmpiricalRisk>(std::move(durations), "trace");
  };
  const RiskPtr jumps = trace({0.05, 0.1, 0.1, 0.8});
  EXPECT_TRUE(std::isnan(of({jumps}, 2, 0.1).value));
  EXPECT_TRUE(std::isnan(of({jumps}, 2, std::nextafter(0.1, 1)).value));
  for (const double startup : {0.09, 0.11, 0.5}) {
    const BoundedNumber any = of({jumps}, 2, startup);
    EXPECT_NEAR(any.value, counted(*jumps, startup, 2), any.error + 1e-12) << startup;
  }
  EXPECT_TRUE(std::isnan(of({trace({0, 0, 0.5, 1})}, 2, 0).value));  // nothing at all, in half
  const RiskPtr aged = std::make_shared<AgedRisk>(trace({100, 100.25, 200, 300}), 100, "aged");
  EXPECT_TRUE(std::isnan(of({aged}, 2, 0).value));
  EXPECT_TRUE(std::isnan(of({aged}, 2, 0.25).value));
}

}  // namespace
}  // namespace coterie
