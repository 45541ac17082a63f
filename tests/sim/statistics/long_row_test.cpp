#include "sim/statistics/long_row.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie::sim {
namespace {

double value_of_kind(std::uint64_t kind, double u) {
  switch (kind) {
    case 0:
      return u;
    case 1:
      return u < 0.6 ? 1 : std::floor(8 * u) / 8;
    case 2:
      return 0.25;
    case 3:
      return std::pow(10, 600 * (u - 0.5)) * (u < 0.2 ? -1 : 1);
    case 4:
      return u < 0.001 ? 1e300 : u - 0.5;
    case 5:
      return 0.5 + std::ldexp(std::floor(u * 1000), -53);  // neighbours
    case 6:
      return u < 0.3 ? std::numeric_limits<double>::quiet_NaN() : u;
    default:
      return u < 0.3 ? kInfinity : u;
  }
}

Summary in_pieces(const std::vector<double>& row, std::size_t piece, std::size_t most_held, int& passes) {
  LongRow taken(most_held);
  for (passes = 0; taken.wants_pass(); ++passes) {
    for (std::size_t first = 0; first < row.size(); first += piece)
      taken.take(std::span(row).subspan(first, std::min(piece, row.size() - first)));
    taken.end_pass();
  }
  return taken.summary();
}

std::vector<std::uint64_t> bits_of(const Summary& summary) {
  std::vector<double> all{summary.mean,           summary.count, summary.stddev,
                          summary.standard_error, summary.min,   summary.max};
  all.insert(all.end(), summary.quantiles.begin(), summary.quantiles.end());
  std::vector<std::uint64_t> bits;
  for (const double value : all)  // one NaN is as good as another
    bits.push_back(std::isnan(value) ? 0 : std::bit_cast<std::uint64_t>(value));
  return bits;
}

// Ties, neighbours, values far apart, infinities, instances that were not run; held are all, some or none.
TEST(LongRow, HasTheSummaryOfTheRowToTheLastBit) {
  for (std::uint64_t round = 0; round < 400; ++round) {
    Stream stream(StreamKey::derive(1, identity_hash("long rows"), Use::kPlatform), round, 0);
    std::vector<double> row(1 + static_cast<std::size_t>(std::pow(4000, to_uniform(stream()))));
    for (double& value : row) value = value_of_kind(round % 8, to_uniform(stream()));
    int passes = 0;
    const std::vector<std::uint64_t> whole = bits_of(summarise(row));
    for (const std::size_t most_held : {std::size_t{0}, std::size_t{40}, row.size()}) {
      EXPECT_EQ(bits_of(in_pieces(row, 1 + round % 97, most_held, passes)), whole) << round << ' ' << most_held;
      EXPECT_EQ(passes, static_cast<std::size_t>(summarise(row).count) <= most_held ? 2 : 4)
          << round << ' ' << most_held;
    }
  }
}

TEST(LongRow, OfNoInstanceKnowsNothing) {
  int passes = 0;
  const std::vector<double> row(10, std::numeric_limits<double>::quiet_NaN());
  const Summary summary = in_pieces(row, 3, 4, passes);
  EXPECT_EQ(summary.count, 0);
  EXPECT_TRUE(std::isnan(summary.mean) && std::isnan(summary.max) && std::isnan(summary.quantiles[2]));
}

}  // namespace
}  // namespace coterie::sim
