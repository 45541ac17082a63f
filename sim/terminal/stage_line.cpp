#include "sim/terminal/stage_line.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "core/length.hpp"
#include "sim/engine/progress.hpp"

namespace coterie::sim {

StageLine::StageLine() {
  if (is_terminal()) thread_ = std::thread([this] { run(); });
}

void StageLine::show(const std::string& stage) {
  const std::lock_guard lock(mutex_);
  stage_ = stage;
}

void StageLine::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StageLine::run() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  bool printed = false;
  for (auto wait = std::chrono::milliseconds(2000); !changed_.wait_for(lock, wait, [this] { return over_; });
       wait = std::chrono::milliseconds(500)) {
    const std::chrono::duration<double> seconds = Clock::now() - start;
    fmt::print(stderr, "\r{:.0f} s: {}\x1b[K", seconds.count(), stage_.substr(0, 60));
    std::fflush(stderr);
    printed = true;
  }
  if (printed) fmt::print(stderr, "\r\x1b[K");
}

}  // namespace coterie::sim
