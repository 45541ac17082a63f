#pragma once

#include "sim/campaign/catalogue.hpp"

namespace coterie::sim {

/// The main program: does what the arguments ask for and returns the exit code. Names of the extension are known
/// wherever names are looked up. A faulty extension gives a message on standard error and exit code 2.
///
///   int main(int argc, char** argv) {
///     const coterie::heuristics::Strategy zigzag{"zigzag", "back and forth", "mine", zigzag_plan};
///     return coterie::sim::command_line({"my-coterie", "1", {zigzag}, {}}, argc, argv);
///   }
int command_line(const Extension& extension, int argc, char** argv);

}  // namespace coterie::sim
