#include "sim/files/durable_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <span>
#include <string_view>

#include "core/errors.hpp"
#include "sim/files/output_path.hpp"

namespace coterie::sim {
namespace {

constexpr std::string_view kTemporary = ".partial-";
constexpr std::size_t kTemporaryDigits = 16;

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

void remove_file(const std::string& path) {
  std::error_code failure;
  std::filesystem::remove(path, failure);
  if (failure) throw RuntimeError(fmt::format("{}: cannot be removed: {}", path, failure.message()));
}

std::vector<std::string> files_in(const std::string& folder) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  std::error_code failure;
  fs::directory_iterator entry;
  do entry = fs::directory_iterator(folder, failure);
  while (failure == std::errc::interrupted);
  for (const fs::directory_iterator end; !failure && entry != end; entry.increment(failure))
    names.push_back(entry->path().filename().string());
  if (failure && failure != std::errc::no_such_file_or_directory)
    throw RuntimeError(fmt::format("{}: cannot be read: {}", folder, failure.message()));
  std::sort(names.begin(), names.end());
  return names;
}

TemporaryFile::TemporaryFile(std::string target) : target_(std::move(target)) {
  do {
    path_ = temporary_name(target_);
    file_ = Descriptor(open_file(path_, O_RDWR | O_CREAT | O_EXCL));
  } while (file_.get() < 0 && errno == EEXIST);
  if (file_.get() < 0) throw RuntimeError(fmt::format("{}: cannot be created: {}", target_, std::strerror(errno)));
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

void TemporaryFile::publish() {
  int reason = flush(file_.get()) ? 0 : errno;
  // If interrupted, it is closed anyway, and nothing was left to write.
  if (::close(file_.release()) != 0 && errno != EINTR && reason == 0) reason = errno;
  if (reason != 0) throw RuntimeError(fmt::format("{}: cannot be flushed to disk: {}", target_, std::strerror(reason)));
  rename_file(path_, target_);
  path_.clear();
  flush_folder_of(target_);
}

std::string temporary_name(const std::string& target) {
  std::random_device random;
  const auto high = random();
  const auto low = random();
  return fmt::format("{}{}{:08x}{:08x}", target, kTemporary, high, low);
}

std::string target_of_temporary(const std::string& name) {
  const std::size_t end = name.size() - std::min(name.size(), kTemporary.size() + kTemporaryDigits);
  const std::string_view digits = std::string_view(name).substr(end + std::min(name.size() - end, kTemporary.size()));
  const bool ours = name.compare(end, kTemporary.size(), kTemporary) == 0 &&
                    digits.find_first_not_of("0123456789abcdef") == std::string::npos;
  return ours ? name.substr(0, end) : "";
}

void write_text_durably(const std::string& path, const std::string& text) {
  TemporaryFile file(output_target(path));
  if (!write_at(file.descriptor(), 0, std::as_bytes(std::span(text))))
    throw RuntimeError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  file.publish();
}

}  // namespace coterie::sim
