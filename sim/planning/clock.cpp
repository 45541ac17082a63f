#include "sim/planning/clock.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

#include "core/text.hpp"
#include "traces/readers/times.hpp"

namespace coterie::sim {
namespace {

constexpr double kDay = 86400;
constexpr double kWeek = 7 * kDay;
constexpr std::array<std::string_view, 7> kDays = {"monday", "tuesday",  "wednesday", "thursday",
                                                   "friday", "saturday", "sunday"};

/// "mon", "Monday": 0.
std::optional<std::size_t> weekday(std::string_view word) {
  std::string small(word);
  std::transform(small.begin(), small.end(), small.begin(), [](unsigned char c) { return std::tolower(c); });
  for (std::size_t d = 0; d < kDays.size(); ++d)
    if (small == kDays[d] || small == kDays[d].substr(0, 3)) return d;
  return std::nullopt;
}

/// "17:00" or "17:00:30", in seconds.
std::optional<double> time_of_day(std::string_view text) {
  constexpr std::array<double, 3> kSeconds = {3600, 60, 1};
  constexpr std::array<std::int64_t, 3> kMost = {23, 59, 59};
  const auto parts = split(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  double seconds = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto number = parse_integer(parts[i]);
    if (!number || *number < 0 || *number > kMost[i]) return std::nullopt;
    seconds += kSeconds[i] * static_cast<double>(*number);
  }
  return seconds;
}

}  // namespace

double second_of_week(double since_1970) {
  constexpr double kThursday = 3 * kDay;  // 1970-01-01
  const double second = std::fmod(since_1970 + kThursday, kWeek);
  return second < 0 ? second + kWeek : second;
}

std::optional<ClockTime> parse_clock_time(const std::string& text) {
  const std::string_view word = trimmed(text);
  if (traces::is_calendar_time(word)) {
    const auto time = traces::parse_time_stamp(word, TimeUnit{});
    return time ? std::optional(ClockTime{*time, second_of_week(*time)}) : std::nullopt;
  }
  const std::size_t blank = word.find(' ');
  const auto day = weekday(word.substr(0, blank));
  if (!day) return std::nullopt;
  const auto time = blank == word.npos ? std::optional(0.0) : time_of_day(trimmed(word.substr(blank)));
  return time ? std::optional(ClockTime{{}, static_cast<double>(*day) * kDay + *time}) : std::nullopt;
}

double seconds_between(const ClockTime& first, const ClockTime& second) {
  if (first.since_1970 && second.since_1970) return *second.since_1970 - *first.since_1970;
  const double seconds = std::fmod(second.in_week - first.in_week + kWeek, kWeek);
  return seconds > 0 ? seconds : kWeek;
}

}  // namespace coterie::sim
