#include "traces/readers/formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/errors.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/line_reader.hpp"

namespace coterie::traces {
namespace {

/// What a file is whose first line begins so, or whose first record has these keys, and how to make one that can be
/// read.
struct Lookalike {
  std::vector<std::string_view> words;  ///< that the line has, in this order; keys in that of the alphabet
  const char* what;
};

const std::vector<Lookalike>& lookalikes() {
  constexpr const char* kHistory =
      "this is what condor_history says of whole jobs; use condor_history -epochs -af:h ClusterId ProcId "
      "LastRemoteHost JobCurrentStartDate EpochWriteDate VacateReasonCode";
  static const std::vector<Lookalike> table = {
      {{"JobID", "State"},
       "this is sacct's table for people; use sacct --parsable2: SLURM_TIME_FORMAT=%s sacct --allusers --allocations "
       "--duplicates --parsable2 --format=JobID,NodeList,State,Start,End"},
      {{"JOBID", "PARTITION"}, "this is squeue's table, which says nothing of ended jobs; use sacct --parsable2"},
      {{"LAST", "SEEN", "TYPE", "REASON", "OBJECT"},
       "this is kubectl's table for people; use --output json: kubectl get events --all-namespaces --field-selector "
       "involvedObject.kind=Node --output json"},
      {{"NAME", "STATUS", "ROLES", "AGE"},
       "this is the list of nodes, which says nothing of those that are gone; use kubectl get events --all-namespaces "
       "--field-selector involvedObject.kind=Node --output json"},
      {{"NAME", "TYPE", "TARGET", "STATUS"},
       "this is gcloud's table for people; use gcloud compute operations list --format=json"},
      {{"IDX", "BOOT", "ID", "FIRST", "ENTRY"},
       "this is journalctl's list of boots, which does not say how they ended; use last -x --time-format=iso reboot "
       "shutdown"},
      {{"boot_id", "first_entry"},
       "this is journalctl's list of boots, which does not say how they ended; use last -x --time-format=iso reboot "
       "shutdown"},
      {{"ID", "OWNER", "SUBMITTED"}, kHistory},
      {{"ClusterId", "="}, kHistory},
      {{"ClusterId", "JobStatus"}, kHistory},
      {{"Reservations"},
       "this is the list of instances, of which AWS forgets those that ended more than an hour ago; let EventBridge "
       "write a log of state changes and interruption warnings"},
      {{"HistoryRecords"},
       "this is the history of a fleet, which does not say why instances ended; let EventBridge write a log of state "
       "changes and interruption warnings"},
      {{"eventTimestamp", "operationName"},
       "this is Azure's activity log, which is not read; write a CSV of it, host,start,end,reason"},
      {{"apiVersion:"}, "this is YAML; use kubectl --output json"},
      {{"---"}, "this is YAML; let the tool write JSON: gcloud --format=json, kubectl --output json"},
  };
  return table;
}

bool has_words(const Words& words, const std::vector<std::string_view>& wanted) {
  auto at = words.begin();
  for (const std::string_view word : wanted) {
    at = std::find(at, words.end(), word);
    if (at == words.end()) return false;
    ++at;
  }
  return true;
}

std::string known_lookalike(const Words& words) {
  const auto found = std::find_if(lookalikes().begin(), lookalikes().end(),
                                  [&](const Lookalike& one) { return has_words(words, one.words); });
  return found == lookalikes().end() ? "" : found->what;
}

[[noreturn]] void fail_with_advice(const std::string& file, std::size_t line, const std::string& advice) {
  fail_trace(file, line, "E_HEADER", advice + "; or name the format by --trace-format");
}

/// What to do about a text whose first line fits no format; "" if nothing is known.
std::string advice_for(std::string_view line, const ReadingOptions& options) {
  if (std::string known = known_lookalike(words_of(line)); !known.empty()) return known;
  const auto is_time = [&](std::string_view field) { return to_duration(field, {}) || is_calendar_time(field); };
  const auto names = csv_fields(line, csv_delimiter(line));
  if (names && names->size() >= 2 && std::any_of(names->begin(), names->end(), is_time) &&
      std::none_of(names->begin(), names->end(),
                   [](const std::string& name) { return name == "up" || name == "down"; }))
    return fmt::format(
        "the first line must name the columns, and \"{}\" does not; put it there: sed -i '1i host,start,end' FILE (or "
        "duration,observed; columns that are not needed may have any name)",
        echoed(line));
  const Words words = words_of(line);
  if (words.size() >= 3 && line.find_first_of(",;|") == line.npos) {
    const std::string commas = fmt::format("{}", fmt::join(words, ","));
    for (const TraceFormat& format : trace_formats())
      if (format.accepts != nullptr && format.accepts(commas, true, options))
        return "the columns must be separated by commas, semicolons, tabs or |, not by blanks: tr -s ' ' ',' < IN > "
               "OUT";
  }
  return columns_to_name(line, options);
}

[[noreturn]] void fail_unknown(const std::string& file, const std::string& seen) {
  std::vector<std::string> names;
  for (const TraceFormat& format : trace_formats()) names.push_back(format.name);
  throw InputError(Place{file, 0, 0}, fmt::format("the format cannot be recognised from the content{}; give "
                                                  "--trace-format {}",
                                                  seen, quoted_list(names)));
}

/// The format of one of the first records.
const TraceFormat& detect_documents(std::istream& input, const std::string& file) {
  constexpr int kMostRecords = 1000;
  Documents documents(input, file);
  nlohmann::json record;
  std::string keys;
  for (int i = 0; i < kMostRecords && documents.next(record); ++i) {
    for (const TraceFormat& format : trace_formats())
      if (format.fits != nullptr && format.fits(record)) return format;
    if (i > 0) continue;
    std::vector<std::string> names;
    for (const auto& [key, value] : record.items())
      if (key != "<>") names.push_back(key);
    const std::string advice = known_lookalike({names.begin(), names.end()});
    if (!advice.empty()) fail_with_advice(file, documents.line(), advice);
    names.resize(std::min<std::size_t>(names.size(), 6));
    keys = echoed(fmt::format("{}", fmt::join(names, ", ")));
  }
  if (keys.empty()) fail_trace(file, 0, "E_EMPTY", "the file holds no record");
  fail_unknown(file, fmt::format(" (JSON or XML; the keys of its first record are {})", keys));
}

}  // namespace

const std::vector<TraceFormat>& trace_formats() {
  static const std::vector<TraceFormat> table = [] {
    std::vector<TraceFormat> formats;
    for (const auto& of_file : {duration_formats, interval_formats, event_formats, fta_formats, simgrid_formats,
                                sample_formats, slurm_formats, condor_formats, cloud_formats, fleet_formats})
      for (TraceFormat& format : of_file()) formats.push_back(std::move(format));
    return formats;
  }();
  return table;
}

const TraceFormat& trace_format(const std::string& name) { return find_row(trace_formats(), name, "trace format"); }

const TraceFormat& detect_format(std::istream& input, const std::string& file, const ReadingOptions& options) {
  std::vector<const TraceFormat*> candidates;
  for (const TraceFormat& format : trace_formats())
    if (format.accepts != nullptr) candidates.push_back(&format);
  LineReader lines(input, file);
  std::string_view line;
  bool first = true;
  while (candidates.size() > 1 && lines.next(line)) {
    if (first && (line.starts_with('{') || line.starts_with('[') || line.starts_with('<'))) {
      input.clear();
      input.seekg(0);
      return detect_documents(input, file);
    }
    std::vector<const TraceFormat*> left;
    for (const TraceFormat* format : candidates)
      if (format->accepts(line, first, options)) left.push_back(format);
    if (left.empty() && !first) break;  // a wrong line; the reader reports it better
    if (left.empty()) {
      if (const std::string advice = advice_for(line, options); !advice.empty())
        fail_with_advice(file, lines.line(), advice);
      fail_unknown(file, fmt::format(" (its first line is \"{}\")", echoed(line)));
    }
    candidates = std::move(left);
    first = false;
  }
  if (candidates.size() == 1) return *candidates.front();
  if (first) fail_trace(file, 0, "E_EMPTY", "the file holds no data");
  std::vector<std::string> names;
  for (const TraceFormat* format : candidates) names.push_back(format->name);
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
