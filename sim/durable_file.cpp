#include "sim/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "sim/output_path.hpp"

namespace coterie::sim {
namespace {

void flush_to_disk(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC);
  const bool flushed = file >= 0 && ::fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  // Some file systems cannot flush a folder and say EINVAL; their renames are as safe as they get.
  if (!flushed && !((flags & O_DIRECTORY) != 0 && reason == EINVAL))
    throw RuntimeError(fmt::format("{}: cannot be flushed to disk: {}", path, std::strerror(reason)));
}

}  // namespace

void flush_ahead(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ::sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
  ::close(file);
}

void publish_file(const std::string& temporary, const std::string& path) {
  flush_to_disk(temporary, O_RDONLY);
  if (std::rename(temporary.c_str(), path.c_str()) != 0)
    throw RuntimeError(fmt::format("{}: cannot be renamed to {}: {}", temporary, path, std::strerror(errno)));
  const std::string folder = std::filesystem::path(path).parent_path().string();
  flush_to_disk(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY);
}

RemovedUnlessPublished::~RemovedUnlessPublished() {
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void write_text_durably(const std::string& path, const std::string& text) {
  const std::string target = output_target(path);
  const std::string temporary = target + ".tmp";
  const RemovedUnlessPublished guard(temporary);
  errno = 0;
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file)
    throw RuntimeError(
        fmt::format("{}: cannot be written: {}", path, errno != 0 ? std::strerror(errno) : "disk full?"));
  publish_file(temporary, target);
}

}  // namespace coterie::sim
