#include "sim/statistics/statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/stream.hpp"

namespace coterie::sim {
namespace {

const double kNaN = std::numeric_limits<double>::quiet_NaN();

// R: quantile(c(1, 2, 4, 8, 16), c(.05, .25, .5, .75, .95), type = 7) is 1.2 2.0 4.0 8.0 14.4.
TEST(Statistics, QuantilesAreOfType7) {
  const Summary summary = summarise(std::vector<double>{16, 2, 8, 1, 4});

  EXPECT_DOUBLE_EQ(summary.quantiles[0], 1.2);
  EXPECT_DOUBLE_EQ(summary.quantiles[1], 2);
  EXPECT_DOUBLE_EQ(summary.quantiles[2], 4);
  EXPECT_DOUBLE_EQ(summary.quantiles[3], 8);
  EXPECT_DOUBLE_EQ(summary.quantiles[4], 14.4);
}

// R: x <- (0:99)^2 / 99^2; the same quantiles are 0.002502806 0.062501... at h = (n - 1) p.
TEST(Statistics, QuantilesInterpolateBetweenOrderStatistics) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i * i);
  const double at_5 = 16 + 0.95 * (25 - 16);         // h = 4.95
  const double at_25 = 576 + 0.75 * (625 - 576);     // h = 24.75
  const double at_95 = 8836 + 0.05 * (9025 - 8836);  // h = 94.05

  EXPECT_NEAR(quantile_of_sorted(values, 0.05), at_5, 1e-9);
  EXPECT_NEAR(quantile_of_sorted(values, 0.25), at_25, 1e-9);
  EXPECT_NEAR(quantile_of_sorted(values, 0.95), at_95, 1e-9);
  EXPECT_EQ(quantile_of_sorted(values, 0), 0);
  EXPECT_EQ(quantile_of_sorted(values, 1), 99 * 99);
}

TEST(Statistics, EqualAStraightforwardComputation) {
  for (std::uint64_t round = 0; round < 200; ++round) {
    Stream stream(StreamKey::derive(1, identity_hash("statistics"), Use::kPlatform), round, 0);
    std::vector<double> row(2 + round % 300);
    for (double& value : row) value = to_uniform(stream());
    long double sum = 0;
    for (const double value : row) sum += value;
    const long double mean = sum / static_cast<long double>(row.size());
    long double squares = 0;
    for (const double value : row) squares += (value - mean) * (value - mean);
    const auto n = static_cast<long double>(row.size());
    const auto deviation = static_cast<double>(std::sqrt(squares / (n - 1)));

    const Summary summary = summarise(row);

    ASSERT_NEAR(summary.mean, static_cast<double>(mean), 1e-14);
    ASSERT_NEAR(summary.stddev, deviation, 1e-14);
    double farthest = 0;
    for (const double value : row) farthest = std::max(farthest, std::abs(value - static_cast<double>(mean)));
    const auto count = static_cast<double>(n);
    ASSERT_NEAR(summary.standard_error, std::sqrt((deviation * deviation + 2 * farthest * farthest / count) / count),
                1e-14);
    ASSERT_NEAR(summary.half_width(), student_quantile(count - 1) * summary.standard_error, 1e-14);
    ASSERT_EQ(summary.min, *std::min_element(row.begin(), row.end()));
    ASSERT_EQ(summary.max, *std::max_element(row.begin(), row.end()));
    ASSERT_TRUE(std::is_sorted(summary.quantiles.begin(), summary.quantiles.end()));
  }
}

