#pragma once

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Networks of workstations: the work that protocols do in a lifespan, against FIFO's. Parameters as in the crossover
/// table: times in seconds, divided by the grain (the time of one unit of work at the master); delta = 1, pi_i =
/// pi-bar_i = rho_i pi_0. Ratio = work / FIFO's, above 1 where the protocol does more; 0 where it cannot be carried out
/// because a share would be negative (errata now-2001) or its messages do not fit one at a time. FIFO's must fit. Only
/// random orders differ between instances. [now-2001]
/// With metric = "returned" each workstation is interrupted at a time of the law `risk` (in seconds), and only work
/// whose results were back by then counts; the ratio is to FIFO's exact expectation.
const Model& now_model();

}  // namespace coterie::sim
