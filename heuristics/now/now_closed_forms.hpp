#pragma once

#include <optional>

#include "heuristics/now/now_protocol.hpp"

namespace coterie::heuristics {

/// The most workstations for which the closed forms are evaluated in exact arithmetic: fractions grow with each one.
inline constexpr std::size_t kExactNowWorkers = 128;

/// The protocol of FIFO (finishing in the start-up order) or LIFO (in the opposite order) in O(n): differences of
/// neighbouring rows of the printed systems ([now-2001], "The FIFO / LIFO Work-Sharing Protocol"), in start-up order,
/// with o_i the overheads of now_protocol:
///   FIFO  (VC_{i+1} + rho_{i+1} - tau delta) w_{i+1} = (VC_i + rho_i - pi_0 - tau) w_i + o_i - o_{i+1},
///         closed by its first row; walked from the last workstation where tau delta > pi_0 + tau, so that nothing
///         grows;
///   LIFO  (VC_{i+1} + rho_{i+1}) w_{i+1} = (VC_i + rho_i - pi_0 - tau (1 + delta)) w_i + o_i - o_{i+1},
///         begun by its first row.
/// All coefficients are positive. Gives the same as now_protocol, which solves any orders in O(n^3). Nothing for
/// other orders. Throws InputError as now_protocol does.
template <class Number>
std::optional<NowProtocol<Number>> now_closed_form(const Now<Number>& now, const NowOrders& orders);

/// The closed form if there is one, otherwise now_protocol.
template <class Number>
NowProtocol<Number> any_now_protocol(const Now<Number>& now, const NowOrders& orders);

/// Whether these orders are FIFO or LIFO.
bool has_closed_form(const NowOrders& orders);

}  // namespace coterie::heuristics
