#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace coterie {

/// CRC-64/XZ of bytes that arrive piece by piece: the polynomial of ECMA-182, reflected. Finds every burst of errors of
/// up to 64 bits; other damage goes unnoticed with probability 2^-64.
class Crc64 {
 public:
  Crc64() = default;
  /// Continues after bytes that have this checksum.
  explicit Crc64(std::uint64_t value) : value_(value) {}
  Crc64& update(std::span<const std::byte> bytes);
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace coterie
