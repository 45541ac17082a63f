#include "sim/files/seal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "core/crc64.hpp"
#include "core/errors.hpp"
#include "sim/files/file_calls.hpp"

namespace coterie::sim {
namespace {

constexpr std::string_view kMark = "coterie seal 1\r\n";
constexpr std::size_t kNumberBytes = 8;
static_assert(Seal::kEndBytes == kMark.size() + 3 * kNumberBytes);
constexpr std::uint64_t kMostBlockBytes = 1 << 24;
constexpr std::uint64_t kReadTogether = 1 << 20;

std::uint64_t blocks_of(std::uint64_t size, std::uint64_t block_bytes) {
  return (size + block_bytes - 1) / block_bytes;
}

void append_number(std::vector<std::byte>& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) bytes.push_back(static_cast<std::byte>(number >> (8 * i)));
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) number |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
  return number;
}

std::uint64_t size_of(int file, const std::string& path) {
  struct stat known = {};
  if (::fstat(file, &known) != 0)
    throw SystemFailure(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return static_cast<std::uint64_t>(known.st_size);
}

void read_exactly(int file, const std::string& path, std::uint64_t offset, std::span<std::byte> to) {
  if (read_at(file, offset, to)) return;
  if (errno == 0) throw RuntimeError(path + ": cannot be read: it ends too early");
  throw SystemFailure(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
}

/// Calls `take` with the number of each block and its checksum.
template <class Take>
void for_each_checksum(int file, const std::string& path, std::uint64_t size, std::uint64_t block_bytes,
                       const Take& take) {
  std::vector<std::byte> buffer(block_bytes * std::max<std::uint64_t>(1, kReadTogether / block_bytes));
  for (std::uint64_t offset = 0; offset < size; offset += buffer.size()) {
    auto content = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), size - offset));
    read_exactly(file, path, offset, content);
    for (std::uint64_t block = offset / block_bytes; !content.empty(); ++block) {
      const auto bytes = content.first(std::min<std::uint64_t>(block_bytes, content.size()));
      take(block, Crc64().update(bytes).value());
      content = content.subspan(bytes.size());
    }
  }
}

}  // namespace

bool Seal::ends_with(std::string_view last) { return last.size() == kEndBytes && last.starts_with(kMark); }

void Seal::append(int file, const std::string& path) {
  const std::uint64_t size = size_of(file, path);
  std::vector<std::byte> seal;
  for_each_checksum(file, path, size, kBlockBytes,
                    [&](std::uint64_t, std::uint64_t checksum) { append_number(seal, checksum); });
  const auto mark = std::as_bytes(std::span(kMark));
  seal.insert(seal.end(), mark.begin(), mark.end());
  append_number(seal, size);
  append_number(seal, kBlockBytes);
  append_number(seal, Crc64().update(seal).value());
  if (!write_at(file, size, seal))
    throw RuntimeError(fmt::format("{}: cannot be written (disk full?): {}", path, std::strerror(errno)));
}

std::optional<Seal> Seal::read(int file, const std::string& path) {
  const std::uint64_t total = size_of(file, path);
  if (total < kEndBytes) return std::nullopt;
  std::vector<std::byte> end(kEndBytes);
  read_exactly(file, path, total - kEndBytes, end);
  if (!ends_with({reinterpret_cast<const char*>(end.data()), end.size()})) return std::nullopt;
  Seal seal;
  seal.size_ = number_at(end, kMark.size());
  seal.block_bytes_ = number_at(end, kMark.size() + kNumberBytes);
  const RuntimeError damaged(path + ": is damaged: the checksums at its end are wrong (cut off?)");
  if (seal.block_bytes_ == 0 || seal.block_bytes_ > kMostBlockBytes || seal.size_ > total ||
      total != seal.size_ + kNumberBytes * blocks_of(seal.size_, seal.block_bytes_) + kEndBytes)
    throw damaged;
  std::vector<std::byte> bytes(total - seal.size_);
  read_exactly(file, path, seal.size_, bytes);
  const std::size_t last = bytes.size() - kNumberBytes;
  if (Crc64().update(std::span(bytes).first(last)).value() != number_at(bytes, last)) throw damaged;
  for (std::size_t i = 0; i + kEndBytes < bytes.size(); i += kNumberBytes)
    seal.checksums_.push_back(number_at(bytes, i));
  return seal;
}

void Seal::check(int file, const std::string& path) const {
  for_each_checksum(file, path, size_, block_bytes_, [&](std::uint64_t block, std::uint64_t checksum) {
    if (checksum == checksums_[block]) return;
    const std::uint64_t first = block * block_bytes_;
    throw RuntimeError(fmt::format("{}: is damaged: bytes {} to {} differ from what was written", path, first,
                                   std::min(first + block_bytes_, size_) - 1));
  });
}

}  // namespace coterie::sim
