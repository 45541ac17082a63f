#include "sim/files/hdf5_handle.hpp"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace coterie::sim {

void start_hdf5() {
  static const bool started = [] {
    // At exit the library would try again to write what a full disk refused, and crash.
    return H5dont_atexit() >= 0 && H5open() >= 0 && H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  }();
  if (!started) throw std::bad_alloc();  // and never call the library again: it would crash
}

Hdf5Handle::Hdf5Handle(Hdf5Handle&& other) noexcept
    : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}

Hdf5Handle& Hdf5Handle::operator=(Hdf5Handle&& other) noexcept {
  if (this != &other) {
    reset();
    id_ = std::exchange(other.id_, -1);
    close_ = std::exchange(other.close_, nullptr);
  }
  return *this;
}

void Hdf5Handle::reset() {
  if (id_ >= 0 && close_ != nullptr) close_(id_);
  id_ = -1;
}

hid_t Hdf5Handle::release() {
  close_ = nullptr;
  return std::exchange(id_, -1);
}

int system_failure() {
  int reason = 0;
  const auto visit = [](unsigned, const H5E_error2_t* error, void* found) {
    constexpr const char* kBefore = "errno = ";  // as the library's driver writes it into its message
    const char* const at = error->desc == nullptr ? nullptr : std::strstr(error->desc, kBefore);
    if (at != nullptr) *static_cast<int*>(found) = std::atoi(at + std::strlen(kBefore));
    return herr_t{0};
  };
  return H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, visit, &reason) < 0 ? 0 : reason;
}

herr_t listed(const char* name, void* names) noexcept {
  try {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  or_no_memory(H5Tset_size(type.get(), H5T_VARIABLE));
  or_no_memory(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  return type;
}

std::vector<const char*> text_pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> list;
  for (const std::string& text : texts) list.push_back(text.c_str());
  return list;
}

std::vector<std::string> taken_texts(std::vector<char*>& raw, hid_t type, hid_t space) {
  std::vector<std::string> texts;
  for (const char* text : raw) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
  return texts;
}

}  // namespace coterie::sim
