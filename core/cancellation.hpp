#pragma once

#include <atomic>
#include <exception>

namespace coterie {

/// Ends a computation that nobody wants any more. No error, so no InputError or RuntimeError: it passes what catches
/// those.
class Cancelled : public std::exception {
 public:
  const char* what() const noexcept override { return "cancelled"; }
};

/// A wish to end that another thread may express at any time, beside those that were there before it on this thread.
struct Cancellation {
  const std::atomic<bool>* asked;
  const Cancellation* outer;

  bool wanted() const {
    for (const Cancellation* wish = this; wish != nullptr; wish = wish->outer)
      if (wish->asked->load(std::memory_order_relaxed)) return true;
    return false;
  }
};

/// From its making to its end, cancellation_point() throws on this thread once `asked` is true, or what a scope around
/// this one asks. A search that is cancelled leaves nothing half-done: what it would have returned is not there.
class CancellationScope {
 public:
  explicit CancellationScope(const std::atomic<bool>& asked) : own_{&asked, current_}, before_(current_) {
    current_ = &own_;
  }
  /// What holds on another thread, for as long as this is there; nullptr: no wish is heard, as where a file is written.
  explicit CancellationScope(const Cancellation* other) : own_{}, before_(current_) { current_ = other; }
  ~CancellationScope() { current_ = before_; }
  CancellationScope(const CancellationScope&) = delete;
  CancellationScope& operator=(const CancellationScope&) = delete;

  /// What holds on this thread, for others that work for it; nullptr: nothing.
  static const Cancellation* current() { return current_; }

 private:
  static inline constinit thread_local const Cancellation* current_ = nullptr;
  Cancellation own_;
  const Cancellation* before_;
};

/// Stands in every loop that may go on for more than some 0.1 s; takes about a nanosecond. Throws Cancelled where a
/// scope of this thread asks to end.
inline void cancellation_point() {
  const Cancellation* const wish = CancellationScope::current();
  if (wish != nullptr && wish->wanted()) throw Cancelled();
}

}  // namespace coterie
