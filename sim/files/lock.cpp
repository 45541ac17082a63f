#include "sim/files/lock.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

bool is_named(int file, const std::string& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

/// 0 where it could be locked.
int failure_to_lock(int file, int operation) {
  while (::flock(file, operation) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

LockedFile::LockedFile(const std::string& path, Held held) {
  do {
    file_ = create_file(path);
    failure_ = failure_to_lock(file_.get(), held == Held::kWait ? LOCK_EX : LOCK_EX | LOCK_NB);
  } while (!is_named(file_.get(), path));
}

OutputLock::OutputLock(const std::string& output) : path_(output + ".lock"), file_(path_, LockedFile::Held::kFail) {
  const int reason = file_.failure();
  if (reason == EWOULDBLOCK)
    throw RuntimeError(fmt::format("{}: another run is writing it; wait for that run, or name another output", output));
  if (reason != 0) throw RuntimeError(fmt::format("{}: cannot be locked: {}", path_, std::strerror(reason)));
}

OutputLock::~OutputLock() { ::unlink(path_.c_str()); }

}  // namespace coterie::sim
