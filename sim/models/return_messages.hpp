#pragma once

#include "sim/model.hpp"

namespace coterie::sim {

/// Stars whose workers return results, a new random star for each instance, against the best FIFO schedule. Worker i
/// has c_i drawn from `send`, w_i = wc_ratio x a draw from `compute`, d_i = z c_i. Ratio = throughput / that of
/// opt-fifo: above 1 where a strategy beats it, as opt-lifo and best-pair may. With metric = "enrolled" the numbers of
/// enrolled workers are compared instead. [return-messages-2005, Section 5]
const Model& return_messages_model();

}  // namespace coterie::sim
