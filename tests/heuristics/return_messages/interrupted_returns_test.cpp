#include "heuristics/return_messages/interrupted_returns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "heuristics/return_messages/closed_forms.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {
namespace {

/// A risk of known interruption times with equal probability, so that an expectation can be enumerated.
class ListedRisk : public Risk {
 public:
  explicit ListedRisk(std::vector<double> times) : times_(std::move(times)) {}
  double probability(double t) const override {
    const auto before = std::count_if(times_.begin(), times_.end(), [t](double time) { return time < t; });
    return static_cast<double>(before) / static_cast<double>(times_.size());
  }
  double quantile(double) const override { return *std::max_element(times_.begin(), times_.end()); }
  std::string text() const override { return "listed"; }

  const std::vector<double>& times() const { return times_; }

 private:
  std::vector<double> times_;
};

TEST(InterruptedReturns, ComputesTheFigureByHand) {
  // Figure 3, FIFO: two workers with share 1/4, c = w = d = 1: results are back at 3/4 and at 1.
  const StarPlatform<double> platform = {{1, 1, 1}, {1, 1, 1}, {5, 5, 5}};
  const auto sharing = optimal_fifo(platform, Ports::kTwo);
  const std::vector<RiskPtr> risks(3, make_linear_risk(0.5));

  EXPECT_EQ(return_times(platform, sharing, 1), (std::vector<double>{0.75, 1, 0}));
  EXPECT_DOUBLE_EQ(expected_returned_work(platform, sharing, 1, risks), 0.25 * (1 - 0.375) + 0.25 * (1 - 0.5));
  EXPECT_DOUBLE_EQ(expected_returned_work(platform, sharing, 4, risks), 0);
  // E(L) = L/2 - (7/32) L^2 up to L = 2: greatest at 8/7.
  EXPECT_NEAR(best_lifespan(platform, sharing, 4, 16, risks), 8.0 / 7, 1e-6);
}

/// Under laws that jump, a lifespan in which no results are back at a jump can be made longer without loss.
TEST(InterruptedReturns, FindsTheBestLifespanAmongJumps) {
  const StarPlatform<double> platform = {{1, 1, 1}, {1, 3, 1}};
  const auto sharing = optimal_fifo(platform, Ports::kTwo);
  const std::vector<double> jumps = {0.123456, 0.2, 0.777, 0.9};
  const auto law = std::make_shared<EmpiricalRisk>(StepLaw{jumps, std::vector<double>{0.5, 0.1, 0.3, 0.1}}, "jumps");
  const std::vector<RiskPtr> risks(2, law);
  const std::vector<double> times = return_times(platform, sharing, 1);
  for (const double longest : {0.777, 1.0, 10.0, 1000.0, 1e9}) {
    double most = expected_returned_work(platform, sharing, longest, risks);
    for (std::size_t i = 0; i < 2; ++i)
      for (const double jump : jumps)
        if (const double lifespan = jump / times[i]; sharing.shares[i] > 0 && lifespan <= longest)
          most = std::max(most, expected_returned_work(platform, sharing, lifespan, risks));
    const double best = best_lifespan(platform, sharing, longest, 256, risks);
    EXPECT_DOUBLE_EQ(expected_returned_work(platform, sharing, best, risks), most) << longest;
  }
}

TEST(InterruptedReturns, AnyLifespanIsBestWhereNothingComesBack) {
  const StarPlatform<double> platform = {{1, 1, 1}};
  const std::vector<RiskPtr> risks = {std::make_shared<EmpiricalRisk>(std::vector{0.0, 0.0}, "at once")};
  EXPECT_EQ(best_lifespan(platform, optimal_fifo(platform, Ports::kTwo), 7, 16, risks), 7);
}

/// The best lifespan does not depend on how much longer it might have been.
TEST(InterruptedReturns, FindsTheBestLifespanOnAnyScale) {
  const StarPlatform<double> platform = {{1, 1, 1}, {1, 1, 1}, {5, 5, 5}};
  const auto sharing = optimal_fifo(platform, Ports::kTwo);
  for (const double scale : {1e-200, 1e-20, 1.0, 1e20, 1e200})
    for (const double longer : {4.0, 1e3, 1e15, 1e17, 1e100}) {
      const std::vector<RiskPtr> risks(3, make_linear_risk(0.5 / scale));
      const double best = best_lifespan(platform, sharing, longer * scale, 16, risks);
      EXPECT_NEAR(best / scale, 8.0 / 7, 1e-6) << scale << ' ' << longer;
    }
  const std::vector<RiskPtr> risks(3, make_linear_risk(0.5));
  EXPECT_NEAR(best_lifespan(platform, sharing, std::numeric_limits<double>::max(), 256, risks), 8.0 / 7, 1e-6);
  EXPECT_EQ(best_lifespan(platform, sharing, 1, 16, risks), 1);  // longer would be better
}

/// Beyond a bend of one risk the expectation goes on growing; and another hill, far away, looks higher in coarse steps.
TEST(InterruptedReturns, FindsTheBestLifespanOfUnlikeWorkers) {
  const auto best_of = [](const std::vector<double>& compute, const std::vector<double>& kappa, double longest) {
    StarPlatform<double> platform;
    std::vector<RiskPtr> risks;
    for (std::size_t i = 0; i < compute.size(); ++i) {
      platform.push_back({0, compute[i], 0});
      risks.push_back(make_linear_risk(kappa[i]));
    }
    const auto sharing = fifo_with_everyone(platform, order_by_send_time(platform), Ports::kTwo);
    const double best = best_lifespan(platform, sharing, longest, 256, risks);
    double least = 0;  // of a dense search
    for (double lifespan = longest; lifespan > 1e-3; lifespan *= 0.999)
      least = std::max(least, expected_returned_work(platform, sharing, lifespan, risks));
    EXPECT_GE(expected_returned_work(platform, sharing, best, risks), least * (1 - 1e-12)) << longest;
    return best;
  };

  // 1.04 L - 1.002 L^2 from the second worker's horizon to the first one's.
  for (const double longest : {0.52, 1.0, 50.0, 10531.0, 1e9})
    EXPECT_NEAR(best_of({1, 100, 25}, {1, 2.13, 0.05}, longest), 0.52 / 1.002, 1e-6) << longest;
  for (const double longest : {1.0, 70.0, 182100.0})
    EXPECT_NEAR(best_of({1, 114}, {1, 0.00868}, longest), 0.5043476, 1e-6) << longest;
}

/// Every combination of interruption times, played message by message.
TEST(InterruptedReturns, EqualsEnumerationOfAllInterruptions) {
  RandomStars random(51);
  for (int trial = 0; trial < 40; ++trial) {
    const auto platform = to_doubles(random.free(3));
    const auto sharing = trial % 2 == 0 ? optimal_lifo(platform)
                                        : fifo_with_everyone(platform, order_by_send_time(platform), Ports::kTwo);
    const double lifespan = random.whole(1, 50);
    std::vector<std::vector<double>> times(3);
    std::vector<RiskPtr> risks;
    for (auto& list : times) {
      for (int k = 0; k < 4; ++k) list.push_back(lifespan * random.whole(1, 40) / 30.0 + 1e-4);
      risks.push_back(std::make_shared<ListedRisk>(list));
    }

    double total = 0;
    for (int code = 0; code < 64; ++code) {
      const std::size_t at[] = {static_cast<std::size_t>(code % 4), static_cast<std::size_t>(code / 4 % 4),
                                static_cast<std::size_t>(code / 16)};
      double now = lifespan;
      for (const std::size_t i : sharing.scenario.return_order)
        now -= lifespan * sharing.shares[i] * platform[i].return_time;
      for (const std::size_t i : sharing.scenario.return_order) {
        now += lifespan * sharing.shares[i] * platform[i].return_time;
        if (times[i][at[i]] >= now) total += lifespan * sharing.shares[i];
      }
    }

    const double expected = expected_returned_work(platform, sharing, lifespan, risks);
    EXPECT_NEAR(expected, total / 64, 1e-12 * std::max(1.0, expected)) << trial;
  }
}

TEST(InterruptedReturns, StaysBelowTheThroughputAndFallsWithTheRisk) {
  RandomStars random(52);
  for (int trial = 0; trial < 50; ++trial) {
    const auto platform = to_doubles(random.proportional(random.whole(1, 8), Rational(4, 5)));
    const auto sharing = optimal_fifo(platform, Ports::kTwo);
    double before = 10 * sharing.throughput * (1 + 1e-12);
    for (const double kappa : {1e-9, 0.01, 0.05, 0.2, 1.0}) {
      const std::vector<RiskPtr> risks(platform.size(), make_linear_risk(kappa));
      const double expected = expected_returned_work(platform, sharing, 10, risks);
      EXPECT_LE(expected, before);
      EXPECT_GE(expected, 0);
      before = expected;
    }
    EXPECT_EQ(before, 0);
  }
}

TEST(InterruptedReturns, RefusesWhatDoesNotFit) {
  const StarPlatform<double> platform = {{1, 1, 1}, {1, 1, 1}};
  const auto sharing = optimal_lifo(platform);
  const std::vector<RiskPtr> one(1, make_linear_risk());
  const std::vector<RiskPtr> two(2, make_linear_risk());

  EXPECT_THROW(expected_returned_work(platform, sharing, 1, one), InputError);
  EXPECT_THROW(expected_returned_work(platform, sharing, -1, two), InputError);
  EXPECT_THROW(expected_returned_work(platform, sharing, std::nan(""), two), InputError);
  EXPECT_THROW(best_lifespan(platform, sharing, 1, 0, two), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
