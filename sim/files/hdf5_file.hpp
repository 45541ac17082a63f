#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/files/durable_file.hpp"
#include "sim/files/hdf5_handle.hpp"

namespace coterie::sim {

/// How a dataset is stored in the file.
struct Hdf5Layout {
  std::vector<hsize_t> shape;
  std::vector<hsize_t> chunk;  ///< empty: one chunk for a small table, rows of 1 MiB together for a large one
  int deflate = 0;
  bool bare = false;  ///< contiguous, with only the checksums of the seal; what is not written is undefined
};

/// An HDF5 file of doubles, integers and texts, written or read. Written files get a seal, which is compared when they
/// are opened, if they are not very large. Beside it HDF5 has its own checksums of values and metadata, which must do
/// for files without a seal: another program opened them for writing.
class Hdf5File {
 public:
  static constexpr std::uint64_t kComparedAtOpening = std::uint64_t{1} << 30;  ///< bytes
  enum class Mode {
    kRead,
    kReadAgain,  ///< without comparing the seal: this process did
    kVerify      ///< compares the seal of any size, and reads every value
  };
  Hdf5File();                                    ///< no file
  explicit Hdf5File(const TemporaryFile& file);  ///< a new one, to be published once it is closed
  /// Throws RuntimeError, also for a damaged file and one that another program has open for writing.
  Hdf5File(const std::string& path, Mode mode);

  /// Asks the system to start writing to disk what was written, so that there is less to wait for at the end. A hint.
  void flush_ahead() const;
  /// Writes everything, and the seal; failures (disk full) are reported here, not swallowed by a destructor.
  void close();
  bool sealed() const { return sealed_; }

  void create_doubles(const std::string& name, const Hdf5Layout& layout);  ///< filled with NaN, unless bare
  void write_doubles(const std::string& name, std::span<const double> values, const std::vector<hsize_t>& offset,
                     const std::vector<hsize_t>& count);
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
  void open_to_read(Mode mode);
  /// Creation properties: without the creation time, so that the same content gives the same file.
  Hdf5Handle creation(hid_t kind) const;
  Hdf5Handle create_dataset(const std::string& name, hid_t type, hid_t space, hid_t properties);
  template <typename T>
  T checked(T result, const std::string& what) const {
    if (result < 0) fail(what + " failed");
    return result;
  }
  /// Throws: `what` failed, and why, if the system did. If it did not, `damage` is added.
  [[noreturn]] void fail(const std::string& what, const char* damage = "") const;
  void read_values() const;
  void read_numbers(const std::string& name) const;
  std::vector<std::string> text_attributes() const;  ///< of the file
  Hdf5Handle dataset(const std::string& name) const;
  void write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* data);

  std::string path_;
  bool sealed_ = false;
  int written_ = -1;  // the file again, while the library writes
  Hdf5Handle file_;
};

}  // namespace coterie::sim
