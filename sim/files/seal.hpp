#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::sim {

/// The seal of a file, after its content: the CRC-64 of each block of the content. HDF5 has checksums of values and of
/// metadata, but not of texts, and its library may crash on corrupt bytes. Other programs do not see the seal; one that
/// opens the file for writing cuts it off.
///
/// Layout: CRC-64/XZ of each block (the last may be shorter); the mark "coterie seal 1\r\n"; size of the content, bytes
/// per block, CRC-64 of the seal up to here. Numbers have 8 bytes, least significant first.
class Seal {
 public:
  static constexpr std::size_t kBlockBytes = 16384;
  static constexpr std::size_t kEndBytes = 40;

  /// Whether the last bytes of a file are those of a seal, damaged or not.
  static bool ends_with(std::string_view last);
  /// Appends the seal of all that an open file holds. Throws RuntimeError; `path` is for messages.
  static void append(int file, const std::string& path);
  /// Nothing if the file does not end with a seal; throws RuntimeError if that is damaged or unreadable.
  static std::optional<Seal> read(int file, const std::string& path);

  std::uint64_t content_size() const { return size_; }
  /// Throws RuntimeError that names the first damaged bytes of the content.
  void check(int file, const std::string& path) const;

 private:
  std::uint64_t size_ = 0;
  std::uint64_t block_bytes_ = kBlockBytes;
  std::vector<std::uint64_t> checksums_;  // by block
};

}  // namespace coterie::sim
