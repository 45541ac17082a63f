#include "sim/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace coterie::sim {

Progress::Progress(std::size_t configurations, std::uint64_t instances, std::uint64_t done_before, Style style)
    : configurations_(configurations),
      instances_(instances),
      done_before_(done_before),
      quiet_(style == Style::kQuiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(std::chrono::steady_clock::now()) {}

void Progress::update(std::uint64_t instances_done) {
  if (quiet_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double share = static_cast<double>(instances_done) / static_cast<double>(instances_);
  const double since = seconds - last_seconds_;
  const bool due = terminal_ ? since >= 0.25 : since >= 60 || (share >= last_share_ + 0.05 && since >= 5);
  if (!due) return;
  last_seconds_ = seconds;
  last_share_ = share;
  print(instances_done, seconds);
}

void Progress::print(std::uint64_t instances_done, double seconds) {
  const double share = static_cast<double>(instances_done) / static_cast<double>(instances_);
  const double rate = static_cast<double>(instances_done - done_before_) / seconds;
  const double left = static_cast<double>(instances_ - instances_done) / rate;
  const std::string line =
      fmt::format("{:.0f} of {} configurations, {:.0f} %, {:.3g} instances/s, {:.0f} s left",
                  std::floor(share * static_cast<double>(configurations_)), configurations_, 100 * share, rate, left);
  if (terminal_) {
    fmt::print(stderr, "\r{:<79.79}", line);
    std::fflush(stderr);
  } else {
    fmt::print(stderr, "{}\n", line);
  }
  printed_ = true;
}

void Progress::finish() {
  if (printed_ && terminal_) fmt::print(stderr, "\r{:<79}\r", "");
}

}  // namespace coterie::sim
