#include "traces/readers/formats.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/errors.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "traces/readers/avt_reader.hpp"
#include "traces/readers/boinc_reader.hpp"
#include "traces/readers/condor_history_reader.hpp"
#include "traces/readers/condor_reader.hpp"
#include "traces/readers/durations_reader.hpp"
#include "traces/readers/ec2_reader.hpp"
#include "traces/readers/events_reader.hpp"
#include "traces/readers/fta_reader.hpp"
#include "traces/readers/gce_reader.hpp"
#include "traces/readers/intervals_reader.hpp"
#include "traces/readers/kubernetes_reader.hpp"
#include "traces/readers/lifetimes_reader.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/samples_reader.hpp"
#include "traces/readers/simgrid_reader.hpp"
#include "traces/readers/slurm_reader.hpp"

namespace coterie::traces {
const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> table = {
      {"durations",
       "one duration per line, or the columns duration,observed",
       {"unit", "zero"},
       read_durations,
       accepts_durations},
      {"intervals",
       "CSV with the columns host, start, end and optionally observed or a cause",
       {"unit", "timezone", "t0", "t1", "zero", "overlap", "rows", "host", "name", "start", "end", "cause", "observed",
        "censored", "zones", "zone_parts"},
       read_intervals,
       accepts_intervals},
      {"events",
       "changes in time order: `time host up|down` or `time,add|remove,host`",
       {"unit", "timezone", "t0", "t1", "zero", "host", "zone_parts"},
       read_events,
       accepts_events},
      {"avt",
       "Repository of Availability Traces: `node count start end start end ...`, seconds",
       {"t0", "t1", "zero", "host", "zone_parts"},
       read_avt,
       accepts_avt},
      {"fta",
       "Failure Trace Archive: event_trace.tab, nine columns, seconds",
       {"t0", "t1", "zero", "overlap", "component", "component_tab", "component_type", "node_tab", "platform_tab",
        "host", "zone_parts"},
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
       "CSV of ended instances with a column of durations and one of causes",
       {"unit", "zero", "col", "cause", "observed", "censored", "name", "host"},
       read_lifetimes,
       accepts_lifetimes},
      {"slurm",
       "Slurm jobs: `sacct --parsable2` with JobID, State, Start, End and NodeList",
       {"timezone", "t0", "t1", "zero", "overlap", "host", "zone_parts"},
       read_slurm,
       accepts_slurm},
      {"condor",
       "HTCondor job event log; its dates must include the year",
       {"timezone", "t0", "t1", "zero", "overlap", "host", "zone_parts"},
       read_condor,
       accepts_condor},
      {"condor-history",
       "runs of HTCondor jobs: `condor_history -epochs -af:h` with JobCurrentStartDate, EpochWriteDate, ... (their "
       "meaning is taken from HTCondor's source and not tested on a pool)",
       {"t0", "t1", "zero", "overlap", "host", "zone_parts"},
       read_condor_history,
       accepts_condor_history},
      {"ec2",
       "Amazon EC2 events, one JSON object per line: state changes and spot interruption warnings",
       {"t0", "t1", "zero", "overlap", "host"},
       read_ec2,
       accepts_ec2},
      {"gce",
       "Google Compute Engine audit log, one JSON entry per line: compute.instances.*",
       {"t0", "t1", "zero", "overlap", "host", "zone_parts"},
       read_gce,
       accepts_gce},
      {"kubernetes",
       "Kubernetes node events, one JSON object per line",
       {"t0", "t1", "zero", "overlap", "host", "observed"},
       read_kubernetes,
       accepts_kubernetes,
       {{"observed", "nodenotready,rebooted"}}},
      {"boinc",
       "hosts of a BOINC project, from its statistics: XML with create_time and rpc_time (not tested on a real "
       "project)",
       {"t0", "t1", "zero", "overlap", "host", "silent"},
       read_boinc,
       accepts_boinc},
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
    if (const std::string problem = left.empty() && first ? columns_to_name(line, options) : ""; !problem.empty())
      fail_trace(file, lines.line(), "E_HEADER", problem + ", or another format by --trace-format");
    if (left.empty() && !first) break;  // a wrong line; the reader reports it better
    candidates = std::move(left);
    first = false;
  }
  if (candidates.size() == 1) return *candidates.front();
  if (first) fail_trace(file, 0, "E_EMPTY", "the file holds no data");
  std::vector<std::string> names;
  for (const TraceFormat* format : candidates) names.push_back(format->name);
  if (names.empty())
    for (const TraceFormat& format : trace_formats()) names.push_back(format.name);
  throw InputError(
      Place{file, 0, 0},
      fmt::format("the format cannot be recognised from the content; give --trace-format {}", quoted_list(names)));
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
  AvailabilityTrace trace = row->read(*input, path, options);
  trace.format = row->name;
  if (trace.unit == UnitSource::kCalendar) return trace;
  if (!is_one_of(row->options, "unit"))
    trace.unit = UnitSource::kFormat;
  else if (options.is_given("unit"))
    trace.unit = UnitSource::kGiven;
  return trace;
}

}  // namespace coterie::traces
