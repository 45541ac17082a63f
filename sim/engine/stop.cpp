#include "sim/engine/stop.hpp"

#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <system_error>
#include <utility>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

// A signal handler can access nothing else.
std::atomic<int> raised_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void remember(int number) { raised_signal = number; }

void handle(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);  // the second one ends the program
  sigaction(number, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  raised_signal = 0;
  handle(SIGINT, remember);
  handle(SIGTERM, remember);
}

StopSignals::~StopSignals() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

bool StopSignals::raised() { return raised_signal.load(std::memory_order_relaxed) != 0; }

std::string StopSignals::name() {
  const int number = raised_signal;
  return number == SIGINT ? "SIGINT" : number == SIGTERM ? "SIGTERM" : "";
}

StopRule::StopRule(std::optional<double> limit_seconds) {
  constexpr double kForEver = 1e9;  // more than the clock can add; no program runs for 30 years
  if (limit_seconds && *limit_seconds < kForEver)
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*limit_seconds));
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error& error) {
    throw RuntimeError(
        fmt::format("a thread cannot be started (out of memory, or too many threads): {}", error.code().message()));
  }
}

StopRule::~StopRule() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  over_changed_.notify_all();
  watcher_.join();
}

void StopRule::watch() {
  const auto tick = std::chrono::milliseconds(20);  // a signal handler cannot wake a thread
  const auto is_over = [this] { return over_; };
  std::unique_lock lock(mutex_);
  while (!reached())
    if (over_changed_.wait_for(lock, tick, is_over)) return;
  const auto since = Clock::now();
  const auto wait_until = [&](double seconds) {
    return over_changed_.wait_until(
        lock, since + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds)), is_over);
  };
  if (wait_until(kCancelSeconds)) return;
  cancels_ = true;
  if (wait_until(kLastSeconds)) return;
  while (!last_resort_)
    if (over_changed_.wait_for(lock, tick, is_over)) return;
  last_resort_();
}

bool StopRule::reached() const { return StopSignals::raised() || requested_ || (end_ && Clock::now() >= *end_); }

std::string StopRule::reason() const {
  return StopSignals::raised() ? StopSignals::name() : requested_ ? "request" : "the time limit";
}

LastResort::LastResort(StopRule& rule, std::function<void()> end_program) : rule_(rule) {
  const std::lock_guard lock(rule_.mutex_);
  before_ = std::exchange(rule_.last_resort_, std::move(end_program));
}

LastResort::~LastResort() {
  const std::lock_guard lock(rule_.mutex_);
  rule_.last_resort_ = std::move(before_);
}

}  // namespace coterie::sim
