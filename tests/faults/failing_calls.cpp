// Loaded into the program under test by LD_PRELOAD: makes calls of the system fail, and writes down what was done to
// files. Environment:
//   FAULTS_FOLDER  only files below it (and the folder itself) are concerned
//   FAULTS_CALL    kind of call that fails: open, read, write, fsync, rename, truncate, unlink, close, mkdir, memory
//   FAULTS_AT      the first that fails, counted from 1 and from the begin of main
//   FAULTS_LASTS   if set, so do all after it
//   FAULTS_ERROR   errno; 0: a write or read of half of the bytes (of one, where that is all)
//   FAULTS_REPORT  file: a line for the first failure; then the calls that led to it, innermost first
//   FAULTS_LOG     file: a line for each thing done to a file, which tests/cli/disk_states.py reads
//   FAULTS_STACKS  file: the number of each request for memory that comes from a place not seen before
//   FAULTS_DEPTH   how many of the calls that led there make a place
// tests/cli/fault_testing.py sets them. This file allocates nothing and takes part in no locale or buffer.
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

constexpr int kFiles = 1024;
constexpr int kLowestOwn = 900;  // descriptors of ours stay out of the way
constexpr int kFrames = 24;
constexpr std::size_t kPlaces = 1 << 16;

struct Path {
  char text[PATH_MAX];
};

std::string_view folder;
std::string_view failing;  // kind of call
long first_failure = LONG_MAX;
bool lasts = false;
int error = EIO;
int report = -1;
int log_file = -1;
int stacks = -1;
std::size_t depth = kFrames;
std::atomic<long> counted = 0;
std::atomic<bool> failed = false;
std::atomic<bool> in_main = false;
std::array<Path, kFiles> paths;  // of open files that are concerned; others are empty
thread_local bool own = false;   // while this file itself allocates
std::array<std::atomic<std::uint64_t>, kPlaces> places;

void put(int file, std::string_view text) { ::syscall(SYS_write, file, text.data(), text.size()); }

int own_file(const char* variable) {
  const char* const name = std::getenv(variable);
  if (name == nullptr) return -1;
  const auto opened = static_cast<int>(::syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_APPEND, 0666));
  const int high = ::fcntl(opened, F_DUPFD_CLOEXEC, kLowestOwn);
  ::syscall(SYS_close, opened);
  return high;
}

/// Before anything else of the program.
__attribute__((constructor)) void begin() {
  const auto text = [](const char* name) { return std::getenv(name) == nullptr ? "" : std::getenv(name); };
  folder = text("FAULTS_FOLDER");
  failing = text("FAULTS_CALL");
  if (*text("FAULTS_AT") != '\0') first_failure = std::atol(text("FAULTS_AT"));
  lasts = *text("FAULTS_LASTS") != '\0';
  if (*text("FAULTS_ERROR") != '\0') error = std::atoi(text("FAULTS_ERROR"));
  if (*text("FAULTS_DEPTH") != '\0') depth = static_cast<std::size_t>(std::atoi(text("FAULTS_DEPTH")));
  report = own_file("FAULTS_REPORT");
  log_file = own_file("FAULTS_LOG");
  stacks = own_file("FAULTS_STACKS");
  void* warm[1];
  ::backtrace(warm, 1);  // allocates the first time
}

/// Whether this call shall fail.
bool fails(std::string_view kind, const char* what) {
  if (kind != failing || !in_main) return false;
  const long number = ++counted;
  if (number < first_failure || (number > first_failure && !lasts)) return false;
  if (failed.exchange(true) || report < 0) return true;
  char line[PATH_MAX + 64];
  const int size =
      std::snprintf(line, sizeof line, "%.*s %ld %s\n", static_cast<int>(kind.size()), kind.data(), number, what);
  put(report, {line, static_cast<std::size_t>(size)});
  own = true;
  void* frames[kFrames];
  ::backtrace_symbols_fd(frames, ::backtrace(frames, kFrames), report);
  own = false;
  return true;
}

bool concerned(const char* path) {
  return !folder.empty() && std::string_view(path).substr(0, folder.size()) == folder;
}

/// Absolute, of a file that need not be there.
Path absolute(int at, const char* path) {
  Path made{};
  if (path[0] == '/') {
    std::snprintf(made.text, sizeof made.text, "%s", path);
    return made;
  }
  char link[64];
  std::snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
  const ssize_t size = ::readlink(link, made.text, sizeof made.text - 1);
  if (size > 0 && std::string_view(path) != ".")
    std::snprintf(made.text + size, sizeof made.text - static_cast<std::size_t>(size), "/%s", path);
  return made;
}

/// The path of a file that is open and concerned; "" of others.
const char* path_of(int file) { return file >= 0 && file < kFiles ? paths[static_cast<std::size_t>(file)].text : ""; }

template <typename... Values>
void log(const char* format, Values... values) {
  if (log_file < 0) return;
  char line[2 * PATH_MAX + 64];
  const int size = std::snprintf(line, sizeof line, format, values...);
  put(log_file, {line, static_cast<std::size_t>(size)});
}

