#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/files/hdf5_handle.hpp"

namespace coterie::sim {

class CheckedFile;
class CrashMessage;

/// How a dataset is stored in the file.
struct Hdf5Layout {
  std::vector<hsize_t> shape;
  std::vector<hsize_t> chunk;  ///< empty: one chunk for a small table, rows of 1 MiB together for a large one
  int deflate = 0;
  bool bare = false;  ///< contiguous, with only the checksums of the trailer; what is not written is undefined
};

/// An HDF5 file of doubles, integers and texts, written or read. Written files get a checksum trailer (CheckedFile),
/// and every byte of a file with a trailer is checked when it is first read. A file without one, from another program
/// or an earlier build, is first read in a child process, where the HDF5 library may crash on it.
class Hdf5File {
 public:
  enum class Mode { kCreate, kRead };
  Hdf5File();  ///< no file
  Hdf5File(const std::string& path, Mode mode);
  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  ~Hdf5File();

  /// Writes everything, appends the checksum trailer and closes the file; failures (disk full) are reported here, not
  /// swallowed by a destructor.
  void close();
  bool has_trailer() const { return bytes_ != nullptr; }
  /// Reads every value and checks all checksums. Throws a RuntimeError that names the dataset and the damaged place.
  void verify() const;

  void create_doubles(const std::string& name, const Hdf5Layout& layout);  ///< filled with NaN, unless bare
  void write_doubles(const std::string& name, std::span<const double> values, const std::vector<hsize_t>& offset,
                     const std::vector<hsize_t>& count);
  /// One chunk, as `filter_chunk` makes it.
  void write_chunk(const std::string& name, std::span<const std::byte> filtered, const std::vector<hsize_t>& offset);
  std::vector<double> read_doubles(const std::string& name, const std::vector<hsize_t>& offset,
                                   const std::vector<hsize_t>& count) const;
  std::vector<double> read_doubles(const std::string& name) const;
  std::vector<hsize_t> shape(const std::string& name) const;
  /// The best unit for reading: the shape of a chunk, or a number of rows if the dataset is contiguous.
  std::vector<hsize_t> chunk(const std::string& name) const;
  bool has(const std::string& name) const;
  std::vector<std::string> datasets() const;
  bool holds_doubles(const std::string& name) const;
  bool holds_texts(const std::string& name) const;  ///< of any length

  void write_texts(const std::string& name, const std::vector<std::string>& values);
  std::vector<std::string> read_texts(const std::string& name) const;

  /// Attributes of a dataset, or of the file if `object` is "/".
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  void attribute(const std::string& object, const std::string& name, double value);
  void attribute(const std::string& object, const std::string& name, std::span<const std::int64_t> values);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& values);
  std::string text_attribute(const std::string& name) const;
  std::vector<std::string> texts_attribute(const std::string& name) const;
  std::vector<std::int64_t> integers_attribute(const std::string& name) const;
  double double_attribute(const std::string& name) const;
  bool has_attribute(const std::string& name) const;

  /// Makes `dimension` (a dataset of length n) a scale, or attaches it to axis `axis` of `name`.
  void make_scale(const std::string& dimension);
  void attach_scale(const std::string& name, unsigned axis, const std::string& dimension);
  /// A dimension without values, as netCDF writes it.
  void create_bare_dimension(const std::string& name, std::size_t length);

 private:
  void create();
  /// Creation properties: without the creation time, so that the same content gives the same file.
  Hdf5Handle creation(hid_t kind) const;
  Hdf5Handle create_dataset(const std::string& name, hid_t type, hid_t space, hid_t properties);
  void open_to_read();
  template <typename T>
  T checked(T result, const std::string& what) const {
    if (result < 0) fail(what + " failed");
    return result;
  }
  /// Throws: `what` failed, and because of which bytes if that is known.
  [[noreturn]] void fail(const std::string& what) const;
  void read_values() const;
  std::vector<std::string> text_attributes() const;  ///< of the file
  Hdf5Handle dataset(const std::string& name) const;
  /// Where the first unreadable chunk lies, for messages; "" if that is unknown.
  std::string damaged_chunks(hid_t set, std::size_t rank) const;
  void write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* data);

  std::string path_;
  std::unique_ptr<CrashMessage> crash_message_;  // while such a file is read
  std::unique_ptr<CheckedFile> bytes_;  // what the library goes through; null where a file without trailer is read
  Hdf5Handle file_;
};

}  // namespace coterie::sim
