#pragma once

#include <cstddef>
#include <vector>

#include "core/rational.hpp"

namespace coterie::heuristics {

/// A worker of a star [Beaumont, Marchal, Robert 2005, Section 2.1]: times per unit of load, zero or more, not all
/// zero.
template <class Number>
struct StarWorker {
  Number send_time{};     ///< c: from the master to the worker
  Number compute_time{};  ///< w: on the worker
  Number return_time{};   ///< d: the results of one unit of load, back to the master

  friend bool operator==(const StarWorker&, const StarWorker&) = default;
};

/// A master without processing power and its workers. Number is double or Rational.
template <class Number>
using StarPlatform = std::vector<StarWorker<Number>>;

/// kTwo: the master may send and receive at the same time (the model of the paper). kOne: strictly one message at a
/// time.
enum class Ports { kTwo, kOne };

/// Who is enrolled, and in which orders: worker indices from 0. Both orders hold the same workers, each once.
struct Scenario {
  std::vector<std::size_t> send_order;
  std::vector<std::size_t> return_order;

  friend bool operator==(const Scenario&, const Scenario&) = default;
};

/// Load processed within one unit of time (Section 2.2: everything is proportional to the length of the schedule).
template <class Number>
struct StarSharing {
  Scenario scenario;
  std::vector<Number> shares;  ///< by worker, 0 if not enrolled
  Number throughput{};         ///< the sum of the shares
};

/// How return times relate to send times: d = z c for all workers with one z (below, at or above 1; z may be infinite),
/// or no such z. Doubles count as proportional up to a relative error of 1e-12, Rationals only exactly.
enum class ReturnRatio { kBelowOne, kOne, kAboveOne, kNone };

template <class Number>
ReturnRatio return_ratio(const StarPlatform<Number>& platform);

/// Throws InputError for no workers, a negative or non-finite time, or a worker whose times are all zero.
template <class Number>
void require_valid(const StarPlatform<Number>& platform);

/// Throws InputError unless both orders hold the same workers, each once, with indices below `workers`, and at least
/// one.
void require_valid(const Scenario& scenario, std::size_t workers);

/// The platform with time reversed: c and d change places (end of Section 4).
template <class Number>
StarPlatform<Number> reversed_in_time(StarPlatform<Number> platform);
Scenario reversed_in_time(const Scenario& scenario);

StarPlatform<double> to_doubles(const StarPlatform<Rational>& platform);
inline StarPlatform<double> to_doubles(const StarPlatform<double>& platform) { return platform; }

/// Only the workers with a positive share, in their orders.
template <class Number>
Scenario without_idle_workers(const Scenario& scenario, const std::vector<Number>& shares);

}  // namespace coterie::heuristics
