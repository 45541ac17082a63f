#include "sim/files/chunk_filters.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

static_assert(std::endian::native == std::endian::little);  // as the values in the file

/// First bytes of all values, then their second bytes, and so on: these are alike, and deflate finds more.
std::vector<std::byte> shuffled(std::span<const std::byte> bytes) {
  const std::size_t count = bytes.size() / sizeof(double);
  std::vector<std::byte> apart(bytes.size());
  for (std::size_t byte = 0; byte < sizeof(double); ++byte)
    for (std::size_t i = 0; i < count; ++i) apart[byte * count + i] = bytes[i * sizeof(double) + byte];
  return apart;
}

void deflate_bytes(std::span<const std::byte> bytes, int level, std::vector<std::byte>& compressed) {
  uLongf size = compressBound(bytes.size());
  compressed.resize(size);
  if (compress2(reinterpret_cast<Bytef*>(compressed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), level) != Z_OK)
    throw RuntimeError("compressing results failed (out of memory?)");
  compressed.resize(size);
}

/// Fletcher's checksum over words of 16 bits, the most significant byte first; a last byte alone is the first of one.
/// Sums are modulo 2^16 - 1, and 0 only of zeros. Swapping the bytes of all words swaps those of the sums: so they are
/// summed as they lie in memory.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::uint32_t kMostWords = 360;  // 32 bits hold the sums of so many
  const auto folded = [](std::uint64_t sum) {
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return sum;
  };
  std::uint64_t first = 0;
  std::uint64_t second = 0;  // has a word as often as there are words from it on
  while (!bytes.empty()) {
    std::array<std::uint16_t, kMostWords> words{};
    const std::size_t size = std::min(bytes.size(), sizeof words);
    std::memcpy(words.data(), bytes.data(), size);
    std::uint32_t sum = 0;
    std::uint32_t sums = 0;
    for (std::uint32_t i = 0; i < kMostWords; ++i) {
      sum += words[i];
      sums += (kMostWords - i) * words[i];
    }
    const std::size_t absent = kMostWords - (size + 1) / 2;  // of the words: they are 0, and count no others
    second = folded(second + (kMostWords - absent) * first + sums - absent * sum);
    first = folded(first + sum);
    bytes = bytes.subspan(size);
  }
  const auto swapped = [](std::uint64_t sum) { return (sum & 0xFF) << 8 | sum >> 8; };
  return static_cast<std::uint32_t>(swapped(second) << 16 | swapped(first));
}

}  // namespace

void filter_chunk(std::span<const double> values, int deflate, std::vector<std::byte>& bytes) {
  const auto plain = std::as_bytes(values);
  bytes.reserve(plain.size() + sizeof(std::uint32_t));
  if (deflate > 0)
    deflate_bytes(shuffled(plain), deflate, bytes);
  else
    bytes.assign(plain.begin(), plain.end());
  const std::uint32_t checksum = fletcher32(bytes);
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(checksum >> shift));
}

}  // namespace coterie::sim
