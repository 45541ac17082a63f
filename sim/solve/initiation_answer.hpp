#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// A schedule of one or two workers in one initiation model, and what else Theorem 1 needs. [worksharing-2013]
struct InitiationCase {
  double startup = 0;  ///< of the model that the schedule was made for; 0: the free one
  double expected_work = 0;
  double bound = 0;  ///< no schedule of that model with as many chunks as are allowed exceeds it
  bool is_optimal = false;
  std::size_t distinct_chunks = 0;           ///< of the schedule, over all workers
  std::optional<std::size_t> most_distinct;  ///< of any schedule; nothing: unlimited
  double free_bound = 0;                     ///< no schedule without start-up cost exceeds it
};

/// `charged_startup` of a problem file: the start-up cost of the charged-initiation model with which an answer without
/// start-up cost is compared. Throws InputError if it is not positive and finite, or if `startup` is not 0.
std::optional<double> read_charged_startup(TomlTable& file, double startup);

/// The key "theorem_1" of an answer: the greatest expected work in the other initiation model, with at most as many
/// chunks per worker as the problem allows, lies between "at_least" and "at_most", as far as Theorem 1 or a bound says
/// (null if neither does).
nlohmann::ordered_json theorem_1_answer(const InitiationCase& known, std::optional<double> charged_startup);

}  // namespace coterie::sim
