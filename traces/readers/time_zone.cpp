#include "traces/readers/time_zone.hpp"

#include <date/tz.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <stdexcept>

#include "core/errors.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie::traces {

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

}  // namespace coterie::traces
