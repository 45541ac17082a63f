#pragma once

#include <vector>

#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Closed forms of [Beaumont, Marchal, Robert 2005], all O(p) after sorting. Number is double or Rational: the same
/// code gives rounded and exact answers. All throw InputError for an invalid platform.

/// The best of all LIFO scenarios: everyone enrolled, served by non-decreasing c + d, no idle time (Theorem 1,
/// Proposition 1; recurrence in errata return-messages-2005, note on LIFO):
///   a_1 = 1 / (c_1 + w_1 + d_1),  a_{i+1} = a_i w_i / (c_{i+1} + w_{i+1} + d_{i+1}).
/// It respects one port: no two messages ever overlap. Any c and d.
template <class Number>
StarSharing<Number> optimal_lifo(const StarPlatform<Number>& platform);

/// The best of all FIFO scenarios if d = z c (Theorem 2, Proposition 2, recurrence corrected in errata 6):
///   z <= 1: by non-decreasing c, u_1 = 1 / (c_1 + w_1), u_{q+1} = u_q (d_q + w_q) / (c_{q+1} + w_{q+1}),
///   rho_q = sum u_i / (1 + sum d_i u_i), until rho_q d_{q+1} >= 1: that worker and all later ones are left out;
///   z > 1: the same with c and d exchanged, and the order reversed.
/// One port: stops where sum c_i u_i would exceed 1; the last worker's share then fills the port.
/// Throws InputError if d is not z c: then no theorem gives the order (see best_fifo).
template <class Number>
StarSharing<Number> optimal_fifo(const StarPlatform<Number>& platform, Ports ports);

/// FIFO in a given order of all workers, everyone enrolled, no idle time (Lemma 2): the heuristics FIFO-INC-C and
/// FIFO-INC-W of Section 5. Any c and d. With one port, if these shares overfill it, all shrink by the same factor.
/// Throws InputError if a worker has c = w = 0, since there is then no such schedule.
template <class Number>
StarSharing<Number> fifo_with_everyone(const StarPlatform<Number>& platform, const std::vector<std::size_t>& order,
                                       Ports ports);

/// All workers by non-decreasing c, by w, by c + d; equal ones in the order of the platform.
template <class Number>
std::vector<std::size_t> order_by_send_time(const StarPlatform<Number>& platform);
template <class Number>
std::vector<std::size_t> order_by_compute_time(const StarPlatform<Number>& platform);
template <class Number>
std::vector<std::size_t> order_by_communication(const StarPlatform<Number>& platform);

}  // namespace coterie::heuristics
