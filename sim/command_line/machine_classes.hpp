#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coterie::sim {

/// Machines that stay as those of one trace.
struct MachineClass {
  std::size_t machines = 0;
  std::string trace;     ///< the file
  std::string age = "";  ///< how long they are up already, as it is written; or nothing
};

/// A CSV file with the columns `machines` (whole numbers from 1 on), `trace` (a file, relative to that of the classes)
/// and perhaps `age`; one row a class. Throws InputError with the line for other columns, wrong numbers, no row and
/// more than `most` machines; RuntimeError where the file cannot be read.
std::vector<MachineClass> read_machine_classes(const std::string& path, std::size_t most);

}  // namespace coterie::sim
