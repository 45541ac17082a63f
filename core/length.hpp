#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/errors.hpp"

namespace coterie {

/// A unit of time, in seconds. Multiplying or dividing by a whole number keeps "61000 ms" exactly 61 s.
struct TimeUnit {
  std::string_view name = "s";
  double multiply = 1;
  double divide = 1;
  double seconds(double value) const { return value * multiply / divide; }
};

/// d, h, min, s, ms, us.
std::span<const TimeUnit> time_units();
/// By its name, or "m" for min; nullptr if there is none.
const TimeUnit* find_time_unit(std::string_view name);

/// Lengths with a unit are shorter, in seconds.
inline constexpr double kLongestLength = 1e15;

/// A length of time or work as users write it: with its unit (then `value` is in seconds), or as a bare number.
struct Length {
  double value = 0;
  bool has_unit = false;
};

/// May a length be 0?
enum class ZeroLength { kAllowed, kRefused };

/// "40h", "5 min", "1h30m", "2d", "90 s", "250ms" or a bare number, finite and not negative. Messages call it
/// `name`. Throws InputError at `place` for anything else.
Length parse_length(const std::string& text, const std::string& name, const Place& place = {},
                    ZeroLength zero = ZeroLength::kAllowed);
/// The same with a required unit (0 needs none), in seconds.
double parse_seconds(const std::string& text, const std::string& name, const Place& place = {},
                     ZeroLength zero = ZeroLength::kRefused);

/// How lengths are shown: one unit for all lengths that a reader compares.
class LengthFormat {
 public:
  /// Bare numbers: the unit of time is not known.
  LengthFormat() = default;
  /// The unit in which `seconds` is easiest to read.
  static LengthFormat best_for(double seconds);
  /// The unit of `text`, if that is one number of 1 to 10,000 with its unit; otherwise the best for these seconds.
  static LengthFormat as_written(const std::string& text, double seconds);

  /// "37.2 h", with `digits` digits; `seconds` is a bare number if there is no unit.
  std::string operator()(double seconds, int digits = 4) const;
  /// "h"; "" if there is no unit.
  std::string unit_name() const { return std::string(unit_.name); }
  /// In seconds; 1 if there is no unit.
  double unit_length() const { return unit_.seconds(1); }

 private:
  TimeUnit unit_{""};
};

/// A single length: "37.2 h".
std::string length_text(double seconds, int digits = 4);
/// The same after its seconds: "6.408e+06 s (74.17 d)".
std::string seconds_text(double seconds);

}  // namespace coterie