// Ties, values far apart, infinities, long and short rows: order statistics are those of a sort.
TEST(Statistics, QuantilesAreThoseOfSortedRows) {
  for (std::uint64_t round = 0; round < 600; ++round) {
    Stream stream(StreamKey::derive(1, identity_hash("quantiles"), Use::kPlatform), round, 0);
    std::vector<double> row(1 + static_cast<std::size_t>(std::pow(4000, to_uniform(stream()))));
    for (double& value : row) {
      const double u = to_uniform(stream());
      switch (round % 6) {
        case 0:
          value = u;
          break;
        case 1:
          value = u < 0.6 ? 1 : std::floor(8 * u) / 8;
          break;
        case 2:
          value = 0.25;
          break;
        case 3:
          value = std::pow(10, 600 * (u - 0.5));
          break;
        case 4:
          value = u < 0.001 ? 1e300 : u - 0.5;
          break;
        default:
          value = u < 0.3 ? std::numeric_limits<double>::infinity() : u;
      }
    }
    const Summary summary = summarise(row);
    std::sort(row.begin(), row.end());
    EXPECT_EQ(summary.min, row.front());
    EXPECT_EQ(summary.max, row.back());
    const double probabilities[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    for (std::size_t i = 0; i < 5; ++i) {
      const double expected = quantile_of_sorted(row, probabilities[i]);  // inf - inf is NaN, in both
      EXPECT_TRUE(summary.quantiles[i] == expected || (std::isnan(summary.quantiles[i]) && std::isnan(expected)))
          << round << ' ' << row.size() << ": " << summary.quantiles[i] << ' ' << expected;
    }
  }
}

TEST(Statistics, LeaveOutInstancesThatWereNotRun) {
  const Summary some = summarise(std::vector<double>{kNaN, 0.5, kNaN, 0.25});
  const Summary none = summarise(std::vector<double>{kNaN, kNaN});

  EXPECT_EQ(some.mean, 0.375);
  EXPECT_EQ(some.min, 0.25);
  EXPECT_TRUE(std::isnan(none.mean) && std::isnan(none.min) && std::isnan(none.quantiles[2]));
  EXPECT_TRUE(std::isnan(summarise({}).mean));
}

TEST(Statistics, KnowNoDeviationOfOneValue) {
  const Summary one = summarise(std::vector<double>{0.7});

  EXPECT_EQ(one.mean, 0.7);
  EXPECT_EQ(one.quantiles[0], 0.7);
  EXPECT_EQ(one.quantiles[4], 0.7);
  EXPECT_TRUE(std::isnan(one.stddev) && std::isnan(one.standard_error));
}

TEST(Statistics, EqualValuesDeviateByNothing) {
  const Summary same = summarise(std::vector<double>(1000, 0.1));

  EXPECT_NEAR(same.mean, 0.1, 1e-13);
  EXPECT_NEAR(same.stddev, 0, 1e-13);
  EXPECT_EQ(same.quantiles[2], 0.1);
  EXPECT_NEAR(same.standard_error, 0, 1e-13);
}

TEST(Statistics, RatiosThatAreAllAlikeMayYetBeAnything) {
  const Summary same = summarise(std::vector<double>(1000, 0.1), ValueRange::kRatio);
  EXPECT_NEAR(same.stddev, 0, 1e-13);
  EXPECT_NEAR(same.standard_error, std::sqrt(2) * 0.9 / 1000, 1e-13);
}

// Of n ratios each is 0 with the probability `rare`, else 1: how often does the interval hold the mean?
double coverage_of_rare_failures(double n, double rare) {
  double coverage = 0;
  for (double failures = 0; failures <= n; ++failures) {
    const double least = failures > 0 ? 0 : 1;
    const double mean = 1 - failures / n;
    const double error = guarded_error(mean * (1 - mean) * n / (n - 1), mean, least, failures < n ? 1 : 0, n);
    if (std::abs(mean - (1 - rare)) > student_quantile(n - 1) * error) continue;
    coverage += std::exp(std::lgamma(n + 1) - std::lgamma(failures + 1) - std::lgamma(n - failures + 1) +
                         failures * std::log(rare) + (n - failures) * std::log1p(-rare));
  }
  return coverage;
}

// Exact. The interval of mean and variance alone holds it in 63 % where one failure is expected, for none was seen.
TEST(Statistics, IntervalsHoldMeansOfRareFailures) {
  for (const double n : {250, 1000})
    for (const double expected : {0.01, 0.1, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 20.0})
      EXPECT_GT(coverage_of_rare_failures(n, expected / n), 0.93) << n << ' ' << expected;
}

}  // namespace
}  // namespace coterie::sim
