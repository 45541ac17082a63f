#include "traces/readers/times.hpp"

#include <date/tz.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <stdexcept>

#include "core/errors.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {
namespace {

/// Removes `count` decimal digits from the front of `text` and returns them; nothing if there are fewer.
std::optional<int> take_digits(std::string_view& text, std::size_t count) {
  if (text.size() < count) return std::nullopt;
  int value = 0;
  for (const char c : text.substr(0, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  text.remove_prefix(count);
  return value;
}

bool take(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

/// Seconds east of Greenwich from Z, +hh:mm, +hhmm or +hh, which must be all of `text`.
std::optional<int> parse_offset(std::string_view text) {
  if (text == "Z") return 0;
  const bool west = take(text, '-');
  if (!west && !take(text, '+')) return std::nullopt;
  const auto hours = take_digits(text, 2);
  if (!hours || *hours > 23) return std::nullopt;
  int minutes = 0;
  if (!text.empty()) {
    take(text, ':');
    const auto written = take_digits(text, 2);
    if (!written || *written > 59 || !text.empty()) return std::nullopt;
    minutes = *written;
  }
  return (west ? -1 : 1) * (3600 * *hours + 60 * minutes);
}

/// `zone`: the clock of stamps without an offset; without it, such stamps are rejected.
std::optional<double> parse_iso8601(std::string_view text, const std::optional<TimeZone>& zone) {
  const auto year = take_digits(text, 4);
  if (!year || !take(text, '-')) return std::nullopt;
  const auto month = take_digits(text, 2);
  if (!month || !take(text, '-')) return std::nullopt;
  const auto day = take_digits(text, 2);
  if (!day || (!take(text, 'T') && !take(text, ' '))) return std::nullopt;
  const auto hour = take_digits(text, 2);
  if (!hour || *hour > 23 || !take(text, ':')) return std::nullopt;
  const auto minute = take_digits(text, 2);
  if (!minute || *minute > 59) return std::nullopt;
  double second = 0;
  if (take(text, ':')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
    const auto written = parse_number(text.substr(0, end));
    if (!written || *written >= 60 || end < 2 || (end > 2 && text[2] != '.')) return std::nullopt;
    second = *written;
    text.remove_prefix(end);
  }
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  const double local = 86400.0 * static_cast<double>(days) + (3600 * *hour + 60 * *minute);
  if (text.empty() && zone) {
    const TimeZone::Local clock = zone->at(local);
    return clock.times == 1 ? std::optional(local - clock.offset + second) : std::nullopt;
  }
  while (take(text, ' ')) continue;
  const auto offset = parse_offset(text == "UTC" || text == "GMT" ? "Z" : text);
  return offset ? std::optional(local - *offset + second) : std::nullopt;
}

}  // namespace

TimeZone TimeZone::named(const std::string& name) {
  TimeZone zone;
  try {
    zone.zone_ = date::locate_zone(name);
  } catch (const std::runtime_error&) {
    throw InputError(
        fmt::format("option timezone={}: unknown time zone; write UTC or a name such as Europe/Berlin", echoed(name)));
  }
  return zone;
}

TimeZone::Local TimeZone::at(double local) const {
  const date::local_seconds seconds{std::chrono::seconds(static_cast<std::int64_t>(std::floor(local)))};
  const date::local_info info = zone_->get_info(seconds);
  if (info.result == date::local_info::ambiguous) return {2, 0};
  if (info.result == date::local_info::nonexistent) return {0, 0};
  return {1, static_cast<double>(info.first.offset.count())};
}

std::string utc_text(double seconds) {
  if (!(std::abs(seconds) < kLongestLength)) return to_text(seconds) + " s";  // can only be an option
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(std::floor(seconds))));
}

std::optional<double> to_seconds(std::string_view text, const TimeUnit& unit) {
  const auto value = parse_number(text);
  if (!value) return std::nullopt;
  const double seconds = unit.seconds(*value) + 0.0;  // -0 becomes 0
  return std::isfinite(seconds) ? std::optional<double>(seconds) : std::nullopt;
}

std::optional<double> to_duration(std::string_view text, const TimeUnit& unit) {
  if (const auto seconds = to_seconds(text, unit)) return seconds;
  // 2-01:24:56 (Slurm), 2 days 01:24:56 (pandas, PostgreSQL), 25:24:56
  double days = 0;
  std::string_view clock = text;
  for (const std::string_view mark : {"-", " days ", " day "}) {
    const std::size_t at = text.find(mark);
    if (at == text.npos) continue;
    const auto whole = parse_integer(text.substr(0, at));
    if (!whole || *whole < 0) return std::nullopt;
    days = static_cast<double>(*whole);
    clock = text.substr(at + mark.size());
    break;
  }
  if (const auto parts = split(clock, ':'); parts.size() == 3) {
    const auto hours = parse_integer(parts[0]);
    const double minutes = parts[1].size() == 2 ? static_cast<double>(parse_integer(parts[1]).value_or(-1)) : -1;
    const double seconds = parts[2].size() >= 2 ? parse_number(parts[2]).value_or(-1) : -1;
    if (!hours || *hours < 0 || minutes < 0 || minutes > 59 || seconds < 0 || seconds >= 60) return std::nullopt;
    return 86400 * days + 3600 * static_cast<double>(*hours) + 60 * minutes + seconds;
  }
  try {
    return parse_seconds(std::string(text), "", {}, ZeroLength::kAllowed);  // 2m8s
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<double> parse_time_stamp(std::string_view text, const TimeUnit& unit) {
  const auto seconds = to_seconds(text, unit);
  return seconds ? seconds : parse_iso8601(text, std::nullopt);
}

std::optional<double> parse_time_stamp(std::string_view text, const ReadingOptions& options) {
  const auto seconds = to_seconds(text, options.unit);
  return seconds ? seconds : parse_iso8601(text, options.timezone);
}

bool is_calendar_time(std::string_view text) {
  return parse_iso8601(text, std::nullopt) || parse_iso8601(fmt::format("{}Z", text), std::nullopt);
}

std::string time_stamp_problem(std::string_view text, const ReadingOptions& options) {
  if (!is_calendar_time(text))
    return fmt::format(
        "\"{}\" is not a time; write a number, or ISO 8601 with an offset or Z (2019-03-10T01:30:00-08:00)", text);
  if (!options.timezone)
    return fmt::format(
        "\"{}\" has no time zone; give --option timezone=UTC or timezone=Europe/Berlin, or write it with an offset or "
        "Z",
        text);
  return fmt::format(
      "\"{}\" never occurred in this time zone, or occurred twice (the clocks changed); write it with an offset or Z",
      text);
}

std::optional<double> FileTimes::read(std::string_view field, std::size_t line) {
  constexpr double kYear = 365.25 * 86400;
  constexpr double kMostPlausible = 3000 * kYear;
  const auto time = parse_time_stamp(field, *options_);
  if (!time) {
    problem_ = time_stamp_problem(field, *options_);
    return std::nullopt;
  }
  const bool by_calendar = is_calendar_time(field);
  if (first_line_ == 0) {
    first_line_ = line;
    by_calendar_ = by_calendar;
  }
  if (by_calendar != by_calendar_) {
    problem_ = fmt::format("\"{}\" is {}, but line {} has {}; write all times of a file the same way", echoed(field),
                           by_calendar ? "a date" : "a number", first_line_, by_calendar ? "numbers" : "dates");
    return std::nullopt;
  }
  ++times_;
  if (options_->timezone && !any_local_) any_local_ = !parse_time_stamp(field, TimeUnit{});
  if (!by_calendar && !options_->is_given("unit") && *time > kMostPlausible)
    problem_ = fmt::format("{} seconds would be {:.0f} years; {}", echoed(field), *time / kYear,
                           takes_unit_ ? "which unit is it in? Give --option unit=ms, us, s, min, h or d"
                                       : "write seconds since 1970, or dates");
  else if (*time >= kLongestLength)
    problem_ = fmt::format("{} is {:.3g} s; times must be less than 1e15 s (32 million years)", echoed(field), *time);
  else
    return time;
  return std::nullopt;
}

std::map<std::string, std::int64_t> FileTimes::unaffected() const {
  std::map<std::string, std::int64_t> counts;
  if (by_calendar_ && options_->is_given("unit") && !options_->has_number_bound) counts["W_UNIT"] = times_;
  if (times_ > 0 && options_->timezone && !any_local_ && !options_->has_local_bound) counts["W_TIMEZONE"] = times_;
  return counts;
}

}  // namespace coterie::traces
