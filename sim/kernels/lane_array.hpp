#pragma once

#include <boost/align/aligned_allocator.hpp>
#include <boost/core/noinit_adaptor.hpp>
#include <vector>

namespace coterie::sim {

/// What the loops read and write fastest: no vector straddles two cache lines. Numbers are not set to 0 unless asked.
template <typename Number>
using LaneArray = std::vector<Number, boost::noinit_adaptor<boost::alignment::aligned_allocator<Number, 64>>>;

}  // namespace coterie::sim
