#pragma once

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// Stars whose workers return results, a new random star for each instance, against the best FIFO schedule. Worker i
/// has c_i drawn from `send`, w_i = wc_ratio x a draw from `compute`, d_i = z c_i. Ratio = throughput / that of
/// opt-fifo: above 1 where a strategy beats it, as opt-lifo and best-pair may. With metric = "enrolled" the numbers of
/// enrolled workers are compared instead. [return-messages-2005, Section 5]
/// Interruptions: a schedule of length `lifespan` in which worker i is interrupted at T_i = T / h_i, T of the law
/// `risk`, h_i drawn from `hazard`. metric = "returned": the work that came back in that instance, "expected": its
/// exact expectation; both divided by opt-fifo's exact expectation on that star, so that a mean ratio above 1 means a
/// protocol that survives better.
const Model& return_messages_model();

}  // namespace coterie::sim
