#pragma once

#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Which orders are considered: one order for both ways, or any two.
enum class OrderKind { kFifo, kPair };

/// The best scenario of a kind over all orders and enrolled sets, for any c, w and d, by branch and bound from a
/// scenario known to be good. The send order is fixed from the front and, for pairs, the return order from the back;
/// the bound is the scenario's linear program without what is undecided (for FIFO: each undecided pair costs each
/// of its two workers at least min(c, d) of the other). With Rational a bound within 1e-9 of the best known is computed
/// again exactly, so that the answer is the exact optimum. For pairs, time grows about twentyfold per worker. Throws
/// InputError for an invalid platform or scenario.
template <class Number>
StarSharing<Number> prove_orders(const StarPlatform<Number>& platform, OrderKind kind, Ports ports,
                                 const Scenario& start);

}  // namespace coterie::heuristics
