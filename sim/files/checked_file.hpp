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

/// A file that ends with the CRC-64 of each of its blocks, the checksum trailer. HDF5 has checksums of values and of
/// most metadata, but not of texts, and its library may crash on corrupt bytes, so every block is checked before the
/// library first sees it. Other programs do not see the trailer; one that opens the file for writing cuts it off.
///
/// Layout: the content; CRC-64/XZ of each block of it (the last may be shorter); the mark "coterie seal 1\r\n"; size of
/// the content, bytes per block, CRC-64 of the trailer up to here. Numbers have 8 bytes, least significant first.
///
/// Checksums are computed from the bytes handed over, not from what the disk stored; blocks that were not written from
/// their start without gaps are read again for the trailer.
class CheckedFile {
 public:
  static constexpr std::size_t kBlockBytes = 16384;
  static constexpr std::size_t kEndBytes = 40;

  /// Whether the last bytes of a file are those of a trailer, damaged or not.
  static bool ends_trailer(std::string_view last);
  /// For writing: creates or empties the file. Throws RuntimeError.
  static std::unique_ptr<CheckedFile> create(const std::string& path);
  /// For reading. Null if the file does not end with a trailer; throws RuntimeError if that is damaged or unreadable.
  static std::unique_ptr<CheckedFile> open(const std::string& path);
  ~CheckedFile();
  CheckedFile(const CheckedFile&) = delete;
  CheckedFile& operator=(const CheckedFile&) = delete;

  bool writable() const { return writable_; }
  /// Size of the content in bytes.
  std::uint64_t size() const { return size_; }
  /// Bytes of the content from `offset` on, zeros in gaps and beyond its end. False if one of their blocks is damaged
  /// or the system call fails.
  bool read(std::uint64_t offset, std::span<std::byte> to);
  /// Checks all blocks.
  bool check();
  /// The first and last damaged byte found so far, if any.
  const std::optional<std::pair<std::uint64_t, std::uint64_t>>& damage() const { return damage_; }
  /// False if the system refuses (disk full).
  bool write(std::uint64_t offset, std::span<const std::byte> bytes);
  /// Truncates, or appends zeros. False if the system refuses.
  bool resize(std::uint64_t size);
  /// The errno of the first failure; 0 if there was none.
  int failure() const { return failure_; }
  /// Appends the trailer, flushes to disk, closes the file. Also throws RuntimeError if anything failed
  /// before, because it is unknown how the library handled that.
  void finish();

 private:
  /// When writing: the checksum of the first `covered` bytes. When reading: that of the whole block, from the trailer;
  /// `covered` is the size once the block is checked.
  struct Block {
    std::uint64_t checksum = 0;
    std::uint32_t covered = 0;
  };

  CheckedFile(const std::string& path, int flags);
  /// False if there is none.
  bool read_trailer();
  /// The number of content bytes in a block.
  std::size_t bytes_of(std::size_t block) const;
  /// Reads a block into `buffer` and checks it.
  bool check(std::size_t block, std::span<std::byte> buffer);
  /// Remembers the first failure.
  bool done(bool right);
  /// Where the bytes begin within their block.
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
