#include "sim/files/checked_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/crc64.hpp"
#include "core/errors.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/file_calls.hpp"

namespace coterie::sim {
namespace {

constexpr std::string_view kMark = "coterie seal 1\r\n";
constexpr std::size_t kNumberBytes = 8;
static_assert(CheckedFile::kEndBytes == kMark.size() + 3 * kNumberBytes);
constexpr std::uint64_t kMostBlockBytes = 1 << 24;
constexpr std::uint32_t kUnknownCover = ~std::uint32_t{0};  // how much of a block its checksum covers

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

}  // namespace

bool CheckedFile::ends_trailer(std::string_view last) { return last.size() == kEndBytes && last.starts_with(kMark); }

CheckedFile::CheckedFile(const std::string& path, int flags)
    : path_(path), writable_(flags != O_RDONLY), file_(open_file(path, flags)) {}

CheckedFile::~CheckedFile() {
  if (file_ >= 0) ::close(file_);
}

std::unique_ptr<CheckedFile> CheckedFile::create(const std::string& path) {
  std::unique_ptr<CheckedFile> made(new CheckedFile(path, O_RDWR | O_CREAT | O_TRUNC));
  if (made->file_ < 0)
    throw RuntimeError(fmt::format("{}: the file cannot be created: {}", path, std::strerror(errno)));
  return made;
}

std::unique_ptr<CheckedFile> CheckedFile::open(const std::string& path) {
  std::unique_ptr<CheckedFile> opened(new CheckedFile(path, O_RDONLY));
  return opened->read_trailer() ? std::move(opened) : nullptr;
}

bool CheckedFile::read_trailer() {
  struct stat known = {};
  if (file_ < 0 || ::fstat(file_, &known) != 0)
    throw SystemFailure(fmt::format("{}: cannot be opened: {}", path_, std::strerror(errno)));
  const auto total = static_cast<std::uint64_t>(known.st_size);
  if (!S_ISREG(known.st_mode) || total < kEndBytes) return false;
  const auto read = [&](std::uint64_t offset, std::span<std::byte> to) {
    if (read_at(file_, offset, to)) return;
    if (errno == 0) throw RuntimeError(path_ + ": cannot be read: it ends too early");
    throw SystemFailure(fmt::format("{}: cannot be read: {}", path_, std::strerror(errno)));
  };
  std::vector<std::byte> end(kEndBytes);
  read(total - kEndBytes, end);
  if (!ends_trailer({reinterpret_cast<const char*>(end.data()), end.size()})) return false;
  const std::uint64_t size = number_at(end, kMark.size());
  const std::uint64_t block_bytes = number_at(end, kMark.size() + kNumberBytes);
  const RuntimeError damaged(path_ + ": is damaged: the checksums at its end are wrong (cut off?)");
  if (block_bytes == 0 || block_bytes > kMostBlockBytes || size > total ||
      total != size + kNumberBytes * blocks_of(size, block_bytes) + kEndBytes)
    throw damaged;
  std::vector<std::byte> trailer(total - size);
  read(size, trailer);
  const std::size_t last = trailer.size() - kNumberBytes;
  if (Crc64().update(std::span(trailer).first(last)).value() != number_at(trailer, last)) throw damaged;
  size_ = size;
  block_bytes_ = static_cast<std::size_t>(block_bytes);
  blocks_.resize(blocks_of(size, block_bytes));
  for (std::size_t i = 0; i < blocks_.size(); ++i) blocks_[i].checksum = number_at(trailer, i * kNumberBytes);
  buffer_.resize(block_bytes_);
  return true;
}

std::size_t CheckedFile::bytes_of(std::size_t block) const {
  return static_cast<std::size_t>(std::min<std::uint64_t>(block_bytes_, size_ - block * block_bytes_));
}

bool CheckedFile::done(bool right) {
  if (!right && failure_ == 0) failure_ = errno != 0 ? errno : EIO;  // it was longer a moment ago
  return right;
}

bool CheckedFile::check(std::size_t block, std::span<std::byte> buffer) {
  const std::uint64_t first = block * block_bytes_;
  const auto content = buffer.first(bytes_of(block));
  if (!done(read_at(file_, first, content))) return false;
  if (Crc64().update(content).value() != blocks_[block].checksum) {
    if (!damage_) damage_ = {first, first + content.size() - 1};
    return false;
  }
  blocks_[block].covered = static_cast<std::uint32_t>(content.size());
  return true;
}

bool CheckedFile::check() {
  for (std::size_t block = 0; block < blocks_.size(); ++block)
    if (!check(block, buffer_)) return false;
  return true;
}

bool CheckedFile::read(std::uint64_t offset, std::span<std::byte> to) {
  const std::uint64_t inside = offset >= size_ ? 0 : std::min<std::uint64_t>(to.size(), size_ - offset);
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(inside), to.end(), std::byte{0});
  to = to.first(inside);
  if (writable_) return done(read_at(file_, offset, to));
  while (!to.empty()) {
    const std::uint64_t block = offset / block_bytes_;
    const std::uint64_t within = offset % block_bytes_;
    const auto piece = to.first(std::min<std::uint64_t>(to.size(), block_bytes_ - within));
    if (blocks_[block].covered > 0) {
      if (!done(read_at(file_, offset, piece))) return false;
    } else if (piece.size() == block_bytes_) {
      if (!check(block, piece)) return false;
    } else {
      if (!check(block, buffer_)) return false;
      std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(within), piece.size(), piece.begin());
    }
    offset += piece.size();
    to = to.subspan(piece.size());
  }
  return true;
}

