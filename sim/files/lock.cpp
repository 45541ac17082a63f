#include "sim/files/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/errors.hpp"
#include "sim/files/durable_file.hpp"

namespace coterie::sim {
namespace {

bool is_named(int file, const std::string& path) {
  struct stat open = {};
  struct stat named = {};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_ino == named.st_ino &&
         open.st_dev == named.st_dev;
}

/// Follows no link, waits for nobody, and takes nothing but an empty file that has this name alone.
Descriptor open_lock(const std::string& path) {
  Descriptor file(open_file(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK));
  const int reason = errno;
  const bool is_open = file.get() >= 0;
  struct stat made = {};
  if (is_open && ::fstat(file.get(), &made) == 0 && S_ISREG(made.st_mode) && made.st_nlink <= 1 && made.st_size == 0)
    return file;
  if (is_open || reason == ELOOP || reason == EISDIR || reason == ENXIO)
    throw InputError(path + ": is in the way, as it is no lock (an empty file); move it away, or name another output");
  throw RuntimeError(fmt::format("{}: cannot be created: {}", path, std::strerror(reason)));
}

/// 0 where it could be locked.
int failure_to_lock(int file) {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

OutputLock::OutputLock(const std::string& output) : path_(output + ".lock") {
  do {  // whoever held it before may have removed it
    file_ = open_lock(path_);
    const int reason = failure_to_lock(file_.get());
    if (reason == EWOULDBLOCK)
      throw RuntimeError(
          fmt::format("{}: another run is writing it; wait for that run, or name another output", output));
    if (reason != 0) throw RuntimeError(fmt::format("{}: cannot be locked: {}", path_, std::strerror(reason)));
  } while (!is_named(file_.get(), path_));
  const std::filesystem::path named(output);
  const std::filesystem::path folder = named.has_parent_path() ? named.parent_path() : ".";
  try {
    for (const std::string& name : files_in(folder.string()))
      if (target_of_temporary(name) == named.filename()) remove_file((folder / name).string());
  } catch (const RuntimeError&) {  // of a folder that cannot be read; they only take room
  }
}

OutputLock::~OutputLock() { ::unlink(path_.c_str()); }

}  // namespace coterie::sim
