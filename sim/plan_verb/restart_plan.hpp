#pragma once

#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// `coterie plan --job restart`: one job that goes on from its last checkpoint on the next machine.

/// Adds the options that only such jobs have.
void declare_restart_options(Options& options);
/// Throws InputError for one of them with another job.
void refuse_restart_options(const Options& options);
/// Answers; returns the exit code. Throws InputError for options that other jobs have.
int restart_plan(const Options& options, const Catalogue& catalogue);

}  // namespace coterie::sim
