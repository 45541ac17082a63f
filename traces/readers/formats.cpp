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
namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view line) {
  Words words;
  for (const std::string_view word : split(line, ' '))
    for (const std::string_view part : split(word, '\t'))
      if (!part.empty()) words.push_back(part);
  return words;
}

Words fields_of(std::string_view line) {
  Words fields = split(line, ',');
  for (std::string_view& field : fields) field = trimmed(field);
  return fields;
}

bool holds(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool accepts_durations(std::string_view line, bool first, const ReadingOptions&) {
  const Words fields = fields_of(line);
  if (fields.size() == 1) return parse_number(line).has_value();
  if (fields.size() != 2) return false;
  return first ? fields[0] == "duration" && fields[1] == "observed" : parse_number(fields[0]).has_value();
}

bool accepts_intervals(std::string_view line, bool first, const ReadingOptions&) {
  const Words fields = fields_of(line);
  return first ? holds(fields, "host") && holds(fields, "start") && holds(fields, "end") : fields.size() > 2;
}

bool accepts_lifetimes(std::string_view line, bool first, const ReadingOptions& options) {
  const Words fields = fields_of(line);
  return first ? holds(fields, options.duration_column) && holds(fields, options.cause_column) : fields.size() > 1;
}

bool accepts_events(std::string_view line, bool, const ReadingOptions& options) {
  const Words words = line.find(',') == std::string_view::npos ? words_of(line) : fields_of(line);
  if (words.size() != 3 || !parse_time_stamp(words[0], options.unit)) return false;
  return words[2] == "up" || words[2] == "down" || words[1] == "add" || words[1] == "remove";
}

bool accepts_avt(std::string_view line, bool, const ReadingOptions&) {
  const Words words = words_of(line);
  if (words.size() < 2) return false;
  const auto count = parse_integer(words[1]);
  return count && *count >= 0 && words.size() % 2 == 0 && (words.size() - 2) / 2 == static_cast<std::size_t>(*count);
}

bool accepts_fta(std::string_view line, bool first, const ReadingOptions&) {
  const Words words = words_of(line);
  if (first && !words.empty() && words[0] == "event_id") return true;
  return words.size() == 9 && parse_integer(words[5]) && parse_number(words[6]) && parse_number(words[7]);
}

bool accepts_simgrid(std::string_view line, bool, const ReadingOptions&) {
  const Words words = words_of(line);
  if (words.empty()) return false;
  if (words[0].starts_with('%') || words[0] == "STOCHASTIC") return true;
  if (words.size() != 2 || !parse_number(words[1])) return false;
  return parse_number(words[0]) || words[0] == "LOOPAFTER" || words[0] == "PERIODICITY";
}

bool accepts_samples(std::string_view line, bool first, const ReadingOptions&) { return !first || line[0] == '{'; }

}  // namespace

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
