#include "sim/files/file_calls.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace coterie::sim {
namespace {

template <class Call>
auto uninterrupted(const Call& call) {
  for (;;) {
    errno = 0;
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

Descriptor::~Descriptor() {
  if (file_ >= 0) ::close(file_);
}

int open_file(const std::string& path, int flags) {
  return uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, 0666); });
}

bool read_at(int file, std::uint64_t offset, std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t got = uninterrupted([&] { return ::pread(file, to.data(), to.size(), static_cast<off_t>(offset)); });
    if (got <= 0) return false;
    offset += static_cast<std::uint64_t>(got);
    to = to.subspan(static_cast<std::size_t>(got));
  }
  return true;
}

bool write_at(int file, std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put =
        uninterrupted([&] { return ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (put <= 0) return false;
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return true;
}

bool flush(int file) {
  return uninterrupted([&] { return ::fsync(file); }) == 0;
}

}  // namespace coterie::sim
