#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/crc64.hpp"

namespace coterie::sim {

/// Writes a file and, at the end, its seal (SealedFile). Checksums are those of the bytes handed over, not of what a
/// disk made of them; what was not written from the begin of its block on, without gaps, is read again for the seal.
class SealedWriter {
 public:
  /// Makes the file, or empties it. Throws RuntimeError.
  explicit SealedWriter(const std::string& path);
  ~SealedWriter();
  SealedWriter(const SealedWriter&) = delete;
  SealedWriter& operator=(const SealedWriter&) = delete;

  /// Bytes written, gaps between them included.
  std::uint64_t size() const { return size_; }
  /// False where the system refuses (disk full).
  bool write(std::uint64_t offset, std::span<const std::byte> bytes);
  /// What was written, zeros in gaps and beyond the end. False where the system fails.
  bool read(std::uint64_t offset, std::span<std::byte> to);
  /// Cuts off, or adds zeros. False where the system refuses.
  bool resize(std::uint64_t size);
  /// Of the system, why the first of these failed; 0 where none has.
  int failure() const { return failure_; }
  /// Appends the seal, flushes to disk, closes the file. Throws RuntimeError, too, where anything failed before: what
  /// the library does about it is not known.
  void seal();

 private:
  /// Of a block: the checksum of its first `covered` bytes.
  struct Checksum {
    static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
    Crc64 value;
    std::uint32_t covered = 0;
  };
  /// Remembers the first failure.
  bool done(bool right);
  /// Where in its block the bytes begin.
  static void note(Checksum& checksum, std::size_t begin, std::span<const std::byte> bytes);

  std::string path_;
  int file_;
  std::uint64_t size_ = 0;
  int failure_ = 0;
  std::vector<Checksum> checksums_;  // by block
};

}  // namespace coterie::sim
