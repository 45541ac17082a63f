// Every instruction set against the readable reference and against one another, bit for bit.
#include "sim/kernels/lane_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/uniform_real_distribution.hpp>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie::sim {
namespace {

std::vector<double> some_capacities(std::size_t workers, double most) {
  Stream stream(StreamKey::derive(2013, identity_hash("lanes"), Use::kPlatform), workers, 0);
  std::vector<double> values(workers * kLanes);
  for (double& value : values) value = boost::random::uniform_real_distribution<double>(0, most)(stream);
  values[0] = 0;
  values.back() = kInfinity;
  return values;
}

TEST(LaneLoops, ThePortableOnesAlwaysRunAndNamesAreDifferent) {
  const auto usable = usable_lane_loops();
  ASSERT_FALSE(usable.empty());
  EXPECT_STREQ(usable.front()->name, "portable");
  for (std::size_t i = 1; i < usable.size(); ++i) EXPECT_STRNE(usable[i]->name, usable[i - 1]->name);
}

// What the test below relies on, and what a user may set.
TEST(LaneLoops, CanBeForcedByName) {
  const char* before = std::getenv("COTERIE_LOOPS");
  const std::string kept = before != nullptr ? before : "";
  for (const LaneLoops* loops : usable_lane_loops()) {
    ASSERT_EQ(setenv("COTERIE_LOOPS", loops->name, 1), 0);
    EXPECT_EQ(&best_lane_loops(), loops);
  }
  ASSERT_EQ(setenv("COTERIE_LOOPS", "mmx", 1), 0);
  EXPECT_THROW(best_lane_loops(), InputError);
  ASSERT_EQ(setenv("COTERIE_LOOPS", kept.c_str(), 1), 0);
}

TEST(LaneLoops, DrawTheUniformsOfCore) {
  for (const LaneLoops* loops : usable_lane_loops())
    for (const std::size_t workers : {1, 3, 4, 5, 100})
      for (const std::uint64_t first :
           {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{0xfffffff0}, std::uint64_t{0xfffffffffffffff0}}) {
        const StreamKey key = StreamKey::derive(first + 1, workers, Use::kInterruption);
        std::vector<double> lanes((workers + 3) / 4 * 4 * kLanes);
        loops->uniforms(key.key[0], key.key[1], first, 0, workers, lanes.data());
        std::vector<double> expected(workers);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          worker_uniforms(key, first + lane, expected);
          for (std::size_t w = 0; w < workers; ++w) ASSERT_EQ(lanes[w * kLanes + lane], expected[w]) << loops->name;
        }
        if (workers <= 4) continue;
        std::vector<double> part(lanes.size() - 4 * kLanes);
        loops->uniforms(key.key[0], key.key[1], first, 4, workers - 4, part.data());
        for (std::size_t i = 0; i < (workers - 4) * kLanes; ++i) ASSERT_EQ(part[i], lanes[i + 4 * kLanes]);
      }
}

TEST(LaneLoops, AddUpTheOmniscientsWork) {
  for (const LaneLoops* loops : usable_lane_loops())
    for (const std::size_t workers : {1, 2, 7, 50}) {
      const std::vector<double> capacities = some_capacities(workers, 1);
      for (const double startup : {0.0, 0.01, 2.0}) {
        double useful[kLanes] = {};
        loops->add_useful(capacities.data(), workers / 2, startup, useful);
        loops->add_useful(capacities.data() + workers / 2 * kLanes, workers - workers / 2, startup, useful);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          double sum = 0;
          for (std::size_t w = 0; w < workers; ++w) sum += std::max(0.0, capacities[w * kLanes + lane] - startup);
          ASSERT_EQ(useful[lane], sum) << loops->name;
        }
      }
    }
}

// Every number of sizes and of lanes that are done; more digits than a sum of multiples has.
TEST(LaneLoops, AddUpPiecesBySize) {
  for (const LaneLoops* loops : usable_lane_loops())
    for (const std::size_t sizes : {1, 2, 5, 8}) {
      std::vector<double> size;
      std::vector<std::int32_t> pieces;
      std::vector<std::int32_t> counts(sizes * kLanes);
      for (std::size_t i = 0; i < sizes; ++i) {
        size.push_back(1 / (3.0 + static_cast<double>(i)));
        pieces.push_back(static_cast<std::int32_t>(i == 2 ? 0 : 7 + i));
        for (std::size_t lane = 0; lane < kLanes; ++lane)
          counts[i * kLanes + lane] = lane % 3 == 0 ? pieces[i] : static_cast<std::int32_t>(lane) * pieces[i] / 40;
      }
      double work[kLanes];
      loops->add_up({sizes, size.data(), pieces.data(), 123.456}, counts.data(), work);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        double sum = 0;
        for (std::size_t i = 0; i < sizes; ++i) sum += counts[i * kLanes + lane] * size[i];
        ASSERT_EQ(work[lane], lane % 3 == 0 ? 123.456 : sum) << loops->name;
      }
    }
}

/// Of each length about those of vectors, an ordinary block, and one that is whole.
constexpr std::size_t kRowLengths[] = {1, 2, 7, 8, 9, 15, 16, 17, 31, 250, 256};

