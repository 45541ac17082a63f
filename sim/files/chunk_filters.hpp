#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coterie::sim {

/// Writes to `bytes` what HDF5's own filters make of a chunk of doubles (shuffle and deflate if `deflate` is from 1 to
/// 9, then fletcher32), for H5Dwrite_chunk. The library processes one chunk at a time; this can run in any thread.
/// Throws RuntimeError if there is no memory for compressing.
void filter_chunk(std::span<const double> values, int deflate, std::vector<std::byte>& bytes);

}  // namespace coterie::sim
