#pragma once

#include <optional>
#include <string>

namespace date {
class time_zone;
}

namespace coterie::traces {

/// A time zone of the IANA database, with every change of its clocks (tzdata of the system).
class TimeZone {
 public:
  /// Throws InputError for a name that the database has not.
  static TimeZone named(const std::string& name);

  /// How often clocks there showed this local time: 1, 2 when they were set back, 0 when they were set forward.
  struct Local {
    int times = 0;
    double offset = 0;  ///< seconds east of Greenwich, where it is once
  };
  /// `local`: seconds from 1970-01-01T00:00:00 by the clock there.
  Local at(double local) const;

 private:
  const date::time_zone* zone_ = nullptr;
};

}  // namespace coterie::traces
