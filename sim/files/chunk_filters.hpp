#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coterie::sim {

/// Puts into `bytes` what HDF5's own filters make of a chunk of doubles (shuffle and deflate where `deflate` is from 1
/// to 9, then fletcher32), for H5Dwrite_chunk: the library makes one at a time, this is for any thread. Throws
/// RuntimeError where there is no memory to compress in.
void filter_chunk(std::span<const double> values, int deflate, std::vector<std::byte>& bytes);

}  // namespace coterie::sim
