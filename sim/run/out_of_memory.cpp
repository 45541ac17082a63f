#include "sim/run/out_of_memory.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <new>
#include <string_view>
#include <utility>

#include "sim/run/memory_limit.hpp"

namespace coterie::sim {
namespace {

std::atomic<bool> watched = false;

constexpr std::string_view kBeforeAllElse = "out of memory\n";
std::string_view message = kBeforeAllElse;  // of `advised`, or that

std::string& advised() {
  static std::string text;
  return text;
}

[[noreturn]] void end() {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(1);
}

void set_message(std::string text) {
  message = kBeforeAllElse;  // while memory for the new one is requested
  advised() = std::move(text);
  message = advised();
}

void end_if_watched() {
  if (watched) end();
}

}  // namespace

MemoryWatch::MemoryWatch() {
  std::set_new_handler(end);
  watched = true;
  set_message(out_of_memory() + '\n');
}

MemoryWatch::~MemoryWatch() {
  watched = false;
  std::set_new_handler(nullptr);
}

void MemoryWatch::set_advice(const std::string& advice) { set_message(out_of_memory() + '\n' + advice + '\n'); }

}  // namespace coterie::sim

// With the linker's --wrap, linked-in code calls these (see CMakeLists.txt); without it nothing does, and the real ones
// do not exist.
extern "C" {
[[gnu::weak]] void* __real_malloc(std::size_t size);
[[gnu::weak]] void* __real_calloc(std::size_t count, std::size_t size);
[[gnu::weak]] void* __real_realloc(void* old, std::size_t size);
[[gnu::weak]] char* __real_strdup(const char* text);

void* __wrap_malloc(std::size_t size) {
  void* const made = __real_malloc(size);
  if (made == nullptr) coterie::sim::end_if_watched();
  return made;
}

void* __wrap_calloc(std::size_t count, std::size_t size) {
  void* const made = __real_calloc(count, size);
  if (made == nullptr) coterie::sim::end_if_watched();
  return made;
}

void* __wrap_realloc(void* old, std::size_t size) {
  void* const made = __real_realloc(old, size);
  if (made == nullptr && size > 0) coterie::sim::end_if_watched();
  return made;
}

char* __wrap_strdup(const char* text) {
  char* const made = __real_strdup(text);
  if (made == nullptr) coterie::sim::end_if_watched();
  return made;
}
}
