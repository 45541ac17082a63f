#include "sim/files/hdf5_driver.hpp"

#include <new>
#include <type_traits>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

/// What the library goes to: one of the two.
struct Target {
  SealedFile* file;
  SealedWriter* writer;
};

/// What the library hands from call to call; what it knows of stands first.
struct OpenFile {
  H5FD_t known;
  Target target;
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
  const auto* target = static_cast<const Target*>(H5Pget_driver_info(properties));
  if (target == nullptr || ((flags & H5F_ACC_RDWR) != 0) != (target->writer != nullptr)) return nullptr;
  auto* const file = new (std::nothrow) OpenFile{{}, *target, 0};
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

haddr_t end_of_file(const H5FD_t* file, H5FD_mem_t) {
  const Target& target = opened(file).target;
  return target.writer != nullptr ? target.writer->size() : target.file->size();
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  const Target& target = opened(file).target;
  const std::span to(static_cast<std::byte*>(buffer), size);
  return done(
      [&] { return target.writer != nullptr ? target.writer->read(address, to) : target.file->read(address, to); });
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  SealedWriter* const writer = opened(file).target.writer;
  return done([&] {
    return writer != nullptr && writer->write(address, {static_cast<const std::byte*>(buffer), size});
  });
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  SealedWriter* const writer = opened(file).target.writer;
  const haddr_t end = opened(file).end_of_addresses;
  return done([&] { return writer == nullptr || writer->size() == end || writer->resize(end); });
}

H5FD_class_t driver() {
  H5FD_class_t made{};
#ifdef H5FD_CLASS_VERSION
  made.version = H5FD_CLASS_VERSION;
#endif
  made.name = "coterie-sealed";
  made.maxaddr = HADDR_MAX;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.fapl_size = sizeof(Target);
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

SealedAccess::SealedAccess(SealedFile* file, SealedWriter* writer) {
  const H5FD_class_t made = driver();
  driver_ = Hdf5Handle(H5FDregister(&made), H5FDunregister);
  properties_ = Hdf5Handle(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const Target target{file, writer};
  if (driver_.get() < 0 || H5Pset_driver(properties_.get(), driver_.get(), &target) < 0)
    throw RuntimeError("HDF5: the library takes no driver");
}

}  // namespace coterie::sim