TEST(LaneLoops, SumSeriesLaneByLane) {
  const std::vector<double> row = some_capacities(8, 1), other = some_capacities(9, 0.7);
  for (const LaneLoops* loops : usable_lane_loops())
    for (const std::size_t count : kRowLengths)
      for (const bool difference : {false, true}) {
        // From the second value on: the first of the row is nothing, the last one infinite. Vectors are not aligned.
        const SeriesView series = {row.data() + 1, difference ? other.data() + 3 : nullptr, std::min(count, 254UL)};
        const auto value = [&](std::size_t i) { return difference ? series.row[i] - series.other[i] : series.row[i]; };
        double sum[kSumLanes], least[kSumLanes], greatest[kSumLanes], squares[kSumLanes];
        loops->sum_series(series, sum, least, greatest);
        loops->sum_deviations(series, 0.3, squares);
        for (std::size_t lane = 0; lane < kSumLanes; ++lane) {
          double of_values = 0, of_squares = 0, low = value(0), high = value(0);
          for (std::size_t i = lane; i < series.count; i += kSumLanes) {
            of_values += value(i);
            low = std::min(low, value(i));
            high = std::max(high, value(i));
            const double deviation = value(i) - 0.3;
            of_squares += deviation * deviation;
          }
          ASSERT_EQ(sum[lane], of_values) << loops->name << ' ' << count;
          ASSERT_EQ(least[lane], low) << loops->name << ' ' << count;
          ASSERT_EQ(greatest[lane], high) << loops->name << ' ' << count;
          ASSERT_EQ(squares[lane], of_squares) << loops->name << ' ' << count;
        }
      }
}

TEST(LaneLoops, FindTheCellsOfValues) {
  std::vector<double> values = some_capacities(8, 1.2);
  values[3] = -0.0;
  values[4] = -7;
  values[5] = -kInfinity;
  values[6] = 1;
  values[8] = std::nextafter(1.0, 0);
  values[9] = 17.0 / 4096;
  values[10] = std::nextafter(17.0 / 4096, 0);
  for (const LaneLoops* loops : usable_lane_loops())
    for (const std::size_t count : kRowLengths) {
      std::vector<std::int32_t> cells(count + 1, -1);
      loops->find_cells(values.data(), count, 4096, cells.data());
      for (std::size_t i = 0; i < count; ++i)
        ASSERT_EQ(cells[i], std::floor(std::clamp(values[i], 0.0, 1.0) * 4096)) << loops->name << ' ' << values[i];
      ASSERT_EQ(cells[count], -1);
    }
}

TEST(LaneLoops, RatiosAreAtMost1And1WhereNothingCouldBeDone) {
  for (const LaneLoops* loops : usable_lane_loops()) {
    double work[kLanes] = {0, 1, 2, 3, std::nextafter(1.0, 2), 0.3, 0, 5e-324};
    double reference[kLanes] = {0, 1, 4, 2, 1, 0.7, 3, 5e-324};
    const double expected[] = {1, 1, 0.5, 1, 1, 0.3 / 0.7, 0, 1};
    double ratio[kLanes];
    loops->ratios(work, reference, ratio);
    for (std::size_t lane = 0; lane < std::size(expected); ++lane) EXPECT_EQ(ratio[lane], expected[lane]) << lane;
  }
}

// Beside powers of the mathematical library, at both ends of the grid and with parts near 0 and 1.
TEST(LaneLoops, JoinWorkersWithTheirZones) {
  constexpr std::size_t kWorkers = 40;
  constexpr std::size_t kZones = 7;
  Stream stream(StreamKey::derive(2013, identity_hash("zones"), Use::kPlatform), 0, 0);
  std::vector<double> uniforms(kWorkers * kLanes);
  for (double& value : uniforms) value = to_uniform(stream());
  std::vector<double> of_zones(kZones * kLanes);
  for (double& value : of_zones) value = to_uniform(stream());
  for (const std::size_t i : {0, 1}) {
    uniforms[i] = to_uniform(i == 0 ? 0 : 0xffffffff);
    of_zones[i + 1] = uniforms[i];
  }
  std::vector<std::uint32_t> zone_of(kWorkers);
  for (std::size_t w = 0; w < kWorkers; ++w) zone_of[w] = static_cast<std::uint32_t>(w * kZones / kWorkers);
  for (const double common : {1e-310, 1e-6, 0.2, 0.5, 0.8, 1 - 1e-9, 1.0}) {
    std::vector<double> first;
    for (const LaneLoops* loops : usable_lane_loops()) {
      std::vector<double> survival(kZones * kLanes);
      loops->survivals(of_zones.data(), kZones, 1 / common, survival.data());
      std::vector<double> joined = uniforms;
      loops->join_zones({1 / (1 - common), survival.data(), zone_of.data()}, kWorkers, joined.data());
      for (std::size_t i = 0; i < survival.size(); ++i) {
        const double exact = std::pow(1 - of_zones[i], 1 / common);
        ASSERT_NEAR(survival[i], exact, 3e-11) << loops->name;
      }
      for (std::size_t i = 0; i < joined.size(); ++i) {
        const double own = common == 1 ? 0 : std::pow(1 - uniforms[i], 1 / (1 - common));
        const double level = 1 - std::max(own, survival[zone_of[i / kLanes] * kLanes + i % kLanes]);
        ASSERT_NEAR(joined[i], level, 0x1p-32) << loops->name;
        ASSERT_EQ(joined[i] * 0x1p32 - 0.5, std::floor(joined[i] * 0x1p32)) << loops->name;
        ASSERT_TRUE(joined[i] > 0 && joined[i] < 1) << loops->name;
      }
      if (first.empty()) first = joined;
      ASSERT_EQ(joined, first) << loops->name;
    }
  }
}

}  // namespace
}  // namespace coterie::sim
