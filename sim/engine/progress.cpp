#include "sim/engine/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "core/length.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kUsualWidth = 80;

std::size_t terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return size.ws_col;
}

/// "850", "85 thousand", "1.2 million"
std::string count_text(double count) {
  if (count < 10'000) return fmt::format("{:.0f}", count);
  if (count < 1e6) return fmt::format("{:.0f} thousand", count / 1e3);
  return fmt::format("{:.{}f} million", count / 1e6, count < 1e8 ? 1 : 0);
}

}  // namespace

bool is_terminal(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) != 0 && kind != nullptr && std::string_view(kind) != "dumb";
}

std::string progress_line(const ProgressState& state, std::size_t width) {
  const double share = state.share();
  std::vector<std::string> parts = {
      fmt::format("{:.0f} %", std::floor(100 * share)),
      fmt::format("{:.0f} of {}", std::floor(share * static_cast<double>(state.configurations)),
                  counted(state.configurations, "configuration"))};
  const double fresh = static_cast<double>(state.done - state.done_before);
  if (fresh > 0 && state.seconds > 0) {
    const double left = static_cast<double>(state.instances - state.done) / fresh * state.seconds;
    parts.insert(parts.begin() + 1, fmt::format("{} left", length_text(std::ceil(left), 2)));
    parts.push_back(fmt::format("{} instances/s", count_text(fresh / state.seconds)));
  }
  std::string line = parts.front();
  for (std::size_t i = 1; i < parts.size() && line.size() + 2 + parts[i].size() <= width; ++i) line += ", " + parts[i];
  return line.substr(0, width);
}

bool progress_due(bool terminal, double seconds, double last_seconds, double share, double last_share) {
  const double since = seconds - last_seconds;
  if (terminal) return since >= std::clamp(seconds / 240, 0.25, 10.0);
  return since >= std::clamp(seconds / 60, 60.0, 3600.0) || (share >= last_share + 0.05 && since >= 5);
}

Progress::Progress(std::size_t configurations, std::uint64_t instances, std::uint64_t done_before, Tell tell)
    : state_{configurations, instances, done_before, done_before, 0, false},
      tell_(std::move(tell)),
      start_(std::chrono::steady_clock::now()) {}

void Progress::update(std::uint64_t instances_done) {
  if (!tell_) return;
  state_.done = instances_done;
  state_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  state_.over = false;
  told_ = true;
  tell_(state_);
}

void Progress::finish() {
  if (!told_) return;
  told_ = false;
  state_.over = true;
  tell_(state_);
}

ProgressLine::ProgressLine() : terminal_(is_terminal()) {}

void ProgressLine::show(const ProgressState& state) {
  if (state.over) {
    if (printed_ && terminal_) fmt::print(stderr, "\r\x1b[K");
    *this = ProgressLine();
    return;
  }
  if (!last_share_) last_share_ = static_cast<double>(state.done_before) / static_cast<double>(state.instances);
  if (!progress_due(terminal_, state.seconds, last_seconds_, state.share(), *last_share_)) return;
  last_seconds_ = state.seconds;
  last_share_ = state.share();
  printed_ = true;
  if (!terminal_) {
    fmt::print(stderr, "{}\n", progress_line(state, kUsualWidth));
    return;
  }
  constexpr std::size_t kRoomForInterrupt = 3;  // the terminal's "^C" does not begin a new line
  const std::size_t width = terminal_width();
  fmt::print(stderr, "\r{}\x1b[K", progress_line(state, width - std::min(width, kRoomForInterrupt)));
  std::fflush(stderr);
}

}  // namespace coterie::sim
