// The tabulated law of the capacity under background jobs, against one computed without drawing anything.
#include "sim/sampling/capacity_risk.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "core/infinity.hpp"
#include "tests/parametric.hpp"

namespace coterie::sim {
namespace {

CapacityRisk capacity_risk(const std::string& interruption, const std::string& jobs, double limit) {
  return {risk(interruption), *make_background(Expression::parse(jobs)), limit};
}

/// P(V(T) >= w), T exponential of rate r, as w grows from 0: on the clock of the work, n jobs make everything n + 1
/// times as fast, so g_n' = (n + 1) (lambda (g_{n+1} - g_n) + mu (g_{n-1} - g_n) - r g_n). Runge-Kutta of order 4.
class ExactSurvival {
 public:
  ExactSurvival(double arrival, double service, double rate) : arrival_(arrival), service_(service), rate_(rate) {
    g_.fill(1);
  }
  double after(double step) {
    const State k1 = slope(g_);
    const State k2 = slope(moved(k1, step / 2));
    const State k3 = slope(moved(k2, step / 2));
    const State k4 = slope(moved(k3, step));
    for (std::size_t n = 0; n < kStates; ++n) g_[n] += step * (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n]) / 6;
    return g_[0];
  }

 private:
  static constexpr std::size_t kStates = 40;
  using State = std::array<double, kStates>;
  State slope(const State& g) const {
    State d{};
    for (std::size_t n = 0; n < kStates; ++n) {
      if (n + 1 < kStates) d[n] += arrival_ * (g[n + 1] - g[n]);
      if (n > 0) d[n] += service_ * (g[n - 1] - g[n]);
      d[n] = static_cast<double>(n + 1) * (d[n] - rate_ * g[n]);
    }
    return d;
  }
  State moved(const State& d, double by) const {
    State g = g_;
    for (std::size_t n = 0; n < kStates; ++n) g[n] += by * d[n];
    return g;
  }
  double arrival_;
  double service_;
  double rate_;
  State g_{};
};

/// The bound of Dvoretzky, Kiefer, Wolfowitz and Massart for kSamples draws at a false alarm of 1e-8; slices of the
/// interruption time only make the table better.
const double kBound = std::sqrt(std::log(2e8) / (2.0 * CapacityRisk::kSamples));

TEST(CapacityRisk, IsTheLawOfTheCapacity) {
  for (const auto& [arrival, service] : {std::pair{2.0, 3.0}, std::pair{0.5, 0.1}}) {
    const CapacityRisk law =
        capacity_risk("exponential(rate=1)", fmt::format("mm1(arrival={}, service={})", arrival, service), 4);
    ExactSurvival exact(arrival, service, 1);
    double apart = 0;
    for (int step = 1; step <= 3000; ++step) {
      const double work = 1e-3 * step;
      const double survival = exact.after(1e-3);
      ASSERT_NEAR(law.survival(work), survival, kBound) << work;
      apart = std::max(apart, std::abs(std::exp(-work) - survival));
    }
    EXPECT_GT(apart, 2 * kBound) << "to ignore the jobs must be seen";
  }
}

TEST(CapacityRisk, WithoutJobsIsTheRiskOfTheInterruption) {
  for (const char* text : {"linear", "exponential(rate=2)", "weibull(shape=0.6, scale=0.3)"}) {
    const CapacityRisk law = capacity_risk(text, "mm1(arrival=0, service=1)", 1.5);
    for (double work = 0.01; work < 3; work += 0.01)
      ASSERT_NEAR(law.probability(work), risk(text)->probability(work), 1.0 / CapacityRisk::kSamples) << text;
    EXPECT_EQ(law.horizon(), risk(text)->horizon());
  }
}

/// A machine that always shares itself with one job does half of what it could.
TEST(CapacityRisk, BesideJobsThatNeverLeaveTheHorizonIsTheirs) {
  const CapacityRisk law = capacity_risk("linear", "mm1(arrival=0, service=0, initial=1)", 0.3);
  EXPECT_EQ(law.horizon(), 0.5);
  for (double work = 0.01; work < 0.6; work += 0.01)
    ASSERT_NEAR(law.probability(work), std::min(1.0, 2 * work), 1.0 / CapacityRisk::kSamples) << work;
}

TEST(CapacityRisk, QuantilesInvertProbabilitiesAndGrow) {
  for (const double limit : {0.2, 1.0, 5.0}) {
    const CapacityRisk law = capacity_risk("exponential(rate=1)", "mm1(arrival=2, service=3)", limit);
    double before = 0;
    for (double u = 0.0005; u < 1; u += 0.001) {
      const double work = law.quantile(u);
      ASSERT_GE(work, before);
      ASSERT_GE(law.probability(work + 1e-9), u - 1e-12) << limit;
      ASSERT_LE(law.probability(work), u + 1e-12) << limit;
      before = work;
    }
    for (double work = 0; work < 8; work += 0.01) {
      ASSERT_LE(law.probability(work), law.probability(work + 0.01));
      ASSERT_GE(law.probability(work), work > limit ? risk("exponential(rate=1)")->probability(work) : 0);
    }
    EXPECT_EQ(law.quantile(1), kInfinity);
  }
}

TEST(CapacityRisk, IsTheSameEachTime) {
  const CapacityRisk once = capacity_risk("linear", "mm1(arrival=20, service=30, common=yes)", 2);
  const CapacityRisk again = capacity_risk("linear", "mm1(arrival=20, service=30, common=yes)", 2);
  for (double work = 0; work < 1; work += 0.001) ASSERT_EQ(once.probability(work), again.probability(work));
  EXPECT_EQ(once.text(), "capacity(linear(kappa=1), mm1(arrival=20, service=30, initial=0, common=yes))");
}

}  // namespace
}  // namespace coterie::sim
