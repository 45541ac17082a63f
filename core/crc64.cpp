#include "core/crc64.hpp"

#include <array>

namespace coterie {
namespace {

constexpr std::uint64_t kPolynomial = 0xC96C5795D7870F42;  // of ECMA-182, reflected
constexpr std::size_t kSlices = 8;

/// Row k: what a byte adds to the CRC when k bytes follow it, so that eight bytes are taken in one step.
using Tables = std::array<std::array<std::uint64_t, 256>, kSlices>;

constexpr Tables make_tables() {
  Tables tables{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    std::uint64_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = crc;
  }
  for (std::size_t slice = 1; slice < kSlices; ++slice)
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t before = tables[slice - 1][byte];
      tables[slice][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  return tables;
}

constexpr Tables kTables = make_tables();

}  // namespace

Crc64& Crc64::update(std::span<const std::byte> bytes) {
  std::uint64_t crc = state_;
  for (; bytes.size() >= kSlices; bytes = bytes.subspan(kSlices)) {
    std::uint64_t next = 0;
    for (std::size_t i = 0; i < kSlices; ++i) {
      const std::uint64_t byte = ((crc >> (8 * i)) ^ std::to_integer<std::uint64_t>(bytes[i])) & 0xFF;
      next ^= kTables[kSlices - 1 - i][byte];
    }
    crc = next;
  }
  for (const std::byte byte : bytes) crc = (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<std::uint64_t>(byte)) & 0xFF];
  state_ = crc;
  return *this;
}

}  // namespace coterie
