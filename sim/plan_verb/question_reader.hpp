#pragma once

#include <string>

#include "sim/planning/question.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// The question that options ask. Throws InputError.
Question question_of(const Options& options);

/// --confidence as a share, 0.95 if it is not given. Throws InputError.
double confidence_of(const Options& options);

/// The question in a TOML file: keys of the job, the news and the fleet at the top or in
/// tables of these names, and [[machines]]. The options --seed, --instances and --resamples hold instead of its keys.
/// Throws InputError with the place; also for options that the file should say.
Question question_in_file(const Options& options, const std::string& path);

}  // namespace coterie::sim
