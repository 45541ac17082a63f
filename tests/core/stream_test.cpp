#include "core/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/random/exponential_distribution.hpp>
#include <cmath>
#include <vector>

namespace coterie {
namespace {

// Random123 1.14, tests/kat_vectors: philox4x32 10 rounds.
TEST(Stream, MatchesThePublishedKnownAnswers) {
  const r123::Philox4x32 philox;

  EXPECT_EQ(philox({{0, 0, 0, 0}}, {{0, 0}}),
            (r123::Philox4x32::ctr_type{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  EXPECT_EQ(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}),
            (r123::Philox4x32::ctr_type{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(Stream, DrawsTheWordsOfConsecutiveCounters) {
  const StreamKey key = StreamKey::derive(7, 11, Use::kArrival);
  Stream stream(key, 0x1'0000'0002, 5);

  for (std::uint32_t block = 0; block < 3; ++block) {
    const auto words = r123::Philox4x32()({{block, 5, 2, 1}}, key.key);
    for (const std::uint32_t word : words) EXPECT_EQ(stream(), word);
  }
}

TEST(Stream, SeparatesSeedIdentityUseInstanceAndWorker) {
  std::vector<std::uint64_t> first;
  for (const std::uint64_t seed : {1, 2})
    for (const std::uint64_t identity : {1, 2})
      for (const Use use : {Use::kArrival, Use::kPlatform})
        for (const std::uint64_t instance : {1, 2})
          for (const std::uint32_t worker : {1u, 2u}) {
            Stream stream(StreamKey::derive(seed, identity, use), instance, worker);
            const std::uint64_t high = stream();
            first.push_back(high << 32 | stream());
          }
  std::sort(first.begin(), first.end());

  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
}

TEST(WorkerUniforms, DependOnTheWorkerNotOnHowManyThereAre) {
  const StreamKey key = StreamKey::derive(1, 2, Use::kInterruption);
  std::vector<double> few(5);
  std::vector<double> many(101);

  worker_uniforms(key, 3, few);
  worker_uniforms(key, 3, many);

  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  EXPECT_TRUE(std::all_of(many.begin(), many.end(), [](double u) { return u > 0 && u < 1; }));
}

// False alarm: 1e-8, from the chi-square quantile of 99 degrees of freedom.
TEST(WorkerUniforms, AreUniform) {
  const StreamKey key = StreamKey::derive(2013, 42, Use::kInterruption);
  std::vector<double> counts(100, 0);
  std::vector<double> uniforms(100);
  for (std::uint64_t instance = 0; instance < 10000; ++instance) {
    worker_uniforms(key, instance, uniforms);
    for (const double u : uniforms) ++counts[static_cast<std::size_t>(u * 100)];
  }
  double chi_square = 0;
  for (const double count : counts) chi_square += (count - 10000) * (count - 10000) / 10000;

  EXPECT_LT(chi_square, quantile(complement(boost::math::chi_squared(99), 1e-8)));
}

TEST(Stream, FeedsBoostDistributions) {
  Stream stream(StreamKey::derive(1, 1, Use::kPlatform), 0, 0);
  boost::random::exponential_distribution<double> service(2.0);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) sum += service(stream);

  EXPECT_NEAR(sum / 100000, 0.5, 6 * 0.5 / std::sqrt(100000.0));  // false alarm 2e-9
}

TEST(IdentityHash, IsTheDocumentedFunction) {
  const auto mixed = [](std::uint64_t hash) {
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111eb;
    return hash ^ (hash >> 31);
  };

  EXPECT_EQ(identity_hash(""), mixed(0xcbf29ce484222325));
  EXPECT_EQ(identity_hash("foobar"), mixed(0x85944171f73967e8));  // FNV-1a test vector
}

}  // namespace
}  // namespace coterie
