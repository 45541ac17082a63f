#pragma once

#include <hdf5.h>

#include <new>
#include <string>
#include <vector>

namespace coterie::sim {

/// Must be called before anything else in the library: we report its failures ourselves. Throws std::bad_alloc.
void start_hdf5();

/// One HDF5 identifier, closed on destruction. All of the C API stays in the files hdf5_*; every return code is
/// checked, and failures become a RuntimeError that names the file.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept;
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept;
  ~Hdf5Handle() { reset(); }
  hid_t get() const { return id_; }
  void reset();
  hid_t release();  ///< gives the identifier away, to be closed by the caller

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The result of a call that can fail only for lack of memory; then this throws std::bad_alloc.
template <typename T>
T or_no_memory(T result) {
  if (result < 0) throw std::bad_alloc();
  return result;
}

/// The reason of the system, as in errno, for which the library's last call failed; 0 if it was another.
int system_failure();

/// For the library's functions that list names, which do not support exceptions: adds one to a vector of texts.
herr_t listed(const char* name, void* names) noexcept;

/// Texts of any length, in UTF-8.
Hdf5Handle text_type();
/// Pointers for writing; valid as long as the texts.
std::vector<const char*> text_pointers(const std::vector<std::string>& texts);
/// What was read; the memory goes back to the library that allocated it.
std::vector<std::string> taken_texts(std::vector<char*>& raw, hid_t type, hid_t space);

}  // namespace coterie::sim
