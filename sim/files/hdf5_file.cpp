#include "sim/files/hdf5_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "core/errors.hpp"
#include "core/input_file.hpp"
#include "sim/files/file_kind.hpp"
#include "sim/files/seal.hpp"

namespace coterie::sim {
namespace {

/// A small table whole; of a larger one as many rows as fit into 1 MiB, which the library keeps in memory.
std::vector<hsize_t> chunk_of_table(std::vector<hsize_t> shape) {
  constexpr hsize_t kMostValues = 1 << 17;
  hsize_t row = 1;
  for (std::size_t d = 1; d < shape.size(); ++d) row *= shape[d];
  shape[0] = std::min(shape[0], std::max<hsize_t>(1, kMostValues / row));
  return shape;
}

/// Whether a program that opened the file for writing has not closed it: the library then marks the superblock. [HDF5
/// File Format Specification, II.A, version 3]
bool is_open_for_writing(int file) {
  std::array<std::byte, 12> begin{};
  return read_at(file, 0, begin) && begin[8] == std::byte{3} && (begin[11] & std::byte{1}) != std::byte{0};
}

const char* why_no_hdf5(const std::string& path) {
  if (std::filesystem::is_empty(path)) return "is empty: cut off, or never written";
  if (looks_like_text(path))
    return "is a text, not an HDF5 result (run a campaign with coterie run, check it with coterie validate)";
  return "is not an HDF5 file, or is damaged at its beginning or cut off";
}

}  // namespace

Hdf5File::Hdf5File() = default;

Hdf5File::Hdf5File(const std::string& path, Mode mode) : path_(path) {
  start_hdf5();
  open_to_read(mode);
  if (mode == Mode::kVerify) read_values();
}

void Hdf5File::fail(const std::string& what, const char* damage) const {
  const int reason = system_failure();
  if (reason != 0) throw SystemFailure(fmt::format("{}: {}: {}", path_, what, std::strerror(reason)));
  throw RuntimeError(fmt::format("{}: {}{}", path_, what, damage));
}

Hdf5File::Hdf5File(const TemporaryFile& file) : path_(file.target()), written_(file.descriptor()) {
  start_hdf5();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Formats since HDF5 1.10 also have checksums over metadata.
  checked(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_LATEST), "choosing the format");
  const Hdf5Handle properties = creation(H5P_FILE_CREATE);
  file_ = Hdf5Handle(H5Fcreate(file.path().c_str(), H5F_ACC_TRUNC, properties.get(), access.get()), H5Fclose);
  checked(file_.get(), "creating the file (disk full?)");
}

Hdf5Handle Hdf5File::creation(hid_t kind) const {
  Hdf5Handle properties(H5Pcreate(kind), H5Pclose);
  checked(H5Pset_obj_track_times(properties.get(), false), "leaving out times");
  return properties;
}

