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

typedef std::uint16_t EightWords __attribute__((vector_size(16)));
typedef std::uint32_t FourSums __attribute__((vector_size(16)));

/// Sums of words in four lanes, and sums of those sums.
struct FletcherLanes {
  FourSums first = {};
  FourSums second = {};
  void add(EightWords words) {  // every other one of which is 0
    first += reinterpret_cast<FourSums>(words);
    second += first;
  }
};

/// Fletcher's checksum over words of 16 bits, the most significant byte first; a last byte alone is the first of one.
/// Sums are modulo 2^16 - 1, and 0 only of zeros. Swapping the bytes of all words swaps those of the sums: so they are
/// summed as they lie in memory, in rows of eight.
std::uint32_t fletcher32(std::span<const std::byte> bytes) {
  constexpr std::size_t kRow = 8;
  constexpr std::size_t kMostRows = 360;  // 32 bits hold the sums of so many
  const auto folded = [](std::uint64_t sum) {
    while (sum > 0xFFFF) sum = (sum & 0xFFFF) + (sum >> 16);
    return sum;
  };
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  for (; bytes.size() >= sizeof(EightWords); first = folded(first), second = folded(second)) {
    const std::size_t rows = std::min(bytes.size() / sizeof(EightWords), kMostRows);
    std::array<FletcherLanes, 2> lanes;
    for (std::size_t row = 0; row < rows; ++row) {
      EightWords words;
      std::memcpy(&words, bytes.data() + row * sizeof words, sizeof words);
      lanes[0].add(__builtin_shufflevector(words, EightWords{}, 0, 8, 1, 9, 2, 10, 3, 11));
      lanes[1].add(__builtin_shufflevector(words, EightWords{}, 4, 12, 5, 13, 6, 14, 7, 15));
    }
    // The second sum has a word as often as there are words from it on: in its lane, and in those before it.
    second += kRow * rows * first;
    for (std::size_t word = 0; word < kRow; ++word) {
      const std::uint64_t sum = lanes[word / 4].first[word % 4];
      const std::uint64_t sums = lanes[word / 4].second[word % 4];
      second += kRow * sums - word * sum;
      first += sum;
    }
    bytes = bytes.subspan(rows * sizeof(EightWords));
  }
  for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(bytes.size(), 2)))
    second += first += std::to_integer<std::uint64_t>(bytes[0]) |
                       (bytes.size() > 1 ? std::to_integer<std::uint64_t>(bytes[1]) << 8 : 0);
  const auto swapped = [](std::uint64_t sum) { return (sum & 0xFF) << 8 | sum >> 8; };
  return static_cast<std::uint32_t>(swapped(folded(second)) << 16 | swapped(folded(first)));
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
