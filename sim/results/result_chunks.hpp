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

/// How what is stored by instance is cut into chunks: all strategies' ratios of a configuration lie in one.
class ResultChunks {
 public:
  /// Configurations and instances that lie together in the file.
  struct Shape {
    std::uint64_t configurations;
    std::uint64_t instances;
  };

  ResultChunks(const Campaign& campaign, std::uint64_t instances);
  const Shape& shape() const { return shape_; }
  /// How many chunks there are in a slice, which begins at whole ones and ends so, or with the result.
  std::size_t count(const ResultSlice& slice) const;
  /// Makes one of them; by any thread.
  void make(const ResultSlice& slice, std::size_t index, ResultChunk& chunk) const;

 private:
  std::vector<InstanceColumn> columns_;
  std::uint64_t strategies_;
  Shape shape_;
  int deflate_;
};

}  // namespace coterie::sim
