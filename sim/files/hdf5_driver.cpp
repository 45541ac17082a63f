#include "sim/files/hdf5_driver.hpp"

#include <new>
#include <type_traits>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

/// What the library hands from call to call; what it knows of stands first.
struct OpenFile {
  H5FD_t known;
  CheckedFile* bytes;
  haddr_t end_of_addresses;
};
static_assert(std::is_standard_layout_v<OpenFile>);

OpenFile& opened(H5FD_t* file) { return *reinterpret_cast<OpenFile*>(file); }
const OpenFile& opened(const H5FD_t* file) { return *reinterpret_cast<const OpenFile*>(file); }

/// For the library, which knows no exceptions (of memory that is short).
template <typename Action>
herr_t done(const Action& action) {
  try {
    return action() ? 0 : -1;
  } catch (const std::bad_alloc&) {
    return -1;
  }
}

H5FD_t* open(const char*, unsigned flags, hid_t properties, haddr_t) {
  const auto* bytes = static_cast<CheckedFile* const*>(H5Pget_driver_info(properties));
  if (bytes == nullptr || ((flags & H5F_ACC_RDWR) != 0) != (*bytes)->writable()) return nullptr;
  auto* const file = new (std::nothrow) OpenFile{{}, *bytes, 0};
  return file == nullptr ? nullptr : &file->known;
}

herr_t close(H5FD_t* file) {
  delete &opened(file);
  return 0;
}

/// Those of the library's own driver, which decide where in the file things go.
herr_t query(const H5FD_t*, unsigned long* features) {
  *features = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
              H5FD_FEAT_AGGREGATE_SMALLDATA;
#ifdef H5FD_FEAT_DEFAULT_VFD_COMPATIBLE
  *features |= H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
#endif
  return 0;
}

haddr_t end_of_addresses(const H5FD_t* file, H5FD_mem_t) { return opened(file).end_of_addresses; }

herr_t set_end_of_addresses(H5FD_t* file, H5FD_mem_t, haddr_t address) {
  opened(file).end_of_addresses = address;
  return 0;
}

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) { return opened(file).bytes->size(); }

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  return done([&] { return opened(file).bytes->read(address, {static_cast<std::byte*>(buffer), size}); });
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  return done([&] { return opened(file).bytes->write(address, {static_cast<const std::byte*>(buffer), size}); });
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  return done([&] {
    const auto& [known, bytes, end] = opened(file);
    return !bytes->writable() || bytes->size() == end || bytes->resize(end);
  });
}

H5FD_class_t driver() {
  H5FD_class_t made{};
#ifdef H5FD_CLASS_VERSION
  made.version = H5FD_CLASS_VERSION;
#endif
  made.name = "coterie-checked";
  made.maxaddr = HADDR_MAX;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.fapl_size = sizeof(CheckedFile*);
  made.open = open;
  made.close = close;
  made.query = query;
  made.get_eoa = end_of_addresses;
  made.set_eoa = set_end_of_addresses;
  made.get_eof = end_of_file;
  made.read = read;
  made.write = write;
  made.truncate = truncate;
  const H5FD_mem_t kinds[H5FD_MEM_NTYPES] = H5FD_FLMAP_DICHOTOMY;
  std::copy(std::begin(kinds), std::end(kinds), std::begin(made.fl_map));
  return made;
}

}  // namespace

Hdf5Handle access_through(CheckedFile& bytes) {
  const H5FD_class_t made = driver();
  const Hdf5Handle registered(H5FDregister(&made), H5FDunregister);  // the properties keep it, and the open file
  Hdf5Handle properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  CheckedFile* const target = &bytes;
  if (registered.get() < 0 || H5Pset_driver(properties.get(), registered.get(), &target) < 0)
    throw RuntimeError("HDF5: the library rejects the driver");
  return properties;
}

}  // namespace coterie::sim
