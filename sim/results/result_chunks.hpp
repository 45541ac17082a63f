#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/engine/rows.hpp"
#include "sim/results/result_format.hpp"

namespace coterie::sim {

/// A piece of a dataset of a result, ready to be written.
struct ResultChunk {
  std::string dataset;
  std::vector<hsize_t> offset;
  std::vector<std::byte> bytes;
};

/// How data stored by instance are divided into chunks: the ratios of all strategies of a configuration are in one.
class ResultChunks {
 public:
  /// Configurations and instances that are stored together in the file.
  struct Shape {
    std::uint64_t configurations;
    std::uint64_t instances;
  };

  ResultChunks(const Campaign& campaign, std::uint64_t instances);
  const Shape& shape() const { return shape_; }
  /// The number of chunks in a slice, which begins at a chunk boundary and ends at one, or with the result.
  std::size_t count(const ResultSlice& slice) const;
  /// Makes one of them; thread-safe.
  void make(const ResultSlice& slice, std::size_t index, ResultChunk& chunk) const;

 private:
  std::vector<InstanceColumn> columns_;
  std::uint64_t strategies_;
  Shape shape_;
  int deflate_;
};

}  // namespace coterie::sim
