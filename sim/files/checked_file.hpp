#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::sim {

/// A file that ends with the CRC-64 of each of its blocks, the checksum trailer. HDF5 keeps checksums of values and of
/// most of what describes them, but none of texts, and its library may crash on bytes that nobody wrote: so every block
/// is compared before the library sees it. Other programs do not see the trailer; one that opens the file to write cuts
/// it off.
///
/// Layout: the content; CRC-64/XZ of each block of it (the last may be shorter); the mark "coterie seal 1\r\n"; size of
/// the content, bytes of a block, CRC-64 of all of the trailer before. Numbers have 8 bytes, the least significant
/// first.
///
/// Checksums are those of the bytes handed over, not of what a disk made of them; what was not written from the begin
/// of its block on, without gaps, is read again for the trailer.
class CheckedFile {
 public:
  static constexpr std::size_t kBlockBytes = 16384;
  static constexpr std::size_t kEndBytes = 40;

  /// Whether the last so many bytes of a file are those of a trailer, damaged or not.
  static bool ends_trailer(std::string_view last);
  /// To be written: made, or emptied. Throws RuntimeError.
  static std::unique_ptr<CheckedFile> create(const std::string& path);
  /// To be read. Null where the file does not end with a trailer; RuntimeError where that is damaged or cannot be read.
  static std::unique_ptr<CheckedFile> open(const std::string& path);
  ~CheckedFile();
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;

  bool writable() const { return writable_; }
  /// Of the content, in bytes.
  std::uint64_t size() const { return size_; }
  /// Bytes of the content from `offset` on, zeros in gaps and beyond its end. False where a block of them is damaged or
  /// the system fails.
  bool read(std::uint64_t offset, std::span<std::byte> to);
  /// Compares all blocks.
  bool check();
  /// The first and last byte of the damage that was met, if any was.
  const std::optional<std::pair<std::uint64_t, std::uint64_t>>& damage() const { return damage_; }
  /// False where the system refuses (disk full).
  bool write(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Cuts off, or adds zeros. False where the system refuses.
  bool resize(std::uint64_t size);
  /// Of the system, why the first of these failed; 0 where none has.
  int failure() const { return failure_; }
  /// Appends the trailer, flushes to disk, closes the file. Throws RuntimeError, too, where anything failed before:
  /// what the library does about it is not known.
  void finish();

 private:
  /// Written: the checksum of its first `covered` bytes. Read: that of all of it, as the trailer says; `covered` is the
  /// size once they are compared.
  struct Block {
    std::uint64_t checksum = 0;
    std::uint32_t covered = 0;
  };

  CheckedFile(const std::string& path, int flags);
  /// False where there is none.
  bool read_trailer();
  /// The bytes of the content that a block has.
  std::size_t bytes_of(std::size_t block) const;
  /// Reads a block into `buffer` and compares it.
  bool check(std::size_t block, std::span<std::byte> buffer);
  /// Remembers the first failure.
  bool done(bool right);
  /// Where in its block the bytes begin.
  static void cover(Block& block, std::size_t begin, std::span<const std::byte> bytes);

  std::string path_;
  bool writable_;
  int file_;
  std::uint64_t size_ = 0;
  std::size_t block_bytes_ = kBlockBytes;
  std::vector<Block> blocks_;
  std::vector<std::byte> buffer_;  // of one block
  std::optional<std::pair<std::uint64_t, std::uint64_t>> damage_;
  int failure_ = 0;
};

}  // namespace coterie::sim
