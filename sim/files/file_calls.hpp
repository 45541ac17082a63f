#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace coterie::sim {

/// An open file, closed on destruction; failures of that are ignored.
class Descriptor {
 public:
  explicit Descriptor(int file = -1) : file_(file) {}
  Descriptor(Descriptor&& other) noexcept : file_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  ~Descriptor();
  int get() const { return file_; }
  int release() { return std::exchange(file_, -1); }  ///< gives it away, to be closed by the caller

 private:
  int file_;
};

// Calls of the system that begin anew where a signal interrupts them, and go on where they did only a part. Where they
// fail, errno tells why.

/// Flags are those of open(2), to which O_CLOEXEC is added. Negative on failure.
int open_file(const std::string& path, int flags);
/// Reads as many bytes as `to` has, from `offset` of an open file. False if they cannot be read; errno is 0 if the file
/// ends earlier.
bool read_at(int file, std::uint64_t offset, std::span<std::byte> to);
/// Writes all of the bytes.
bool write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes);
/// Flushes to disk.
bool flush(int file);

}  // namespace coterie::sim
