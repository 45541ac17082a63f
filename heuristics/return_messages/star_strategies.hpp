#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// The most workers for which the closed forms are evaluated in exact arithmetic: fractions grow with each worker.
inline constexpr std::size_t kExactClosedFormWorkers = 100;

template <class Number>
struct StarAnswer {
  StarSharing<Number> sharing;
  std::string method;   ///< which theorem or algorithm, whether corrected, and what remains open
  bool proven = false;  ///< proven to be the best that the strategy may choose
};

/// A way to share on a star with return messages.
struct StarStrategy {
  std::string name;
  std::string summary;
  std::string source;
  /// In doubles, for any number of workers. Throws InputError for an invalid platform.
  StarAnswer<double> (*rounded)(const StarPlatform<double>& platform, Ports ports);
  /// The same in exact arithmetic; nothing if that would be too slow or add nothing.
  std::optional<StarAnswer<Rational>> (*exact)(const StarPlatform<Rational>& platform, Ports ports);
};

/// opt-fifo, opt-lifo, fifo-inc-c, fifo-inc-w [Beaumont, Marchal, Robert 2005, Section 5] and best-pair (Section 7).
/// opt-fifo if d is not z c: no theorem gives the order (neither c nor c + d does: errata return-messages-2005), so it
/// is the best over orders, proven for few workers and otherwise searched for (order_search.hpp).
const std::vector<StarStrategy>& star_strategies();

}  // namespace coterie::heuristics
