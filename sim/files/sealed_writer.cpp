#include "sim/files/sealed_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/errors.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/file_calls.hpp"
#include "sim/files/sealed_file.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kBlockBytes = SealedFile::kBlockBytes;

}  // namespace

SealedWriter::SealedWriter(const std::string& path) : path_(path), file_(open_file(path, O_RDWR | O_CREAT | O_TRUNC)) {
  if (file_ < 0) throw RuntimeError(fmt::format("{}: the file cannot be created: {}", path, std::strerror(errno)));
}

SealedWriter::~SealedWriter() {
  if (file_ >= 0) ::close(file_);
}

bool SealedWriter::done(bool right) {
  if (!right && failure_ == 0) failure_ = errno != 0 ? errno : EIO;
  return right;
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
  if (!done(write_at(file_, offset, bytes))) return false;
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

bool SealedWriter::read(std::uint64_t offset, std::span<std::byte> to) {
  const std::uint64_t inside = offset >= size_ ? 0 : std::min<std::uint64_t>(to.size(), size_ - offset);
  std::fill(to.begin() + static_cast<std::ptrdiff_t>(inside), to.end(), std::byte{0});
  return done(read_at(file_, offset, to.first(inside)));
}

bool SealedWriter::resize(std::uint64_t size) {
  if (!done(resize_file(file_, size))) return false;
  size_ = size;
  checksums_.resize(SealedFile::blocks_of(size));
  if (size % kBlockBytes != 0 && checksums_.back().covered > size % kBlockBytes)
    checksums_.back().covered = Checksum::kUnknown;
  return true;
}

void SealedWriter::seal() {
  std::vector<std::uint64_t> checksums;
  std::vector<std::byte> block(kBlockBytes);
  for (std::size_t i = 0; i < checksums_.size() && failure_ == 0; ++i) {
    const std::uint64_t first = i * kBlockBytes;
    const auto content = std::span(block).first(std::min<std::uint64_t>(kBlockBytes, size_ - first));
    const bool known = checksums_[i].covered == content.size();
    if (!known) done(read_at(file_, first, content));
    checksums.push_back(known ? checksums_[i].value.value() : Crc64().update(content).value());
  }
  if (failure_ == 0) done(write_at(file_, size_, SealedFile::seal_of(checksums, size_)));
  if (failure_ != 0)
    throw RuntimeError(fmt::format("{}: cannot be written (disk full?): {}", path_, std::strerror(failure_)));
  flush_and_close(std::exchange(file_, -1), path_);
}

}  // namespace coterie::sim
