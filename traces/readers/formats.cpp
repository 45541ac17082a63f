#include "traces/readers/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "traces/readers/avt_reader.hpp"
#include "traces/readers/durations_reader.hpp"
#include "traces/readers/events_reader.hpp"
#include "traces/readers/fta_reader.hpp"
#include "traces/readers/intervals_reader.hpp"
#include "traces/readers/lifetimes_reader.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/samples_reader.hpp"
#include "traces/readers/simgrid_reader.hpp"

namespace coterie::traces {
const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> table = {
      {"durations",
       "one duration a line; or the columns duration,observed",
       {"unit", "zero"},
       read_durations,
       accepts_durations},
      {"intervals",
       "CSV with the columns host, start, end and perhaps observed",
       {"unit", "t0", "t1", "zero", "overlap", "rows", "host"},
       read_intervals,
       accepts_intervals},
      {"events",
       "changes in the order of time: `time host up|down` or `time,add|remove,host`",
       {"unit", "t0", "t1", "zero", "host"},
       read_events,
       accepts_events},
      {"avt",
       "Repository of Availability Traces: `node count start end start end ...`, seconds",
       {"t0", "t1", "zero", "host"},
       read_avt,
       accepts_avt},
      {"fta",
       "Failure Trace Archive: event_trace.tab, nine columns, seconds",
       {"t0", "t1", "zero", "overlap", "component", "component_tab", "component_type", "host"},
       read_fta,
       accepts_fta},
      {"simgrid",
       "SimGrid state profile of one host: `date value`, LOOPAFTER or PERIODICITY",
       {"t0", "t1", "zero"},
       read_simgrid,
       accepts_simgrid},
      {"samples",
       "JSON of spot probes: metadata.gap_seconds and data",
       {"value", "count", "zero", "host"},
       read_samples,
       accepts_samples},
      {"lifetimes",
       "CSV of ended instances: a column of durations and one of causes",
       {"unit", "zero", "col", "cause", "observed", "censored", "name", "host"},
       read_lifetimes,
       accepts_lifetimes},
  };
  return table;
}

const TraceFormat& trace_format(const std::string& name) { return find_row(trace_formats(), name, "trace format"); }

const TraceFormat& detect_format(std::istream& input, const std::string& file, const ReadingOptions& options) {
  std::vector<const TraceFormat*> candidates;
  for (const TraceFormat& format : trace_formats()) candidates.push_back(&format);
  LineReader lines(input, file);
  std::string_view line;
  bool first = true;
  while (candidates.size() > 1 && lines.next(line)) {
    std::vector<const TraceFormat*> left;
    for (const TraceFormat* format : candidates)
      if (format->accepts(line, first, options)) left.push_back(format);
    if (left.empty() && !first) break;  // a wrong line, which the reader would report better than we
    candidates = std::move(left);
    first = false;
  }
  if (candidates.size() == 1) return *candidates.front();
  if (first) fail_trace(file, 0, "E_EMPTY", "the file holds no data");
  std::vector<std::string> names;
  for (const TraceFormat* format : candidates) names.push_back(format->name);
  if (names.empty())
    for (const TraceFormat& format : trace_formats()) names.push_back(format.name);
  throw InputError(Place{file, 0, 0}, fmt::format("the format cannot be told from the content; give --trace-format {}",
                                                  quoted_list(names)));
}

AvailabilityTrace read_trace(const std::string& path, const std::string& format,
                             const std::vector<std::string>& words) {
  const ReadingOptions options = ReadingOptions::parse(words);
  const TraceFormat* row = format.empty() ? nullptr : &trace_format(format);
  const std::unique_ptr<std::istream> input = open_to_read(path);
  if (row == nullptr) {
    row = &detect_format(*input, path, options);
    input->clear();
    input->seekg(0);
  }
  options.allow_only(row->name, row->options);
  return row->read(*input, path, options);
}

}  // namespace coterie::traces
