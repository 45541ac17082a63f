#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stream.hpp"

namespace coterie::sim {

/// Uniform numbers that cover (0, 1) evenly for each worker, and the square for each two workers, with far fewer
/// instances than independent numbers would need: instance i is the Sobol point number i / kReplicates (of 32 binary
/// digits, from the table of Joe and Kuo [2008, SIAM Journal on Scientific Computing 30, 2635-2654] in Boost.Random),
/// its digits turned by a random word for each worker and replicate i mod kReplicates (digital shift [L'Ecuyer and
/// Lemieux 2002]). So each instance by itself is uniform on the grid of 2^32 draws that independent ones have, means
/// are unbiased, replicates independent, and an instance is a pure function of its number and the key.
class SobolPoints {
 public:
  /// The most workers that the table supports.
  static std::size_t most_workers();

  /// Throws std::invalid_argument for more workers than that.
  SobolPoints(const StreamKey& shifts, std::size_t workers);

  /// uniforms[w * lanes + lane] for the instances first_instance + lane, lane < lanes.
  void uniforms(std::uint64_t first_instance, std::size_t lanes, std::span<double> uniforms) const;

 private:
  void point(std::uint64_t number, std::span<std::uint32_t> digits) const;

  std::size_t workers_;
  std::vector<std::uint32_t> directions_;  // digit of the number's Gray code x worker
  std::vector<std::uint32_t> shifts_;      // replicate x worker
};

}  // namespace coterie::sim
