#pragma once

#include "heuristics/return_messages/order_proof.hpp"
#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// The most workers for which the searches below prove their answer, and for which they search at all.
inline constexpr std::size_t kProvenFifoWorkers = 8;
inline constexpr std::size_t kProvenPairWorkers = 7;
inline constexpr std::size_t kSearchedWorkers = 100;

template <class Number>
struct OrderSearchResult {
  StarSharing<Number> sharing;
  bool proven;  ///< proven that no scenario of the kind is better
};

/// The best scenario of a kind over all orders and enrolled sets, for any c, w and d.
/// Few workers (kProvenFifoWorkers, kProvenPairWorkers): prove_orders, started from the result of the local search.
/// More workers: local search (swap two, move one, in either order; first improvement) in doubles from the FIFO and
/// LIFO orders and, while a fixed effort lasts, from random ones (with 100 workers it ends in the first pass);
/// deterministic, never below the FIFO and LIFO orders by c, c + d or d, either way; not proven.
/// Throws InputError for an invalid platform, or one with more than kSearchedWorkers workers (with Rational,
/// kExactScenarioWorkers).
template <class Number>
OrderSearchResult<Number> best_orders(const StarPlatform<Number>& platform, OrderKind kind, Ports ports);

}  // namespace coterie::heuristics
