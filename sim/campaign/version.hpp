#pragma once

#include <string>

namespace coterie::sim {

std::string version();           ///< "1.0.0"
std::string git_revision();      ///< commit at configure time, "+" where the tree had changes, "unknown" without git
std::string compiler();          ///< name and version
std::string compiler_flags();    ///< build type and flags
std::string library_versions();  ///< "Boost 1.74, HDF5 1.10.8, ..."

/// One line each of the above.
std::string version_text();

}  // namespace coterie::sim
