#pragma once

#include <optional>
#include <string>

namespace coterie::sim {

/// A moment as users write it: "Fri 17:00" (of any week) or ISO 8601. In UTC.
struct ClockTime {
  std::optional<double> since_1970;  ///< seconds, of ISO 8601
  double in_week = 0;                ///< seconds since Monday, 0:00
};

/// Nothing if the text is not such a moment.
std::optional<ClockTime> parse_clock_time(const std::string& text);

/// Seconds from the first moment to the next such as the second; at most a week if one of them is of any week. Negative
/// or 0 if the second is the earlier of two dates.
double seconds_between(const ClockTime& first, const ClockTime& second);

/// Seconds since Monday, 0:00, of a time in seconds since 1970.
double second_of_week(double since_1970);

}  // namespace coterie::sim
