#include "sim/sampling/sobol_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <set>

#include "sim/model_interface/sampling.hpp"

namespace coterie::sim {
namespace {

StreamKey key(std::uint64_t seed) { return StreamKey::derive(seed, 42, Use::kShift); }

std::vector<double> uniforms_of(const SobolPoints& points, std::uint64_t first, std::size_t lanes,
                                std::size_t workers) {
  std::vector<double> uniforms(workers * lanes);
  points.uniforms(first, lanes, uniforms);
  return uniforms;
}

TEST(SobolPoints, AreThoseOfBoostShifted) {
  constexpr std::size_t kWorkers = 7;
  constexpr std::size_t kPoints = 40;
  const SobolPoints points(key(1), kWorkers);
  const std::vector<double> uniforms = uniforms_of(points, 0, kPoints * kReplicates, kWorkers);
  boost::random::sobol_engine<std::uint32_t, 32> engine(kWorkers);
  const auto word = [&](std::uint64_t instance, std::size_t w) {
    return static_cast<std::uint32_t>(uniforms[w * kPoints * kReplicates + instance] * 0x1p32 - 0.5);
  };
  for (std::uint64_t n = 1; n < kPoints; ++n)
    for (std::size_t w = 0; w < kWorkers; ++w) {
      const std::uint32_t digits = engine();
      for (std::size_t r = 0; r < kReplicates; ++r)
        ASSERT_EQ(word(n * kReplicates + r, w) ^ word(r, w), digits) << n << ' ' << w << ' ' << r;
    }
}

TEST(SobolPoints, AnInstanceDoesNotDependOnItsBlock) {
  const SobolPoints points(key(2), 13);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{243}, std::uint64_t{999'999'000}}) {
    const std::vector<double> block = uniforms_of(points, first, 100, 13);
    for (const std::size_t lane : {0, 1, 15, 16, 17, 50, 99}) {
      const std::vector<double> alone = uniforms_of(points, first + lane, 1, 13);
      for (std::size_t w = 0; w < 13; ++w) ASSERT_EQ(alone[w], block[w * 100 + lane]);
    }
  }
}

// 2^m points of a replicate fall into each of 2^m equal intervals once: for every worker, whatever the shift.
TEST(SobolPoints, CoverEachWorkersIntervalEvenly) {
  constexpr std::size_t kWorkers = 100;
  constexpr std::size_t kPoints = 64;
  const SobolPoints points(key(3), kWorkers);
  const std::vector<double> uniforms = uniforms_of(points, 0, kPoints * kReplicates, kWorkers);
  for (std::size_t w = 0; w < kWorkers; ++w)
    for (std::size_t r = 0; r < kReplicates; ++r) {
      std::set<int> met;
      for (std::size_t n = 0; n < kPoints; ++n)
        met.insert(static_cast<int>(uniforms[w * kPoints * kReplicates + n * kReplicates + r] * kPoints));
      ASSERT_EQ(met.size(), kPoints) << w << ' ' << r;
    }
}

// One instance over many seeds is uniform: Dvoretzky-Kiefer-Wolfowitz, false alarm 1e-9. Point 0 alone would be 0.
TEST(SobolPoints, AnInstanceByItselfIsUniform) {
  constexpr std::size_t kSeeds = 20'000;
  for (const std::uint64_t instance : {std::uint64_t{0}, std::uint64_t{777}}) {
    std::vector<double> draws;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
      draws.push_back(uniforms_of(SobolPoints(key(seed), 2), instance, 1, 2)[1]);
    std::sort(draws.begin(), draws.end());
    double greatest = 0;
    for (std::size_t i = 0; i < kSeeds; ++i)
      greatest = std::max(greatest, std::abs(draws[i] - (static_cast<double>(i) + 0.5) / kSeeds));
    EXPECT_LT(greatest, 0.5 / kSeeds + std::sqrt(std::log(2e9) / (2.0 * kSeeds)));
  }
}

TEST(SobolPoints, EndWithTheirTable) {
  EXPECT_GE(SobolPoints::most_workers(), 3667u);
  EXPECT_THROW(SobolPoints(key(1), SobolPoints::most_workers() + 1), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::sim