Hdf5Handle Hdf5File::create_dataset(const std::string& name, hid_t type, hid_t space, hid_t properties) {
  Hdf5Handle made(H5Dcreate2(file_.get(), name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose);
  checked(made.get(), fmt::format("creating dataset \"{}\" (disk full?)", name));
  return made;
}

void Hdf5File::open_to_read(Mode mode) {
  std::error_code failure;
  if (!std::filesystem::exists(path_, failure) && !failure) throw SystemFailure(path_ + ": does not exist");
  require_plain_file(path_, "a result must be a regular file");
  const Descriptor bytes(open_file(path_, O_RDONLY));
  if (bytes.get() < 0) throw SystemFailure(fmt::format("{}: cannot be opened: {}", path_, std::strerror(errno)));
  if (is_open_for_writing(bytes.get()))
    throw RuntimeError(path_ +
                       ": is open elsewhere: another program writes to it (if that was killed, h5clear --status makes "
                       "the file readable)");
  if (const auto seal = Seal::read(bytes.get(), path_)) {
    sealed_ = true;
    if (mode == Mode::kVerify || (mode == Mode::kRead && seal->content_size() <= kComparedAtOpening))
      seal->check(bytes.get(), path_);
  } else if (H5Fis_hdf5(path_.c_str()) <= 0) {
    throw RuntimeError(fmt::format("{}: {}", path_, why_no_hdf5(path_)));
  }
  file_ = Hdf5Handle(H5Fopen(path_.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file_.get() < 0) fail("opening the file failed", " (cut off or damaged?)");
}

void Hdf5File::flush_ahead() const { ::sync_file_range(written_, 0, 0, SYNC_FILE_RANGE_WRITE); }

void Hdf5File::close() {
  checked(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "writing (disk full?)");
  checked(H5Fclose(file_.release()), "closing (disk full?)");
  Seal::append(written_, path_);
}

/// Each chunk once: the library keeps none of those that are larger than 1 MiB. Numbers in one piece, many at a time.
void Hdf5File::read_numbers(const std::string& name) const {
  const std::vector<hsize_t> lengths = shape(name);
  if (lengths.empty() || std::find(lengths.begin(), lengths.end(), 0) != lengths.end()) return;
  const std::vector<hsize_t> step = chunk(name);
  std::vector<hsize_t> offset(lengths.size(), 0);
  for (std::size_t d = 0; d < lengths.size();) {
    std::vector<hsize_t> count(lengths.size());
    for (std::size_t i = 0; i < count.size(); ++i) count[i] = std::min(step[i], lengths[i] - offset[i]);
    read_doubles(name, offset, count);
    for (d = 0; d < lengths.size() && (offset[d] += step[d]) >= lengths[d]; ++d) offset[d] = 0;
  }
}

void Hdf5File::read_values() const {
  for (const std::string& name : datasets()) {
    if (holds_doubles(name)) read_numbers(name);
    if (holds_texts(name)) read_texts(name);
  }
  for (const std::string& name : text_attributes()) texts_attribute(name);
}

std::vector<std::string> Hdf5File::datasets() const {
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5L_info_t*, void* list) { return listed(name, list); };
  // In name order the library would first build a table of names, and crash if it cannot read one.
  checked(H5Literate(file_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &names), "listing its datasets");
  std::sort(names.begin(), names.end());
  return names;
}

bool Hdf5File::holds_doubles(const std::string& name) const {
  const Hdf5Handle set = dataset(name);
  const Hdf5Handle type(H5Dget_type(set.get()), H5Tclose);
  return checked(H5Tequal(type.get(), H5T_IEEE_F64LE), "asking for a type") > 0;
}

bool Hdf5File::holds_texts(const std::string& name) const {
  const Hdf5Handle set = dataset(name);
  const Hdf5Handle type(H5Dget_type(set.get()), H5Tclose);
  return checked(H5Tis_variable_str(type.get()), "asking for a type") > 0;
}

Hdf5Handle Hdf5File::dataset(const std::string& name) const {
  Hdf5Handle handle(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  checked(handle.get(), fmt::format("opening dataset \"{}\"", name));
  return handle;
}

bool Hdf5File::has(const std::string& name) const {
  return checked(H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT), fmt::format("looking for \"{}\"", name)) > 0;
}

void Hdf5File::create_doubles(const std::string& name, const Hdf5Layout& layout) {
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(layout.shape.size()), layout.shape.data(), nullptr),
                         H5Sclose);
  const Hdf5Handle properties = creation(H5P_DATASET_CREATE);
  const bool empty = std::find(layout.shape.begin(), layout.shape.end(), 0) != layout.shape.end();
  if (layout.bare || empty) {  // there are no chunks of nothing
    checked(H5Pset_fill_time(properties.get(), H5D_FILL_TIME_NEVER), "leaving values out");
    create_dataset(name, H5T_IEEE_F64LE, space.get(), properties.get());
    return;
  }
  const std::vector<hsize_t> chunk = layout.chunk.empty() ? chunk_of_table(layout.shape) : layout.chunk;
  checked(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), "setting chunks");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  checked(H5Pset_fill_value(properties.get(), H5T_NATIVE_DOUBLE, &nan), "setting what is not written");
  if (layout.deflate > 0) {
    checked(H5Pset_shuffle(properties.get()), "setting compression");
    checked(H5Pset_deflate(properties.get(), static_cast<unsigned>(layout.deflate)), "setting compression");
  }
  checked(H5Pset_fletcher32(properties.get()), "setting checksums");
  create_dataset(name, H5T_IEEE_F64LE, space.get(), properties.get());
}

void Hdf5File::write_doubles(const std::string& name, std::span<const double> values,
                             const std::vector<hsize_t>& offset, const std::vector<hsize_t>& count) {
  Hdf5Handle set = dataset(name);
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr),
          "selecting a region");
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  const std::string what = fmt::format("writing dataset \"{}\" (disk full?)", name);
  checked(H5Dwrite(set.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()), what);
  // Chunks are written when the dataset is closed. A lost one reads as zeros, whose checksum is zero: a full disk is
  // noticed here or never.
  checked(H5Dclose(set.release()), what);
}

