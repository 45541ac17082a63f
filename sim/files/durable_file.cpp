#include "sim/files/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>

#include "core/errors.hpp"
#include "sim/files/file_calls.hpp"
#include "sim/files/output_path.hpp"

namespace coterie::sim {
namespace {

/// Whether the open file is the one that has this name.
bool is_named(int file, const std::string& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

/// A file open for writing. Closed on destruction, and locked until then, where the file system has locks.
class LockedFile {
 public:
  explicit LockedFile(const std::string& path) {
    do {
      close();
      file_ = open_file(path, O_WRONLY | O_CREAT);
      while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    } while (file_ >= 0 && !is_named(file_, path));  // whoever had the lock has published or removed it
  }
  ~LockedFile() { close(); }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  /// Negative where it cannot be opened.
  int descriptor() const { return file_; }

 private:
  void close() {
    const int reason = errno;
    if (file_ >= 0) ::close(file_);
    file_ = -1;
    errno = reason;
  }
  int file_ = -1;
};

/// 0 where there is none.
int failure_to_flush_folder(const std::string& path) {
  const int folder = open_file(path, O_RDONLY | O_DIRECTORY);
  const bool flushed = folder >= 0 && flush(folder);
  const int reason = errno;
  if (folder >= 0) ::close(folder);
  // Some file systems cannot flush a folder and return EINVAL; nothing more can be done for their renames.
  return flushed || reason == EINVAL ? 0 : reason;
}

}  // namespace

void flush_ahead(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  ::sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
  ::close(file);
}

void flush_and_close(int file, const std::string& path) {
  int reason = flush(file) ? 0 : errno;
  // If interrupted, it is closed anyway, and nothing was left to write.
  if (::close(file) != 0 && errno != EINTR && reason == 0) reason = errno;
  if (reason != 0) throw RuntimeError(fmt::format("{}: cannot be flushed to disk: {}", path, std::strerror(reason)));
}

void flush_folder(const std::string& path) {
  if (const int reason = failure_to_flush_folder(path); reason != 0)
    throw RuntimeError(fmt::format("{}: cannot be flushed to disk: {}", path, std::strerror(reason)));
}

void flush_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (const int reason = failure_to_flush_folder(folder.empty() ? "." : folder); reason != 0)
    throw RuntimeError(fmt::format("{}: its folder cannot be flushed to disk: {}", path, std::strerror(reason)));
}

void publish_file(const std::string& temporary, const std::string& path) {
  if (std::rename(temporary.c_str(), path.c_str()) != 0)
    throw RuntimeError(fmt::format("{}: cannot be renamed to {}: {}", temporary, path, std::strerror(errno)));
  flush_folder_of(path);
}

RemovedUnlessPublished::~RemovedUnlessPublished() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void write_text_durably(const std::string& path, const std::string& text) {
  const std::string target = output_target(path);
  const std::string temporary = target + ".tmp";
  const auto require = [&](bool done, const char* what) {
    if (!done) throw RuntimeError(fmt::format("{}: cannot be {}: {}", path, what, std::strerror(errno)));
  };
  const LockedFile file(temporary);
  require(file.descriptor() >= 0, "written");
  RemovedUnlessPublished guard(temporary);
  require(resize_file(file.descriptor(), 0) && write_at(file.descriptor(), 0, std::as_bytes(std::span(text))),
          "written");
  require(flush(file.descriptor()), "flushed to disk");
  if (std::rename(temporary.c_str(), target.c_str()) != 0)
    throw RuntimeError(fmt::format("{}: cannot be renamed to {}: {}", temporary, target, std::strerror(errno)));
  guard.published();
  flush_folder_of(target);
}

}  // namespace coterie::sim
