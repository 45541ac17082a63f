#pragma once

#include <string>

#include "sim/planning/answer.hpp"

namespace coterie::sim {

/// Refuses a name of --export before all the work: one that says no format, or that cannot be written.
void check_export(const std::string& path);
/// Whether it asks for fixed lists, not for a queue.
bool exports_lists(const std::string& path);
/// Writes what the name asks for: the lists of the chosen option, or the queue. Throws InputError if the answer has
/// neither.
void export_answer(const Answer& answer, const std::string& path);

}  // namespace coterie::sim
