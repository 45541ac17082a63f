#pragma once

#include <string>

namespace coterie::sim {

/// A length of time or of work as users write it: with its unit, then `value` is in seconds, or bare.
struct Length {
  double value = 0;
  bool has_unit = false;
};

/// "40h", "5 min", "2d", "90 s", "250ms" or a bare number, not negative. `name` stands for it in messages.
/// Throws InputError for anything else.
Length parse_length(const std::string& text, const std::string& name);

/// How lengths are shown: one unit for all that a reader compares.
class LengthFormat {
 public:
  /// Bare numbers: nobody has said what a unit of time is.
  LengthFormat() = default;
  /// The unit in which `seconds` is easiest to read.
  static LengthFormat best_for(double seconds);

  /// "37.2 h"; `seconds` is a bare number where there is no unit.
  std::string operator()(double seconds) const;

 private:
  double unit_ = 1;
  std::string name_;
};

}  // namespace coterie::sim
