#pragma once

#include <istream>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// One format of availability traces.
struct TraceFormat {
  std::string name;
  std::string summary;
  std::vector<std::string> options;  ///< the keys of ReadingOptions that it takes
  AvailabilityTrace (*read)(std::istream& input, const std::string& file, const ReadingOptions& options);
  /// Could this be a line of such a file? `first`: it is the first line that is neither blank nor a comment. Null: the
  /// format has no lines of its own.
  bool (*accepts)(std::string_view line, bool first, const ReadingOptions& options) = nullptr;
  /// Is this one of its records of JSON or XML (see Documents)? Null: it has none.
  bool (*fits)(const nlohmann::json& record) = nullptr;
  std::map<std::string, std::string> defaults = {};  ///< of options, where they differ from ReadingOptions::parameters
};

/// The formats of one source file each.
std::vector<TraceFormat> duration_formats();
std::vector<TraceFormat> interval_formats();
std::vector<TraceFormat> event_formats();
std::vector<TraceFormat> fta_formats();
std::vector<TraceFormat> simgrid_formats();
std::vector<TraceFormat> sample_formats();
std::vector<TraceFormat> slurm_formats();
std::vector<TraceFormat> condor_formats();
std::vector<TraceFormat> cloud_formats();
std::vector<TraceFormat> fleet_formats();

/// What to ask about the header of a CSV that no format accepts; "" if it is probably not one of intervals.
std::string columns_to_name(std::string_view header, const ReadingOptions& options);

const std::vector<TraceFormat>& trace_formats();

/// Throws InputError for an unknown name.
const TraceFormat& trace_format(const std::string& name);

/// The one format that fits the content of `input`, which is read from its beginning and left at an arbitrary position.
/// Throws InputError (E_EMPTY, or one that says what the file looks like, or that asks for --trace-format) if no format
/// fits, or several do.
const TraceFormat& detect_format(std::istream& input, const std::string& file, const ReadingOptions& options);

/// Reads a file. `format`: a name, or "" to recognise it from the content; `words`: the options as KEY=VALUE.
/// Throws InputError if the content is wrong, RuntimeError if the file cannot be read.
AvailabilityTrace read_trace(const std::string& path, const std::string& format,
                             const std::vector<std::string>& words = {});

}  // namespace coterie::traces
