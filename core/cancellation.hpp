#pragma once

#include <atomic>
#include <exception>

namespace coterie {

/// Ends a computation whose result is no longer wanted. It is not an error, so it is neither InputError nor
/// RuntimeError and passes handlers of those.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// A request to stop that another thread may make at any time, linked to earlier requests on this thread.
struct Cancellation {
  const std::atomic<bool>* asked;
  const Cancellation* outer;

  bool wanted() const {
    for (const Cancellation* wish = this; wish != nullptr; wish = wish->outer)
      if (wish->asked->load(std::memory_order_relaxed)) return true;
    return false;
  }
};

/// While it exists, cancellation_point() throws on this thread once `asked`, or the flag of an enclosing scope, is
/// true. A cancelled search leaves nothing half-done: it simply returns no result.
class CancellationScope {
 public:
  explicit CancellationScope(const std::atomic<bool>& asked) : own_{&asked, current_}, before_(current_) {
    current_ = &own_;
  }
  /// Takes over the requests of another thread; nullptr: ignores all requests, for example while a file is written.
  explicit CancellationScope(const Cancellation* other) : own_{}, before_(current_) { current_ = other; }
  ~CancellationScope() { current_ = before_; }
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

  /// The requests on this thread, for threads that work for it; nullptr: none.
  static const Cancellation* current() { return current_; }

 private:
  static inline constinit thread_local const Cancellation* current_ = nullptr;
  Cancellation own_;
  const Cancellation* before_;
};

/// Called in every loop that may run for more than about 0.1 s; takes about a nanosecond. Throws Cancelled if a scope
/// of this thread requests it.
inline void cancellation_point() {
  const Cancellation* const wish = CancellationScope::current();
  if (wish != nullptr && wish->wanted()) throw Cancelled();
}

}  // namespace coterie
