#pragma once

#include "sim/campaign/catalogue.hpp"

namespace coterie::sim {

/// The main program: does what the arguments ask for and returns the exit code. All that is looked up by name is that
/// of the extension, too; one that is wrong is told on standard error, exit code 2.
///
///   int main(int argc, char** argv) {
///     const coterie::heuristics::Strategy zigzag{"zigzag", "back and forth", "mine", zigzag_plan};
///     return coterie::sim::command_line({"my-coterie", "1", {zigzag}, {}}, argc, argv);
///   }
int command_line(const Extension& extension, int argc, char** argv);

}  // namespace coterie::sim