void log_written(int file, off_t offset, const void* bytes, std::size_t size) {
  if (log_file < 0) return;
  log("write %d %lld ", file, static_cast<long long>(offset));
  char hex[1024];
  for (std::size_t at = 0; at < size;) {
    std::size_t used = 0;
    for (; at < size && used < sizeof hex; ++at, used += 2) {
      const unsigned char byte = static_cast<const unsigned char*>(bytes)[at];
      hex[used] = "0123456789abcdef"[byte >> 4];
      hex[used + 1] = "0123456789abcdef"[byte & 15];
    }
    put(log_file, {hex, used});
  }
  put(log_file, "\n");
}

int refused() {
  errno = error;
  return -1;
}

int open_at(int at, const char* path, int flags, mode_t mode) {
  const Path whole = absolute(at, path);
  if (concerned(whole.text) && fails("open", whole.text)) return refused();
  const auto file = static_cast<int>(::syscall(SYS_openat, at, path, flags, mode));
  if (file >= 0 && file < kFiles) paths[static_cast<std::size_t>(file)] = concerned(whole.text) ? whole : Path{};
  if (file >= 0 && *path_of(file) != '\0') log("open %d %d %s\n", file, flags & (O_CREAT | O_TRUNC), whole.text);
  return file;
}

/// How much of a transfer is done: less where a part of it shall be; -1 where it shall fail.
ssize_t allowed(const char* kind, int file, std::size_t size) {
  if (*path_of(file) == '\0' || size == 0 || !fails(kind, path_of(file))) return static_cast<ssize_t>(size);
  return error == 0 ? static_cast<ssize_t>((size + 1) / 2) : refused();
}

int removed(int at, const char* path, int flags) {
  const Path whole = absolute(at, path);
  if (concerned(whole.text) && fails("unlink", whole.text)) return refused();
  const auto result = static_cast<int>(::syscall(SYS_unlinkat, at, path, flags));
  if (result == 0 && concerned(whole.text)) log("unlink %s\n", whole.text);
  return result;
}

int flushed(int file, long call) {
  if (*path_of(file) != '\0' && fails("fsync", path_of(file))) return refused();
  const auto result = static_cast<int>(::syscall(call, file));
  if (result == 0 && *path_of(file) != '\0') log("fsync %d\n", file);
  return result;
}

int renamed(int from_at, const char* from, int to_at, const char* to) {
  const Path whole = absolute(to_at, to);
  if (concerned(whole.text) && fails("rename", whole.text)) return refused();
  const auto result = static_cast<int>(::syscall(SYS_renameat, from_at, from, to_at, to));
  if (result == 0 && concerned(whole.text)) log("rename %s\t%s\n", absolute(from_at, from).text, whole.text);
  return result;
}

int cut(int file, off_t size) {
  if (*path_of(file) != '\0' && fails("truncate", path_of(file))) return refused();
  const auto result = static_cast<int>(::syscall(SYS_ftruncate, file, size));
  if (result == 0 && *path_of(file) != '\0') log("truncate %d %lld\n", file, static_cast<long long>(size));
  return result;
}

int folder_made(int at, const char* path, mode_t mode) {
  const Path whole = absolute(at, path);
  if (concerned(whole.text) && fails("mkdir", whole.text)) return refused();
  const auto result = static_cast<int>(::syscall(SYS_mkdirat, at, path, mode));
  if (result == 0 && concerned(whole.text)) log("mkdir %s\n", whole.text);
  return result;
}

/// Writes down a place that asks for memory, the first time.
void note_place() {
  own = true;
  void* frames[kFrames];
  const int count = ::backtrace(frames, kFrames);
  std::uint64_t place = 14695981039346656037U;
  const int last = std::min(count, static_cast<int>(depth) + 2);
  for (int i = 2; i < last; ++i) place = (place ^ reinterpret_cast<std::uintptr_t>(frames[i])) * 1099511628211U;
  if (place == 0) place = 1;
  for (std::size_t slot = place % kPlaces;; slot = (slot + 1) % kPlaces) {
    std::uint64_t seen = 0;
    if (places[slot].compare_exchange_strong(seen, place)) {
      char line[32];
      const int size = std::snprintf(line, sizeof line, "%ld\n", counted.load());
      put(stacks, {line, static_cast<std::size_t>(size)});
      break;
    }
    if (seen == place) break;
  }
  own = false;
}

bool memory_fails() {
  if (own || !in_main || failing != "memory") return false;
  const bool refuse = fails("memory", "");
  if (!refuse && stacks >= 0) note_place();
  if (refuse) errno = ENOMEM;
  return refuse;
}

