#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Up to how many workers the closed forms are evaluated in exact arithmetic: fractions grow with every worker.
inline constexpr std::size_t kExactClosedFormWorkers = 100;

template <class Number>
struct StarAnswer {
  StarSharing<Number> sharing;
  std::string method;  ///< which theorem or algorithm, corrected or not, and what it leaves open
  bool proven;         ///< nothing the strategy may choose is better
};

/// A way to share on a star with return messages: one row.
struct StarStrategy {
  std::string name;
  std::string summary;
  std::string source;
  /// In doubles, for any number of workers. Throws InputError for an invalid platform.
  StarAnswer<double> (*rounded)(const StarPlatform<double>& platform, Ports ports);
  /// The same exactly; nothing where exact arithmetic would be too slow or says nothing more.
  std::optional<StarAnswer<Rational>> (*exact)(const StarPlatform<Rational>& platform, Ports ports);
};

/// opt-fifo, opt-lifo, fifo-inc-c, fifo-inc-w [Beaumont, Marchal, Robert 2005, Section 5] and best-pair (Section 7).
/// opt-fifo where d is not z c: no theorem settles the order (neither c nor c + d does: errata return-messages-2005),
/// so it is the best over orders, proven for few workers and searched beyond (order_search.hpp).
const std::vector<StarStrategy>& star_strategies();

}  // namespace coterie::heuristics
