#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace coterie {

/// What random numbers are used for. A new use gets a new value (3 was one); no use shares the stream of another.
enum class Use : std::uint32_t {
  kInterruption = 1,
  kArrival = 2,
  kSchedule = 4,
  kPlatform = 5,
  kAge = 6,
  kPlan = 7,    ///< to make plans: backgrounds, and instances on which policies are compared
  kZone = 9,    ///< the shared part of interruptions in a zone
  kDeal = 10,   ///< which worker runs which list if zones are not known
  kReturn = 11  ///< when interrupted workers come back, and how long they then stay
};

/// The key of all streams of one use in one configuration: a pure function of (seed, identity, use), namely the
/// first two words of Philox4x32-10 with key = seed, counter = (identity low, identity high, use, 0x636f7465).
struct StreamKey {
  r123::Philox4x32::key_type key;
  static StreamKey derive(std::uint64_t seed, std::uint64_t identity, Use use);
};

/// The random numbers of one worker in one instance, as a Boost.Random engine of 32-bit numbers. Draw d is word
/// d mod 4 of Philox4x32-10 at counter (d / 4, worker, instance low, instance high): counter-based, so it is the
/// same for any number of threads and any order. [Salmon et al., SC 2011]
class Stream {
 public:
  using result_type = std::uint32_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  Stream(const StreamKey& key, std::uint64_t instance, std::uint32_t worker) : key_(key.key) {
    counter_ = {{0, worker, static_cast<std::uint32_t>(instance), static_cast<std::uint32_t>(instance >> 32)}};
  }

  result_type operator()() {
    if (used_ == 4) {
      words_ = r123::Philox4x32()(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return words_[used_++];
  }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_{};
  r123::Philox4x32::ctr_type words_{};
  std::size_t used_ = 4;
};

/// A uniform in the open interval (0, 1): (word + 1/2) / 2^32.
inline double to_uniform(std::uint32_t word) { return (static_cast<double>(word) + 0.5) * 0x1p-32; }

/// One uniform per worker: uniforms[w] comes from word w mod 4 at counter (w / 4, 0xffffffff, instance low, high).
/// For interruption times by inversion, so that neighbouring settings share their instances.
void worker_uniforms(const StreamKey& key, std::uint64_t instance, std::span<double> uniforms);

/// 64-bit FNV-1a of a text, followed by the SplitMix64 mixer: the identity of a configuration is this hash of its
/// canonical parameters.
std::uint64_t identity_hash(std::string_view text);

}  // namespace coterie