int (*program)(int, char**, char**) = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  in_main = true;
  return program(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  program = main;
  const auto real = reinterpret_cast<decltype(&__libc_start_main)>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  return real(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_at(AT_FDCWD, path, flags, mode);
}
int openat(int at, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_at(at, path, flags, mode);
}
int openat64(int at, const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return open_at(at, path, flags, mode);
}
int creat(const char* path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char* path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

// The streams of C++ open and close files by those of C, and read and write by themselves.
FILE* fopen64(const char* path, const char* mode) {
  const int kind = std::strchr(mode, '+') != nullptr ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  const int begin = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  const int file = open_at(AT_FDCWD, path, kind | begin, 0666);
  return file < 0 ? nullptr : ::fdopen(file, mode);
}
FILE* fopen(const char* path, const char* mode) { return fopen64(path, mode); }
int fclose(FILE* stream) {
  const int file = ::fileno(stream);
  const bool refuse = *path_of(file) != '\0' && fails("close", path_of(file));
  if (*path_of(file) != '\0') log("close %d\n", file);
  if (file >= 0 && file < kFiles) paths[static_cast<std::size_t>(file)] = {};
  const auto real = reinterpret_cast<int (*)(FILE*)>(::dlsym(RTLD_NEXT, "fclose"));
  const int result = real(stream);
  return refuse ? refused() : result;
}
int close(int file) {
  const bool refuse = *path_of(file) != '\0' && fails("close", path_of(file));
  if (*path_of(file) != '\0') log("close %d\n", file);
  if (file >= 0 && file < kFiles) paths[static_cast<std::size_t>(file)] = {};
  const auto result = static_cast<int>(::syscall(SYS_close, file));
  return refuse ? refused() : result;
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  const ssize_t some = allowed("write", file, size);
  if (some < 0) return some;
  const off_t offset = log_file < 0 || *path_of(file) == '\0' ? 0 : ::lseek(file, 0, SEEK_CUR);
  const ssize_t done = ::syscall(SYS_write, file, bytes, some);
  if (done > 0 && *path_of(file) != '\0') log_written(file, offset, bytes, static_cast<std::size_t>(done));
  return done;
}
ssize_t writev(int file, const iovec* pieces, int count) {
  if (*path_of(file) == '\0') return ::syscall(SYS_writev, file, pieces, count);
  ssize_t sum = 0;
  for (int i = 0; i < count; ++i) {
    const ssize_t done = pieces[i].iov_len == 0 ? 0 : write(file, pieces[i].iov_base, pieces[i].iov_len);
    if (done < 0) return sum > 0 ? sum : done;
    sum += done;
    if (static_cast<std::size_t>(done) < pieces[i].iov_len) break;
  }
  return sum;
}
ssize_t pwrite64(int file, const void* bytes, std::size_t size, off64_t offset) {
  const ssize_t some = allowed("write", file, size);
  if (some < 0) return some;
  const ssize_t done = ::syscall(SYS_pwrite64, file, bytes, some, offset);
  if (done > 0 && *path_of(file) != '\0') log_written(file, offset, bytes, static_cast<std::size_t>(done));
  return done;
}
ssize_t pwrite(int file, const void* bytes, std::size_t size, off_t offset) {
  return pwrite64(file, bytes, size, offset);
}
ssize_t read(int file, void* bytes, std::size_t size) {
  const ssize_t some = allowed("read", file, size);
  return some < 0 ? some : ::syscall(SYS_read, file, bytes, some);
}
ssize_t pread64(int file, void* bytes, std::size_t size, off64_t offset) {
  const ssize_t some = allowed("read", file, size);
  return some < 0 ? some : ::syscall(SYS_pread64, file, bytes, some, offset);
}
ssize_t pread(int file, void* bytes, std::size_t size, off_t offset) { return pread64(file, bytes, size, offset); }

int fsync(int file) { return flushed(file, SYS_fsync); }
int fdatasync(int file) { return flushed(file, SYS_fdatasync); }
int rename(const char* from, const char* to) noexcept { return renamed(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int from_at, const char* from, int to_at, const char* to) noexcept {
  return renamed(from_at, from, to_at, to);
}
int ftruncate(int file, off_t size) noexcept { return cut(file, size); }
int ftruncate64(int file, off64_t size) noexcept { return cut(file, size); }
int unlink(const char* path) noexcept { return removed(AT_FDCWD, path, 0); }
int unlinkat(int at, const char* path, int flags) noexcept { return removed(at, path, flags); }
int rmdir(const char* path) noexcept { return removed(AT_FDCWD, path, AT_REMOVEDIR); }
int remove(const char* path) noexcept {
  const Path whole = absolute(AT_FDCWD, path);
  if (concerned(whole.text) && fails("unlink", whole.text)) return refused();
  long result = ::syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (result != 0 && errno == EISDIR) result = ::syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
  if (result == 0 && concerned(whole.text)) log("unlink %s\n", whole.text);
  return static_cast<int>(result);
}
int mkdir(const char* path, mode_t mode) noexcept { return folder_made(AT_FDCWD, path, mode); }
int mkdirat(int at, const char* path, mode_t mode) noexcept { return folder_made(at, path, mode); }

void* malloc(std::size_t size) noexcept { return memory_fails() ? nullptr : __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) noexcept {
  return memory_fails() ? nullptr : __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept { return memory_fails() ? nullptr : __libc_realloc(old, size); }
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return memory_fails() ? nullptr : __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept { return memalign(alignment, size); }
int posix_memalign(void** made, std::size_t alignment, std::size_t size) noexcept {
  *made = memalign(alignment, size);
  return *made == nullptr ? ENOMEM : 0;
}
}
