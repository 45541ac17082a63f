#include "sim/sealed_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/errors.hpp"
#include "sim/sealed_file.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kBlockBytes = SealedFile::kBlockBytes;

bool write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

}  // namespace

SealedWriter::SealedWriter(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) throw RuntimeError(fmt::format("{}: the file cannot be created: {}", path, std::strerror(errno)));
}

SealedWriter::~SealedWriter() {
  if (file_ >= 0) ::close(file_);
}

void SealedWriter::note(Checksum& checksum, std::size_t begin, std::span<const std::byte> bytes) {
  const bool anew = begin == 0 && (checksum.covered == Checksum::kUnknown ? bytes.size() == kBlockBytes
                                                                          : bytes.size() >= checksum.covered);
  if (anew) checksum = {};
  if (begin != checksum.covered) {
    checksum.covered = Checksum::kUnknown;
    return;
  }
  checksum.value.update(bytes);
  checksum.covered += static_cast<std::uint32_t>(bytes.size());
}

bool SealedWriter::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return true;
  if (!write_at(file_, offset, bytes)) return false;
  size_ = std::max(size_, offset + bytes.size());
  checksums_.resize(SealedFile::blocks_of(size_));
  while (!bytes.empty()) {
    const std::size_t begin = offset % kBlockBytes;
    const auto piece = bytes.first(std::min(bytes.size(), kBlockBytes - begin));
    note(checksums_[offset / kBlockBytes], begin, piece);
    offset += piece.size();
    bytes = bytes.subspan(piece.size());
  }
  return true;
}

bool SealedWriter::read(std::uint64_t offset, std::span<std::byte> to) const {
  const std::uint64_t inside = offset >= size_ ? 0 : std::min<std::uint64_t>(to.size(), size_ - offset);
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(inside), to.end(), std::byte{0});
  return read_at(file_, offset, to.first(inside));
}

bool SealedWriter::resize(std::uint64_t size) {
  if (::ftruncate(file_, static_cast<off_t>(size)) != 0) return false;
  size_ = size;
  checksums_.resize(SealedFile::blocks_of(size));
  if (size % kBlockBytes != 0 && checksums_.back().covered > size % kBlockBytes)
    checksums_.back().covered = Checksum::kUnknown;
  return true;
}

void SealedWriter::seal() {
  std::vector<std::uint64_t> checksums;
  std::vector<std::byte> block(kBlockBytes);
  for (std::size_t i = 0; i < checksums_.size(); ++i) {
    const std::uint64_t first = i * kBlockBytes;
    const auto content = std::span(block).first(std::min<std::uint64_t>(kBlockBytes, size_ - first));
    const bool known = checksums_[i].covered == content.size();
    if (!known && !read_at(file_, first, content)) throw RuntimeError(path_ + ": cannot be read again to be sealed");
    checksums.push_back(known ? checksums_[i].value.value() : Crc64().update(content).value());
  }
  const bool written = write_at(file_, size_, SealedFile::seal_of(checksums, size_));
  if (::close(std::exchange(file_, -1)) != 0 || !written)
    throw RuntimeError(path_ + ": writing its checksums failed (disk full?)");
}

}  // namespace coterie::sim
