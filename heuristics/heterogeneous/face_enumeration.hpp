#pragma once

#include "heuristics/heterogeneous/loss_allocation.hpp"

namespace coterie::heuristics {

/// Most workers whose faces are enumerated: 2^p - 1 linear systems.
inline constexpr std::size_t kMostEnumeratedWorkers = 16;

/// Shares that minimise the loss factor for the given order, which may be any. If it is not the best order, the loss
/// w'Qw need not be convex: the minimum over the simplex is a stationary point of some face, 2 Q_SS w = mu 1 on S and 0
/// elsewhere, so every face is tried. Throws InputError for more than kMostEnumeratedWorkers workers.
/// [heterogeneous-2011, Section 5.4]
Allocation allocation_by_faces(Platform platform);

}  // namespace coterie::heuristics
