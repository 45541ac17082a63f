#pragma once

#include "sim/files/checked_file.hpp"
#include "sim/files/hdf5_handle.hpp"

namespace coterie::sim {

/// The property list with which HDF5's library opens a file that is read, or creates one that is written, through
/// `bytes`, which is to outlive the file: nothing is read but blocks that are what was written. A damaged one is a
/// failed read, and `bytes.damage()` tells where it lies. The trailer comes when the library is through. Throws
/// RuntimeError.
Hdf5Handle access_through(CheckedFile& bytes);

}  // namespace coterie::sim
