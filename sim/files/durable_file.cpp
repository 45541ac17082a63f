#include "sim/files/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <span>

#include "core/errors.hpp"
#include "sim/files/lock.hpp"
#include "sim/files/output_path.hpp"

namespace coterie::sim {
namespace {

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

void flush_and_close(Descriptor file, const std::string& path) {
  int reason = flush(file.get()) ? 0 : errno;
  // If interrupted, it is closed anyway, and nothing was left to write.
  if (::close(file.release()) != 0 && errno != EINTR && reason == 0) reason = errno;
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

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw RuntimeError(fmt::format("{}: cannot be renamed to {}: {}", from, to, std::strerror(errno)));
}

RemovedUnlessPublished::~RemovedUnlessPublished() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void RemovedUnlessPublished::publish(const std::string& path) {
  rename_file(temporary_, path);
  temporary_.clear();  // others may write a file of that name now
  flush_folder_of(path);
}

void write_text_durably(const std::string& path, const std::string& text) {
  const std::string target = output_target(path);
  const std::string temporary = target + ".tmp";
  const auto fail = [&](const char* what, int reason) {
    throw RuntimeError(fmt::format("{}: cannot be {}: {}", path, what, std::strerror(reason)));
  };
  const LockedFile file(temporary, LockedFile::Held::kWait);
  RemovedUnlessPublished guard(temporary);
  if (!resize_file(file.descriptor(), 0) || !write_at(file.descriptor(), 0, std::as_bytes(std::span(text))))
    fail("written", errno);
  if (!flush(file.descriptor())) fail("flushed to disk", errno);
  guard.publish(target);
}

}  // namespace coterie::sim