std::vector<double> Hdf5File::read_doubles(const std::string& name, const std::vector<hsize_t>& offset,
                                           const std::vector<hsize_t>& count) const {
  const Hdf5Handle set = dataset(name);
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) != static_cast<int>(count.size()))
    fail(fmt::format("dataset \"{}\" is damaged: it does not have {} dimensions", name, count.size()));
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, offset.data(), nullptr, count.data(), nullptr),
          fmt::format("reading a region outside dataset \"{}\"", name));
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  std::size_t size = 1;
  for (const hsize_t length : count) size *= length;
  std::vector<double> values(size);
  if (H5Dread(set.get(), H5T_NATIVE_DOUBLE, memory.get(), space.get(), H5P_DEFAULT, values.data()) < 0)
    fail(fmt::format("dataset \"{}\" cannot be read", name), ": the file is damaged");
  return values;
}

std::vector<double> Hdf5File::read_doubles(const std::string& name) const {
  const std::vector<hsize_t> all = shape(name);
  return read_doubles(name, std::vector<hsize_t>(all.size(), 0), all);
}

std::vector<hsize_t> Hdf5File::shape(const std::string& name) const {
  const Hdf5Handle set = dataset(name);
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  std::vector<hsize_t> lengths(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space.get()), "shape")));
  checked(H5Sget_simple_extent_dims(space.get(), lengths.data(), nullptr), "shape");
  return lengths;
}

std::vector<hsize_t> Hdf5File::chunk(const std::string& name) const {
  const Hdf5Handle set = dataset(name);
  const Hdf5Handle properties(H5Dget_create_plist(set.get()), H5Pclose);
  std::vector<hsize_t> lengths = shape(name);
  if (H5Pget_layout(properties.get()) == H5D_CHUNKED)
    checked(H5Pget_chunk(properties.get(), static_cast<int>(lengths.size()), lengths.data()), "asking for chunks");
  else if (!lengths.empty())
    lengths[0] = lengths.size() == 1 ? 1 << 17 : 1;
  return lengths;
}

void Hdf5File::write_texts(const std::string& name, const std::vector<std::string>& values) {
  const Hdf5Handle type = text_type();
  const hsize_t length = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &length, nullptr), H5Sclose);
  Hdf5Handle made = create_dataset(name, type.get(), space.get(), creation(H5P_DATASET_CREATE).get());
  const auto raw = text_pointers(values);
  const std::string what = fmt::format("writing dataset \"{}\" (disk full?)", name);
  // Otherwise the library would clear 1 MiB as a buffer for converting the texts.
  const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  checked(H5Pset_buffer(transfer.get(), 1 << 14, nullptr, nullptr), what);
  checked(H5Dwrite(made.get(), type.get(), H5S_ALL, H5S_ALL, transfer.get(), raw.data()), what);
  checked(H5Dclose(made.release()), what);
}

std::vector<std::string> Hdf5File::read_texts(const std::string& name) const {
  const Hdf5Handle set = dataset(name);
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(H5Dget_space(set.get()), H5Sclose);
  const std::string what = fmt::format("reading dataset \"{}\"", name);
  std::vector<char*> raw(static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.get()), what)), nullptr);
  checked(H5Dread(set.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data()), what);
  return taken_texts(raw, type.get(), space.get());
}

void Hdf5File::make_scale(const std::string& dimension) {
  checked(H5DSset_scale(dataset(dimension).get(), dimension.c_str()), "making a dimension");
}

void Hdf5File::attach_scale(const std::string& name, unsigned axis, const std::string& dimension) {
  checked(H5DSattach_scale(dataset(name).get(), dataset(dimension).get(), axis), "attaching a dimension");
}

void Hdf5File::create_bare_dimension(const std::string& name, std::size_t length) {
  const hsize_t size = length;
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle made = create_dataset(name, H5T_IEEE_F32BE, space.get(), creation(H5P_DATASET_CREATE).get());
  const std::string label = fmt::format("This is a netCDF dimension but not a netCDF variable. {:9d}", length);
  checked(H5DSset_scale(made.get(), label.c_str()), "making a dimension");
}

}  // namespace coterie::sim
