#pragma once

#include <string>
#include <vector>

#include "sim/terminal/options.hpp"
#include "traces/durations.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::sim {

/// Shared by the actions of `coterie trace`: how FILE is named and read.

/// The formats of traces and their options, for --help.
std::string formats_help();
/// The options that all actions have; `usage` follows "coterie trace".
Options trace_options(const std::string& usage, const std::string& summary);
/// InputError if standard output goes into one of trace_files().
traces::AvailabilityTrace read_trace_of(const Options& options);
/// What that reads: FILE, and the tables that --option names.
std::vector<std::string> trace_files(const Options& options);
/// Prints them on standard error.
void print_warnings(const traces::AvailabilityTrace& trace, const std::string& file);

/// Checks that laws can be fitted to the spells. Says on standard error what fits leave out; throws InputError if a
/// spell is too short.
void check_for_fits(const traces::Durations& durations, const traces::AvailabilityTrace& trace,
                    const std::string& file);

}  // namespace coterie::sim
