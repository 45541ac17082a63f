#include "core/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "core/errors.hpp"

namespace coterie {
namespace {

/// Closes what it holds.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

[[noreturn]] void fail(const std::string& path, const char* what) {
  throw SystemFailure(fmt::format("{}: {}: {}", path, what, std::strerror(errno)));
}

mode_t kind_of(const std::string& path) {
  struct stat known = {};
  if (::stat(path.c_str(), &known) != 0) fail(path, "cannot be opened");
  return known.st_mode & S_IFMT;
}

const char* name_of(mode_t kind) {
  switch (kind) {
    case S_IFREG:
      return "a plain file";
    case S_IFDIR:
      return "a directory";
    case S_IFIFO:
      return "a pipe";
    case S_IFSOCK:
      return "a socket";
    case S_IFBLK:
      return "a disk";
    default:
      return "a device";
  }
}

int open_to_read(const std::string& path) {
  int file = -1;
  do file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  return file;
}

/// Reads what is available into `buffer`, or waits for it; 0 at the end. A pipe that nobody has opened for writing
/// looks as if it had ended; a writer is given one second to appear.
std::size_t read_some(int file, std::span<char> buffer, const std::string& path, bool may_come) {
  constexpr int kPauses = 50;
  constexpr auto kPause = std::chrono::milliseconds(20);
  for (int pauses = 0;;) {
    const ssize_t got = ::read(file, buffer.data(), buffer.size());
    if (got > 0) return static_cast<std::size_t>(got);
    if (got < 0 && errno == EAGAIN) {
      pollfd state{file, POLLIN, 0};
      ::poll(&state, 1, -1);
    } else if (got < 0 && errno != EINTR) {
      fail(path, "cannot be read");
    } else if (got == 0) {
      if (!may_come || pauses++ == kPauses) return 0;
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

bool is_stream(const std::string& path) {
  const mode_t kind = kind_of(path);
  if (kind == S_IFDIR || kind == S_IFSOCK || kind == S_IFBLK)
    throw RuntimeError(fmt::format("{}: is {}, not a file", path, name_of(kind)));
  return kind != S_IFREG;
}

void require_plain_file(const std::string& path, const std::string& why) {
  if (const mode_t kind = kind_of(path); kind != S_IFREG)
    throw RuntimeError(fmt::format("{}: is {}; {}", path, name_of(kind), why));
}

std::ifstream open_plain_file(const std::string& path) {
  std::ifstream input;
  do {
    errno = 0;
    input.open(path, std::ios::binary);
  } while (!input && errno == EINTR);
  if (!input) fail(path, "cannot be opened");
  return input;
}

std::string read_text(const std::string& path, std::size_t most_bytes, bool (*is_packed)(std::string_view)) {
  const bool stream = is_stream(path);
  const bool pipe = kind_of(path) == S_IFIFO;
  const Descriptor file{open_to_read(path)};
  if (file.number < 0) fail(path, "cannot be opened");
  std::string text;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t got = read_some(file.number, buffer, path, pipe && text.empty())) {
    text.append(buffer.data(), got);
    if (stream && std::memchr(buffer.data(), 0, got) != nullptr && !(is_packed != nullptr && is_packed(text)))
      throw RuntimeError(fmt::format("{}: is not text: it contains a zero byte", path));
    if (text.size() > most_bytes)
      throw RuntimeError(fmt::format("{}: is larger than {} MB, the limit for {}", path, most_bytes / 1000000,
                                     stream ? "a stream; save it to a file first" : "such a file"));
  }
  if (pipe && text.empty()) throw RuntimeError(path + ": is a pipe that nobody writes to; name a file");
  return text;
}

}  // namespace coterie
