#pragma once

#include "sim/files/checked_file.hpp"
#include "sim/files/hdf5_handle.hpp"

namespace coterie::sim {

/// The property list with which the HDF5 library opens a file for reading, or creates one for writing, through `bytes`,
/// which must outlive the file. Each block is checked when it is first read: a damaged one is a failed read, and
/// `bytes.damage()` says where it is. The trailer is written when the library is done. Throws RuntimeError.
Hdf5Handle access_through(CheckedFile& bytes);

}  // namespace coterie::sim