void CheckedFile::cover(Block& block, std::size_t begin, std::span<const std::byte> bytes) {
  const bool anew =
      begin == 0 && (block.covered == kUnknownCover ? bytes.size() == kBlockBytes : bytes.size() >= block.covered);
  if (anew) block = {};
  if (begin != block.covered) {
    block.covered = kUnknownCover;
    return;
  }
  block.checksum = Crc64(block.checksum).update(bytes).value();
  block.covered += static_cast<std::uint32_t>(bytes.size());
}

bool CheckedFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return true;
  if (!done(write_at(file_, offset, bytes))) return false;
  size_ = std::max(size_, offset + bytes.size());
  blocks_.resize(blocks_of(size_, kBlockBytes));
  while (!bytes.empty()) {
    const std::size_t begin = offset % kBlockBytes;
    const auto piece = bytes.first(std::min(bytes.size(), kBlockBytes - begin));
    cover(blocks_[offset / kBlockBytes], begin, piece);
    offset += piece.size();
    bytes = bytes.subspan(piece.size());
  }
  return true;
}

bool CheckedFile::resize(std::uint64_t size) {
  if (!done(resize_file(file_, size))) return false;
  size_ = size;
  blocks_.resize(blocks_of(size, kBlockBytes));
  if (!blocks_.empty() && blocks_.back().covered > bytes_of(blocks_.size() - 1)) blocks_.back().covered = kUnknownCover;
  return true;
}

void CheckedFile::finish() {
  buffer_.resize(kBlockBytes);
  std::vector<std::byte> trailer;
  for (std::size_t i = 0; i < blocks_.size() && failure_ == 0; ++i) {
    const auto content = std::span(buffer_).first(bytes_of(i));
    const bool known = blocks_[i].covered == content.size();
    if (!known) done(read_at(file_, i * kBlockBytes, content));
    append_number(trailer, known ? blocks_[i].checksum : Crc64().update(content).value());
  }
  const auto mark = std::as_bytes(std::span(kMark));
  trailer.insert(trailer.end(), mark.begin(), mark.end());
  append_number(trailer, size_);
  append_number(trailer, kBlockBytes);
  append_number(trailer, Crc64().update(trailer).value());
  if (failure_ == 0) done(write_at(file_, size_, trailer));
  if (failure_ != 0)
    throw RuntimeError(fmt::format("{}: cannot be written (disk full?): {}", path_, std::strerror(failure_)));
  flush_and_close(std::exchange(file_, -1), path_);
}

}  // namespace coterie::sim
