#pragma once

#include <optional>
#include <string>

namespace date {
class time_zone;
}

namespace coterie::traces {

/// A time zone of the IANA database, with all its clock changes (the system's tzdata).
class TimeZone {
 public:
  /// Throws InputError for a name that is not in the database.
  static TimeZone named(const std::string& name);

  /// How often clocks there showed this local time: usually 1; 2 when they were set back, 0 when set forward.
  struct Local {
    int times = 0;
    double offset = 0;  ///< seconds east of Greenwich, if times is 1
  };
  /// `local`: seconds since 1970-01-01T00:00:00 by the clock there.
  Local at(double local) const;

 private:
  const date::time_zone* zone_ = nullptr;
};

/// "2026-06-01T04:20:00Z" for seconds since 1970.
std::string utc_text(double seconds);

}  // namespace coterie::traces
