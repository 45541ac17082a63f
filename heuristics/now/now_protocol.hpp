#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/rational.hpp"

namespace coterie::heuristics {

/// A rented workstation [Rosenberg 2001, "The Model"]: times in units of the master's time for one unit of work (= one
/// packet).
template <class Number>
struct NowWorker {
  Number work_time{};    ///< rho: per unit of work
  Number packaging{};    ///< pi: per unit of results
  Number unpackaging{};  ///< pi-bar: per unit of work received
  Number setup_to{};     ///< sigma_0i: per message from the master
  Number setup_from{};   ///< sigma_i0: per message to the master
};

/// A network of workstations. Number is double or Rational.
template <class Number>
struct Now {
  Number packaging{};  ///< pi_0: the master's, per unit of work
  Number latency{};    ///< lambda: of the first packet
  Number transit{};    ///< tau: of each further packet; equal to the latency in a network without pipelining
  Number delta{};      ///< units of results per unit of work
  std::vector<NowWorker<Number>> workers;
};

/// Start-up order: in which the master sends work; finishing order: in which results are returned. Permutations of all
/// workers, from 0.
struct NowOrders {
  std::vector<std::size_t> start;
  std::vector<std::size_t> finish;
};

NowOrders now_fifo(std::size_t workers);  ///< both 1, 2, ..., n
NowOrders now_lifo(std::size_t workers);  ///< finishing n, ..., 2, 1

/// The work of a protocol in a lifespan L: w_i(L) = slope_i L - offset_i, all affine in L.
template <class Number>
struct NowProtocol {
  std::vector<Number> slopes;
  std::vector<Number> offsets;
  Number slope{};  ///< of the total work W(L) = slope L - offset
  Number offset{};
  Number message_rate{};      ///< time of all messages, packaging at the master included, per unit of work
  Number message_overhead{};  ///< and their fixed part: set-ups and first packets

  /// Sets slope, offset and the message times from the slopes and offsets of the workers.
  void add_totals(const Now<Number>& now);

  std::vector<Number> shares(const Number& lifespan) const;
  Number work(const Number& lifespan) const { return slope * lifespan - offset; }
  /// NOW-Rental: the lifespan in which the protocol does `work`. The slope is never zero.
  Number lifespan(const Number& work) const { return (work + offset) / slope; }
  /// Whether no share is negative in this lifespan; otherwise the protocol cannot be carried out.
  bool feasible(const Number& lifespan) const;
  /// The least feasible lifespan; nothing if there is none (a share falls with L, or stays negative).
  std::optional<Number> least_lifespan() const;
  /// The part of the lifespan that the messages fill if no two overlap; above 1 the strict single port of the model is
  /// violated: a result would come back while work is still being sent.
  Number port_load(const Number& lifespan) const {
    return (message_overhead + message_rate * work(lifespan)) / lifespan;
  }
  /// Whether the protocol can be carried out: it is feasible, and its messages fit one at a time (port_load <= 1; up to
  /// 1e-12 in doubles).
  bool fits(const Number& lifespan) const;
};

/// Throws InputError for no workers, negative or non-finite times, work times that are not positive, orders that are
/// not permutations of all workers.
template <class Number>
void require_valid(const Now<Number>& now, const NowOrders& orders);

/// The generic protocol's system of equations (procedure Fill_In_Coefficients, with the deck's undefined symbols
/// settled in errata now-2001: SB_i = started before i, FA_i = finishing after i, c_i = |SB_i| + |FA_i|):
///   (VC_i + rho_i) w_i + sum_j B_ij w_j = L - FC_i - c_i (lambda - tau) - sum_{SB_i} sigma_0j - sum_{FA_i} sigma_j0,
///   VC_i = pi_0 + tau (1 + delta) + pi-bar_i + pi_i delta,  FC_i = sigma_0i + sigma_i0 + 2 (lambda - tau),
///   B_ij = (pi_0 + tau) [j in SB_i] + tau delta [j in FA_i].
/// The matrix is non-singular for every pair of orders, but about one pair in eight has a negative share (errata).
/// Doubles: now_sweeps.hpp or Eigen. Rational: exact elimination. O(n^3); FIFO and LIFO in O(n): now_closed_forms.hpp.
/// Throws InputError as require_valid.
template <class Number>
NowProtocol<Number> now_protocol(const Now<Number>& now, const NowOrders& orders);

/// The lifespan from which on the first protocol does more than the second: (off_1 - off_2) / (slope_1 - slope_2). If
/// it is not positive, from the start. Nothing if the slope of the first is not greater: it overtakes nothing then
/// (with equal slopes, the one with the smaller offset is ahead in every lifespan).
template <class Number>
std::optional<Number> crossover_lifespan(const NowProtocol<Number>& first, const NowProtocol<Number>& second);

}  // namespace coterie::heuristics
