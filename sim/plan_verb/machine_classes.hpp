#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace coterie::sim {

/// Machines that stay as long as those in one trace.
struct MachineClass {
  std::size_t machines = 0;
  std::string trace;     ///< the file
  std::string age = "";  ///< how long they have been up already, as written in the file; or nothing
  std::size_t line = 0;  ///< of the file of classes
};

/// Reads a CSV file with the columns `machines` (whole numbers from 1 on), `trace` (a file, relative to the CSV file)
/// and perhaps `age`, one row per class. Throws InputError with the line for other columns, wrong numbers, no rows or
/// more than `most` machines; RuntimeError if the file cannot be read.
std::vector<MachineClass> read_machine_classes(const std::string& path, std::size_t most);

}  // namespace coterie::sim
