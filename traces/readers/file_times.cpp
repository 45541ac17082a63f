#include "traces/readers/file_times.hpp"

#include <fmt/format.h>

#include "core/length.hpp"
#include "core/printable.hpp"

namespace coterie::traces {

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
