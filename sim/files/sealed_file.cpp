#include "sim/files/sealed_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "core/crc64.hpp"
#include "core/errors.hpp"
#include "sim/files/file_calls.hpp"

namespace coterie::sim {
namespace {

constexpr std::string_view kMark = "coterie seal 1\r\n";
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kEndBytes = SealedFile::kEndBytes;
static_assert(kEndBytes == kMark.size() + 3 * kNumberBytes);
constexpr std::uint64_t kMostBlockBytes = 1 << 24;

void append_number(std::vector<std::byte>& bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) bytes.push_back(static_cast<std::byte>(number >> (8 * i)));
}

std::uint64_t number_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < kNumberBytes; ++i) number |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
  return number;
}

std::string reason_of(int number) { return number == 0 ? "it ends too soon" : std::strerror(number); }

/// Closes what it holds unless that is taken over.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

}  // namespace

std::vector<std::byte> SealedFile::seal_of(std::span<const std::uint64_t> checksums, std::uint64_t size) {
  std::vector<std::byte> seal;
  for (const std::uint64_t checksum : checksums) append_number(seal, checksum);
  const auto mark = std::as_bytes(std::span(kMark));
  seal.insert(seal.end(), mark.begin(), mark.end());
  append_number(seal, size);
  append_number(seal, kBlockBytes);
  append_number(seal, Crc64().update(seal).value());
  return seal;
}

std::unique_ptr<SealedFile> SealedFile::open(const std::string& path) {
  Descriptor file{open_file(path, O_RDONLY)};
  struct stat known = {};
  if (file.number < 0 || ::fstat(file.number, &known) != 0)
    throw RuntimeError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  const auto total = static_cast<std::uint64_t>(known.st_size);
  if (!S_ISREG(known.st_mode) || total < kEndBytes) return nullptr;
  const auto read = [&](std::uint64_t offset, std::span<std::byte> to) {
    if (!read_at(file.number, offset, to))
      throw RuntimeError(fmt::format("{}: cannot be read: {}", path, reason_of(errno)));
  };
  std::vector<std::byte> end(kEndBytes);
  read(total - kEndBytes, end);
  if (!ends_a_seal({reinterpret_cast<const char*>(end.data()), end.size()})) return nullptr;
  const std::uint64_t size = number_at(end, kMark.size());
  const std::uint64_t block_bytes = number_at(end, kMark.size() + kNumberBytes);
  const RuntimeError damaged(path + ": is damaged: the checksums at its end are not what was written (cut off?)");
  if (block_bytes == 0 || block_bytes > kMostBlockBytes || size > total ||
      total != size + kNumberBytes * blocks_of(size, block_bytes) + kEndBytes)
    throw damaged;
  std::vector<std::byte> table(total - size);
  read(size, table);
  if (Crc64().update(std::span(table).first(table.size() - kNumberBytes)).value() !=
      number_at(table, table.size() - kNumberBytes))
    throw damaged;
  std::vector<std::uint64_t> checksums(blocks_of(size, block_bytes));
  for (std::size_t i = 0; i < checksums.size(); ++i) checksums[i] = number_at(table, i * kNumberBytes);
  return std::unique_ptr<SealedFile>(new SealedFile(std::exchange(file.number, -1), size,
                                                    static_cast<std::size_t>(block_bytes), std::move(checksums)));
}

SealedFile::SealedFile(int file, std::uint64_t size, std::size_t block_bytes, std::vector<std::uint64_t> checksums)
    : file_(file),
      size_(size),
      block_bytes_(block_bytes),
      checksums_(std::move(checksums)),
      checked_(checksums_.size()),
      block_(block_bytes) {}

bool SealedFile::ends_a_seal(std::string_view last) { return last.size() == kEndBytes && last.starts_with(kMark); }

SealedFile::~SealedFile() { ::close(file_); }

bool SealedFile::check(std::size_t block, std::span<std::byte> room) {
  const std::uint64_t first = block * block_bytes_;
  const auto content = room.first(std::min<std::uint64_t>(block_bytes_, size_ - first));
  if (!read_raw(first, content)) return false;
  if (Crc64().update(content).value() == checksums_[block]) return checked_[block] = true;
  if (!damage_) damage_ = {first, first + content.size() - 1};
  return false;
}

bool SealedFile::read_raw(std::uint64_t offset, std::span<std::byte> to) {
  if (read_at(file_, offset, to)) return true;
  failure_ = errno != 0 ? errno : EIO;  // it was longer a moment ago
  return false;
}

bool SealedFile::check() {
  for (std::size_t block = 0; block < checksums_.size(); ++block)
    if (!check(block, block_)) return false;
  return true;
}

bool SealedFile::read(std::uint64_t offset, std::span<std::byte> to) {
  const std::uint64_t inside = offset >= size_ ? 0 : std::min<std::uint64_t>(to.size(), size_ - offset);
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(inside), to.end(), std::byte{0});
  to = to.first(inside);
  while (!to.empty()) {
    const std::uint64_t block = offset / block_bytes_;
    const std::uint64_t within = offset % block_bytes_;
    const auto piece = to.first(std::min<std::uint64_t>(to.size(), block_bytes_ - within));
    if (checked_[block]) {
      if (!read_raw(offset, piece)) return false;
    } else if (piece.size() == block_bytes_) {
      if (!check(block, piece)) return false;
    } else {
      if (!check(block, block_)) return false;
      std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(within), piece.size(), piece.begin());
    }
    offset += piece.size();
    to = to.subspan(piece.size());
  }
  return true;
}

}  // namespace coterie::sim
