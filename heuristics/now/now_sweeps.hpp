#pragma once

#include "heuristics/now/now_protocol.hpp"

namespace coterie::heuristics {

/// The equations of now_protocol for any two orders where messages are short beside the work, as they should be: in
/// start-up order each worker's share follows from those before it and, for those that finish later, from the shares of
/// the sweep before. [Gauss-Seidel] O(n) a sweep, some five are usual. Sets slopes and offsets, to some units of the
/// last digit of the greatest, or returns false where a sweep does not halve what the last one changed. The orders are
/// valid.
bool solve_by_sweeps(const Now<double>& now, const NowOrders& orders, NowProtocol<double>& protocol);

}  // namespace coterie::heuristics
