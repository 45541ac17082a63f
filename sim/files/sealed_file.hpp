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

/// Reads a file that ends with the CRC-64 of each of its blocks, the seal. HDF5 keeps checksums of values and of most
/// of what describes them, but none of texts, and its library may crash on bytes that nobody wrote: so every block is
/// compared before the library sees it. Other programs do not see the seal; one that opens the file to write cuts it
/// off.
///
/// Layout: the content; CRC-64/XZ of each block of it (the last may be shorter); the mark "coterie seal 1\r\n"; size of
/// the content, bytes of a block, CRC-64 of all of the seal before. Numbers have 8 bytes, the least significant first.
class SealedFile {
 public:
  static constexpr std::size_t kBlockBytes = 16384;

  /// How many blocks so many bytes are.
  static std::uint64_t blocks_of(std::uint64_t size, std::uint64_t block_bytes = kBlockBytes) {
    return (size + block_bytes - 1) / block_bytes;
  }
  /// What stands behind the content, of so many bytes, whose blocks have these checksums.
  static std::vector<std::byte> seal_of(std::span<const std::uint64_t> checksums, std::uint64_t size);
  static constexpr std::size_t kEndBytes = 40;
  /// Whether the last so many bytes of a file are those of a seal, damaged or not.
  static bool ends_a_seal(std::string_view last);
  /// Null where the file does not end with a seal; RuntimeError where the seal is damaged or cannot be read.
  static std::unique_ptr<SealedFile> open(const std::string& path);
  ~SealedFile();
  SealedFile(const SealedFile&) = delete;
  SealedFile& operator=(const SealedFile&) = delete;

  /// Of the content, in bytes.
  std::uint64_t size() const { return size_; }
  /// Bytes of the content from `offset` on, zeros beyond its end. False where a block of them is damaged.
  bool read(std::uint64_t offset, std::span<std::byte> to);
  /// Compares all blocks.
  bool check();
  /// The first and last byte of the damage that was met, if any was.
  const std::optional<std::pair<std::uint64_t, std::uint64_t>>& damage() const { return damage_; }
  /// Of the system, why bytes could not be read; 0 where all could.
  int failure() const { return failure_; }

 private:
  SealedFile(int file, std::uint64_t size, std::size_t block_bytes, std::vector<std::uint64_t> checksums);
  /// Reads a block into `room` and compares it.
  bool check(std::size_t block, std::span<std::byte> room);
  /// False where the system cannot read that.
  bool read_raw(std::uint64_t offset, std::span<std::byte> to);

  int file_;
  std::uint64_t size_;
  std::size_t block_bytes_;
  std::vector<std::uint64_t> checksums_;
  std::vector<bool> checked_;
  std::vector<std::byte> block_;
  std::optional<std::pair<std::uint64_t, std::uint64_t>> damage_;
  int failure_ = 0;
};

}  // namespace coterie::sim
