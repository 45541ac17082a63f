#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/risk.hpp"
#include "sim/drawing/timing_diagram.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// problem = "now": a network of workstations [Rosenberg 2001], times in units of the master's time for one unit of
/// work. Keys: lifespan (NOW-Exploitation) or work (NOW-Rental); protocol = "fifo" or "lifo" in the order of the file,
/// or start and finish: two permutations of all workers, numbered from 1; delta; latency (lambda); transit (tau);
/// packaging (pi_0);
/// [[worker]] work_time (rho), packaging (pi) and unpackaging (pi-bar), both rho pi_0 unless written (the deck's
/// experiment: errata now-2001), setup_to (sigma_0i) and setup_from (sigma_i0), both 0 unless written. Answer: work or
/// lifespan; shares by worker; feasible: no share is negative; slope and offset: W = slope L - offset; port_load: part
/// of the lifespan filled by messages (above 1 they overlap); start and finish: the orders. least_lifespan: the
/// shortest in which no share is negative; null if there is none. Few workers (FIFO and LIFO 128, other orders 32) also
/// exactly
/// ("..._exact"), and with "overtakes": the lifespan from which on the protocol does more than fifo and lifo, by the
/// formula of the work alone; zero or less: in every lifespan; null: from none on.
/// capacity: the most packets in transit at a time; the transit is at least latency / capacity, as if every message
/// had more packets than that; default: no limit. "network" in the answer: the resulting transit, fits (whether
/// messages fit one at a time: port_load <= 1; otherwise the work cannot be done even if the shares are feasible),
/// packets_in_transit (the capacity needed), greatest_work (what fits through one message at a time in the lifespan)
/// and workers_fed (how many of these workstations' messages fit; null if not all of them fit and there are more than
/// 1000 workstations, 64 in orders that are neither FIFO nor LIFO, or if not even one fits). Interruptions: risk for
/// all workers, or in each
/// [[worker]]. The answer then has the expected returned work (worker_risks, interrupted_returns) where the protocol is
/// feasible; protocol = "best-expected" chooses the orders by it (risk_aware_orders). Throws InputError with the place
/// of what is wrong.
nlohmann::ordered_json solve_now(TomlTable& file, const RiskKinds& laws);
/// The protocol of the answer as a picture; InputError if it is not feasible.
TimingDiagram draw_now(TomlTable& file, const RiskKinds& laws);

}  // namespace coterie::sim
