#pragma once

#include "heuristics/now/now_protocol.hpp"

namespace coterie::heuristics {

/// Solves the equations of now_protocol for any two orders if messages are short compared with the work, as they should
/// be: in start-up order each worker's share follows from those before it and, for those that finish later, from the
/// shares of the previous sweep. [Gauss-Seidel] O(n) per sweep; about five are usual. Sets slopes and offsets, to a few
/// units of the last digit of the greatest, or returns false if a sweep does not halve the change of the last one. The
/// orders must be valid.
bool solve_by_sweeps(const Now<double>& now, const NowOrders& orders, NowProtocol<double>& protocol);

}  // namespace coterie::heuristics
