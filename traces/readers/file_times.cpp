#include "traces/readers/file_times.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"

namespace coterie::traces {

std::optional<double> FileTimes::read(std::string_view field, std::size_t line) {
  constexpr double kYear = 365.25 * 86400;
  constexpr double kMostSeconds = 3000 * kYear;
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
  if (by_calendar || *time <= kMostSeconds || options_->is_given("unit")) return time;
  problem_ =
      fmt::format("{} seconds would be {:.0f} years; which unit is it in? Give --option unit=ms, us, s, min, h or d",
                  echoed(field), *time / kYear);
  return std::nullopt;
}

}  // namespace coterie::traces
