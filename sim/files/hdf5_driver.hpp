#pragma once

#include "sim/files/hdf5_file.hpp"
#include "sim/files/sealed_file.hpp"
#include "sim/files/sealed_writer.hpp"

namespace coterie::sim {

/// How HDF5's library reads a sealed file: nothing but blocks that are what was written. A damaged one is a failed
/// read, and `file.damage()` tells where it lies. Or how it writes one; the seal comes when the library is through.
class SealedAccess {
 public:
  explicit SealedAccess(SealedFile& file) : SealedAccess(&file, nullptr) {}
  explicit SealedAccess(SealedWriter& writer) : SealedAccess(nullptr, &writer) {}
  /// The property list to open the file with.
  hid_t get() const { return properties_.get(); }

 private:
  SealedAccess(SealedFile* file, SealedWriter* writer);

  Hdf5Handle driver_;
  Hdf5Handle properties_;
};

}  // namespace coterie::sim
