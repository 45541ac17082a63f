#include "sim/files/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <iterator>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

constexpr int kDone = 0;
constexpr int kThrew = 1;
constexpr int kUnknownError = 2;

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limits);
}

[[noreturn]] void run_child(const std::function<void()>& action, unsigned seconds, int told) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it must not outlive its parent
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, seconds);
  // The run-time library's crash output must not appear among our messages.
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
  int code = kDone;
  std::string message;
  try {
    action();
  } catch (const std::exception& error) {
    code = kThrew;
    message = error.what();
  } catch (...) {
    code = kUnknownError;
  }
  for (std::size_t at = 0; at < message.size();) {
    const ssize_t written = ::write(told, message.data() + at, message.size() - at);
    if (written < 0 && errno != EINTR) break;
    if (written > 0) at += static_cast<std::size_t>(written);
  }
  ::_exit(code);
}

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<char, 1001> crash_message{};  // with a newline; handlers must not allocate
std::size_t crash_message_size = 0;
std::size_t crash_messages = 0;
std::array<void (*)(int), std::size(kCrashes)> handlers_before{};

void tell_crash(int) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, crash_message.data(), crash_message_size);
  ::_exit(1);
}

}  // namespace

CrashMessage::CrashMessage(const std::string& message) {
  crash_message_size = message.copy(crash_message.data(), crash_message.size() - 1);
  crash_message[crash_message_size++] = '\n';
  if (crash_messages++ > 0) return;
  for (std::size_t i = 0; i < std::size(kCrashes); ++i) handlers_before[i] = std::signal(kCrashes[i], tell_crash);
}

CrashMessage::~CrashMessage() {
  if (--crash_messages > 0) return;
  for (std::size_t i = 0; i < std::size(kCrashes); ++i) std::signal(kCrashes[i], handlers_before[i]);
}

std::optional<std::string> problem_in_child(const std::function<void()>& action, unsigned seconds) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    throw RuntimeError(fmt::format("a pipe cannot be created: {}", std::strerror(errno)));
  const pid_t child = ::fork();
  if (child == 0) run_child(action, seconds, ends[1]);
  ::close(ends[1]);
  std::string message;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t got = child < 0 ? 0 : ::read(ends[0], buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    message.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  if (child < 0) throw RuntimeError(fmt::format("a process cannot be started: {}", std::strerror(errno)));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw RuntimeError(fmt::format("a process was lost: {}", std::strerror(errno)));
  if (WIFEXITED(status) && WEXITSTATUS(status) == kDone) return std::nullopt;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kThrew && !message.empty()) return message;
  return "the HDF5 library crashes on it or does not finish";
}

}  // namespace coterie::sim
