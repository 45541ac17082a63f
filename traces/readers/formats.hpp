#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// A format of availability traces: one row.
struct TraceFormat {
  std::string name;
  std::string summary;
  std::vector<std::string> options;  ///< the keys of ReadingOptions that it takes
  AvailabilityTrace (*read)(std::istream& input, const std::string& file, const ReadingOptions& options);
  /// Could this be a line of such a file? `first`: the first that is neither blank nor a comment.
  bool (*accepts)(std::string_view line, bool first, const ReadingOptions& options);
};

const std::vector<TraceFormat>& trace_formats();

/// Throws InputError for an unknown name.
const TraceFormat& trace_format(const std::string& name);

/// The one format whose lines look like those of `input`, which is read from its beginning and left anywhere.
/// Throws InputError (E_EMPTY, or one that asks for --trace-format) where none or several do.
const TraceFormat& detect_format(std::istream& input, const std::string& file, const ReadingOptions& options);

/// Reads a file. `format`: a name, or "" to tell it from the content; `words`: the options as KEY=VALUE.
/// Throws InputError for what is wrong in the file, RuntimeError where it cannot be read.
AvailabilityTrace read_trace(const std::string& path, const std::string& format,
                             const std::vector<std::string>& words = {});

/// Where the unit of a file's times comes from: the format has one, the option unit= says it, seconds are assumed
/// because nothing says it, or the times are those of the calendar.
enum class UnitSource { kFormat, kGiven, kAssumed, kCalendar };

/// Looks into the file; throws what read_trace throws where its format cannot be told.
UnitSource unit_source(const std::string& path, const std::string& format, const std::vector<std::string>& words = {});

}  // namespace coterie::traces
