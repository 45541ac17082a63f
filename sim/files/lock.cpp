#include "sim/files/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/errors.hpp"
#include "sim/files/file_calls.hpp"

namespace coterie::sim {
namespace {

/// The file that was opened may have been removed by its former holder before it could be locked.
bool still_there(int file, const std::string& path) {
  struct stat held = {};
  struct stat named = {};
  return ::fstat(file, &held) == 0 && ::stat(path.c_str(), &named) == 0 && held.st_ino == named.st_ino &&
         held.st_dev == named.st_dev;
}

}  // namespace

OutputLock::OutputLock(const std::string& output) : path_(output + ".lock") {
  for (;;) {
    file_ = open_file(path_, O_RDWR | O_CREAT);
    if (file_ < 0) throw RuntimeError(fmt::format("{}: cannot be written: {}", output, std::strerror(errno)));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      const int reason = errno;
      ::close(file_);
      if (reason == EWOULDBLOCK)
        throw RuntimeError(
            fmt::format("{}: another run is writing it; wait for that run, or name another output", output));
      throw RuntimeError(fmt::format("{}: cannot be locked: {}", path_, std::strerror(reason)));
    }
    if (still_there(file_, path_)) return;
    ::close(file_);
  }
}

OutputLock::~OutputLock() {
  ::unlink(path_.c_str());
  ::close(file_);
}

}  // namespace coterie::sim
