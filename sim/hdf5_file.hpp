#pragma once

#include <hdf5.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace coterie::sim {

/// One HDF5 identifier, closed when it goes. All of the C API stays in this pair of files; every return code is checked
/// and becomes a RuntimeError that names the file.
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

/// How a dataset lies in the file.
struct Hdf5Layout {
  std::vector<hsize_t> shape;
  std::vector<hsize_t> chunk;  ///< empty: one chunk (scalars of small tables)
  int deflate = 0;
};

/// An HDF5 file of doubles, integers and texts, written or read.
class Hdf5File {
 public:
  enum class Mode { kCreate, kRead };
  Hdf5File() = default;  ///< no file
  Hdf5File(const std::string& path, Mode mode);

  /// Writes everything out and closes; failures (disk full) are reported here, not swallowed by a destructor.
  void close();

  void create_doubles(const std::string& name, const Hdf5Layout& layout);  ///< filled with NaN
  void write_doubles(const std::string& name, std::span<const double> values, const std::vector<hsize_t>& offset,
                     const std::vector<hsize_t>& count);
  std::vector<double> read_doubles(const std::string& name, const std::vector<hsize_t>& offset,
                                   const std::vector<hsize_t>& count) const;
  std::vector<double> read_doubles(const std::string& name) const;
  std::vector<hsize_t> shape(const std::string& name) const;
  bool has(const std::string& name) const;
  std::vector<std::string> datasets() const;
  bool holds_doubles(const std::string& name) const;

  void write_texts(const std::string& name, const std::vector<std::string>& values);
  std::vector<std::string> read_texts(const std::string& name) const;

  /// Attributes of a dataset, or of the file where `object` is "/".
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
  /// A dimension without values of its own, as netCDF writes it.
  void create_bare_dimension(const std::string& name, std::size_t length);

 private:
  template <typename T>
  T checked(T result, const std::string& what) const;
  Hdf5Handle dataset(const std::string& name) const;
  /// Where the first chunk that cannot be read lies, for messages; "" where that cannot be told.
  std::string damaged_chunks(hid_t set, std::size_t rank) const;
  void write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* data);

  std::string path_;
  Hdf5Handle file_;
};

}  // namespace coterie::sim
