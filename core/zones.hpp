#pragma once

#include <cstddef>
#include <span>

#include "core/schedule.hpp"

namespace coterie {

/// Workers that may be interrupted together: a rack, a site, a market. Of p workers, worker w is in zone floor(w z /
/// p). The hazard of each life splits into a part `common` = rho that its zone shares and a part 1 - rho of its own,
///   P(T > t) = S(t)^rho [zone] x S(t)^(1 - rho) [own], T being the earlier of both,
/// so that each worker alone has the same law as without zones. Zones are independent of each other.
/// [Marshall and Olkin 1967, Journal of the American Statistical Association 62, 30-44]
/// If workers of a zone have different laws, they share not a time but a level: with one uniform V per zone, its part
/// reaches worker w when S_w falls to (1 - V)^(1/rho). It reaches workers of the same law at the same time.
struct Zones {
  std::size_t count = 1;  ///< z >= 1
  double common = 0;      ///< rho, in [0, 1]

  /// Whether any two workers can be interrupted together; if not, they are independent.
  bool bind(std::size_t workers) const { return common > 0 && count < workers; }
  /// The zone of a worker; less than min(count, workers) if zones bind.
  std::size_t of(std::size_t worker, std::size_t workers) const { return worker * count / workers; }
};

/// Exact expected work of any static schedule of workers in zones. A piece is lost if every zone loses all of its
/// copies; for the copies of one zone, with s_1 >= ... >= s_k the probabilities that their workers live until they end,
///   P(all lost) = sum_{i=0..k} (s_i^rho - s_{i+1}^rho) prod_{l<=i} (1 - s_l^(1-rho)),  s_0 = 1, s_{k+1} = 0,
/// a sum over where the level of the zone's part falls: it takes all copies that end later, and the earlier ones are
/// lost by their own parts alone. This is the integral over the level, and exact for any risks, which enter by their
/// survival only. Never above the expectation for independent workers: lives that increase with independent levels are
/// associated, so copies are lost together at least as often. [Esary, Proschan, Walkup 1967, Annals of Mathematical
/// Statistics 38] `risks`: one per worker, or one for all. Equal to the last bit to that of independent workers if
/// zones do not bind.
double expected_work(const Schedule& schedule, std::span<const RiskPtr> risks, const Zones& zones);

}  // namespace coterie
