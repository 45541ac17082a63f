#include "sim/planning/share_estimate.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace coterie::sim {
namespace {

TEST(ShareEstimate, NoneAndAllHaveClosedForms) {
  const ShareEstimate none = estimate_share(0, 10);
  EXPECT_EQ(none.share, 0);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 0.1), 1e-12);
  const ShareEstimate all = estimate_share(10, 10, 0.99);
  EXPECT_EQ(all.share, 1);
  EXPECT_NEAR(all.low, std::pow(0.005, 0.1), 1e-12);
  EXPECT_EQ(all.high, 1);
}

/// Summed over all that may be seen of 40 runs: no chance is left to the test.
TEST(ShareEstimate, HoldsTheTrueShareAsOftenAsItSays) {
  constexpr int kRuns = 40;
  for (const double level : {0.8, 0.95, 0.99})
    for (double p = 0.01; p < 1; p += 0.03) {
      double held = 0;
      for (int k = 0; k <= kRuns; ++k) {
        const ShareEstimate seen = estimate_share(static_cast<std::size_t>(k), kRuns, level);
        EXPECT_LE(seen.low, seen.share);
        EXPECT_LE(seen.share, seen.high);
        if (p < seen.low || p > seen.high) continue;
        held += std::exp(std::lgamma(kRuns + 1.) - std::lgamma(k + 1.) - std::lgamma(kRuns - k + 1.) + k * std::log(p) +
                         (kRuns - k) * std::log1p(-p));
      }
      EXPECT_GE(held, level - 1e-9) << p;
    }
}

}  // namespace
}  // namespace coterie::sim
