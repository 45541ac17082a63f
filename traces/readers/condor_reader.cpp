/// HTCondor: what became of the runs of jobs. A spell is how long a job ran on a machine. kCondorCauses says which ends
/// are interruptions, in all files alike.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/instance_log.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/spell_list.hpp"
#include "traces/readers/times.hpp"

namespace coterie::traces {
namespace {

/// [HTCondor manual, Job Event Log Codes]
enum CondorEvent : std::int64_t {
  kSubmitted = 0,
  kExecuting = 1,
  kEvicted = 4,
  kTerminated = 5,
  kShadowException = 7,
  kAborted = 9,
  kHeld = 12,
  kDisconnected = 22,
  kReconnected = 23,
  kReconnectFailed = 24,
};
constexpr std::array<std::int64_t, 6> kCondorEnds = {kEvicted, kTerminated,      kShadowException,
                                                     kAborted, kReconnectFailed, kHeld};
constexpr std::int64_t kFirstVacateCode = 1000;  // codes below are those of holds

/// Did an interruption end it? `word`: a code, or what stands for it where there is none.
bool interrupted_by(Causes& causes, std::size_t line, std::string_view word) {
  const auto code = word.size() == 3 && word.front() == '0' ? std::nullopt : parse_integer(word);  // 004 is an event
  return causes.interrupts(line, word, code && *code > 0 && *code < kFirstVacateCode ? "hold" : word);
}

/// One event of a job, whatever writes it.
struct JobEvent {
  std::int64_t number = 0;
  std::string job;
  double time = 0;
  std::string host;                  ///< of kExecuting
  std::optional<std::int64_t> code;  ///< why it ended
  bool requeued = false;             ///< it ended by itself, and its owner wants to run it again
  std::size_t line = 0;
};

class JobLog {
 public:
  JobLog(const ReadingOptions& options, const std::string& file)
      : file_(file), log_(options, file, InstanceLog::Keys::kJobs), causes_(options, kCondorCauses) {}

  void add(const JobEvent& event) {
    if (event.number == kExecuting) {
      log_.up(event.job, event.host, event.time, event.line);
    } else if (is_one_of(kCondorEnds, event.number)) {
      const std::string word = event.requeued ? "requeued"
                               : event.code   ? std::to_string(*event.code)
                                              : fmt::format("{:03}", event.number);
      log_.down(event.job, event.time, interrupted_by(causes_, event.line, word), event.line);
    } else if (event.number == kSubmitted) {
      log_.idle(event.job, event.time, event.line);
    } else if (event.number == kDisconnected) {
      log_.lose_contact(event.job, event.time, event.line);
    } else if (event.number == kReconnected) {
      log_.find_again(event.job, event.time, event.line);
    } else {
      log_.skip(event.time);
    }
  }
  AvailabilityTrace finish(const FileTimes& times, std::int64_t without_year) {
    if (without_year > 0) log_.count("W_YEAR", without_year);
    log_.explain("no event says that a job began to run");
    for (const auto& counts : {times.unaffected(), causes_.finish(file_)})
      for (const auto& [warning, count] : counts) log_.count(warning, count);
    AvailabilityTrace trace = log_.finish();
    trace.unit = times.unit();
    return trace;
  }

 private:
  std::string file_;
  InstanceLog log_;
  Causes causes_;
};

constexpr std::string_view kEventEnd = "...";
constexpr std::string_view kRequeued = "Job terminated and was requeued";

/// NNN (CLUSTER.PROC.SUBPROC) DATE TIME text
struct EventHead {
  std::int64_t number;
  std::string_view job;
  std::string date;
  std::string time;
};

std::optional<EventHead> head_of(std::string_view line) {
  const Words words = words_of(line);
  if (words.size() < 5) return std::nullopt;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (words[0].size() != 3 || !std::all_of(words[0].begin(), words[0].end(), is_digit)) return std::nullopt;
  if (!words[1].starts_with('(') || !words[1].ends_with(')')) return std::nullopt;
  return EventHead{*parse_integer(words[0]), words[1].substr(1, words[1].size() - 2), std::string(words[2]),
                   std::string(words[3])};
}

/// Dates such as 06/01 or 06-01, as HTCondor writes them if it is not told otherwise, with the year that the user
/// names.
class MissingYear {
 public:
  explicit MissingYear(std::optional<int> year) : year_(year) {}

  static bool concerns(std::string_view date) {
    return std::count_if(date.begin(), date.end(), [](char c) { return c == '/' || c == '-'; }) == 1;
  }
  /// With its year; nothing if none is named, or if it is no date. Events come in order, so that January follows
  /// December.
  std::optional<std::string> complete(std::string_view date) {
    constexpr std::int64_t kLongBack = 6;  // months; by less, clocks and logs of several writers may go back
    const auto month = parse_integer(date.substr(0, 2));
    if (!year_ || date.size() != 5 || !month) return std::nullopt;
    if (*month + kLongBack < month_) ++*year_;
    month_ = *month;
    ++count_;
    return fmt::format("{:04}-{}-{}", *year_, date.substr(0, 2), date.substr(3));
  }
  std::int64_t count() const { return count_; }

 private:
  std::optional<int> year_;
  std::int64_t month_ = 0;
  std::int64_t count_ = 0;
};

/// "192.168.1.7:9618" in "Job executing on host: <192.168.1.7:9618?addrs=...>", "" if there is none.
std::string address_in(std::string_view text) {
  const std::size_t begin = text.find('<');
  if (begin == text.npos) return "";
  const std::string_view rest = text.substr(begin + 1);
  return std::string(rest.substr(0, rest.find_first_of("?>")));
}

/// 1022 in "Job was evicted. Code 1022 Subcode 0".
std::optional<std::int64_t> code_in(std::string_view line) {
  const Words words = words_of(line);
  for (std::size_t i = 0; i + 2 < words.size(); ++i)
    if (words[i] == "Code" && words[i + 2] == "Subcode") return parse_integer(words[i + 1]);
  return std::nullopt;
}

AvailabilityTrace read_condor_text(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file, "");
  JobLog log(options, file);
  FileTimes time_of(options);
  MissingYear year(options.year);
  std::optional<JobEvent> event;
  std::string_view line;
  while (lines.next(line)) {
    if (event) {
      if (line.find(kRequeued) != line.npos) event->requeued = true;
      if (!event->code) event->code = code_in(line);
      if (line != kEventEnd) continue;
      log.add(*event);
      event.reset();
      continue;
    }
    const auto head = head_of(line);
    if (!head)
      lines.fail("E_EVENT", "this must be the first line of an event: a three-digit number, (job), date, time, text");
    std::string date = head->date;
    if (MissingYear::concerns(date)) {
      const auto whole = year.complete(date);
      if (!whole)
        lines.fail("E_NUMBER",
                   "the date has no year; give that of the first one, --option year=2026, or let HTCondor write it: "
                   "DEFAULT_USERLOG_FORMAT_OPTIONS = ISO_DATE UTC");
      date = *whole;
    }
    event = JobEvent{head->number,     std::string(head->job), time_of(lines, date + " " + head->time),
                     address_in(line), code_in(line),          false,
                     lines.line()};
    if (event->host.empty()) event->host = event->job;
  }
  if (event) lines.fail("E_FIELDS", fmt::format("the last event is not closed by a line \"{}\"", kEventEnd));
  return log.finish(time_of, year.count());
}

/// The same log as a list of ClassAds, in JSON or XML.
AvailabilityTrace read_condor_ads(std::istream& input, const std::string& file, const ReadingOptions& options) {
  Documents documents(input, file);
  JobLog log(options, file);
  FileTimes time_of(options);
  nlohmann::json ad;
  while (documents.next(ad)) {
    const auto number = integer_at(ad, "EventTypeNumber");
    const auto cluster = integer_at(ad, "Cluster");
    if (!number || !cluster) documents.fail("E_FIELDS", "EventTypeNumber or Cluster is missing or no number");
    JobEvent event;
    event.number = *number;
    event.job =
        fmt::format("{}.{}.{}", *cluster, integer_at(ad, "Proc").value_or(0), integer_at(ad, "Subproc").value_or(0));
    event.time = time_of(documents, documents.text(ad, "EventTime"));
    event.host = address_in(text_at(ad, {"ExecuteHost"}));
    if (event.host.empty()) event.host = text_at(ad, {"SlotName", "ExecuteHost"});
    if (event.host.empty()) event.host = event.job;
    for (const char* key : {"VacateReasonCode", "ReasonCode", "HoldReasonCode", "Code"})
      if (!event.code) event.code = integer_at(ad, key);
    const nlohmann::json* requeued = json_at(ad, "TerminatedAndRequeued");
    event.requeued = requeued != nullptr && (*requeued == true || *requeued == "t" || *requeued == "true");
    event.line = documents.line();
    log.add(event);
  }
  return log.finish(time_of, 0);
}

/// The job event log. Errors: E_FIELDS E_NUMBER E_EVENT E_NEGATIVE E_EMPTY.
AvailabilityTrace read_condor(std::istream& input, const std::string& file, const ReadingOptions& options) {
  return holds_documents(input) ? read_condor_ads(input, file, options) : read_condor_text(input, file, options);
}

bool accepts_condor(std::string_view line, bool first, const ReadingOptions&) { return !first || head_of(line); }

bool fits_condor(const nlohmann::json& record) {
  return record.contains("EventTypeNumber") && record.contains("Cluster");
}

constexpr std::array<std::string_view, 5> kNeeded = {"ClusterId", "ProcId", "JobCurrentStartDate", "EpochWriteDate",
                                                     "VacateReasonCode"};
constexpr std::string_view kHost = "LastRemoteHost";
constexpr std::string_view kUndefined = "undefined";

/// Runs of jobs, one per row, below a line of headings: `condor_history -epochs -af:h ATTRIBUTE ...` with ClusterId,
/// ProcId, JobCurrentStartDate, EpochWriteDate (when the run ended), VacateReasonCode (since 23.8.1) and optionally
/// LastRemoteHost. Errors: E_HEADER E_FIELDS E_NUMBER E_NEGATIVE E_OVERLAP E_EMPTY.
AvailabilityTrace read_condor_history(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader table(input, file, CsvReader::Separator::kBlanks);
  SpellList spells(options, file);
  if (table.names().empty()) return spells.finish();
  std::array<std::size_t, kNeeded.size()> columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto found = table.find(kNeeded[i]);
    if (!found)
      table.fail_header(fmt::format("the heading {} is missing; write the file with condor_history -epochs -af:h {} {}",
                                    kNeeded[i], fmt::join(kNeeded, " "), kHost));
    columns[i] = *found;
  }
  const auto [cluster, process, begun, written, reason] = columns;
  const auto host = table.find(kHost);
  Causes causes(options, kCondorCauses);
  FileTimes time_of(options, false);
  while (table.next()) {
    const bool has_code = table[reason] != kUndefined;
    const std::string job = fmt::format("{}.{}", table[cluster], table[process]);
    const std::string& name = host && table[*host] != kUndefined ? table[*host] : job;
    const bool wanted = options.wants(name);
    if (table[begun] == kUndefined) {
      if (wanted) spells.count("W_NOTSTARTED");
      continue;
    }
    if (!has_code && wanted) spells.count("W_NOCODE");
    Spell spell;
    spell.line = table.line();
    spell.history = spells.history(job + " " + name, name);  // a job runs here, then there; jobs share a machine
    spell.start = time_of(table, table[begun]);
    spell.end = time_of(table, table[written]);
    spell.observed = has_code && wanted && interrupted_by(causes, table.line(), table[reason]);
    spells.add(spell);
  }
  for (const auto& counts : {table.unused(), causes.finish(file), time_of.unaffected()})
    for (const auto& [warning, times] : counts) spells.count(warning, times);
  return spells.finish();
}

bool accepts_condor_history(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return true;
  const Words words = words_of(line);
  const std::vector<std::string> names(words.begin(), words.end());
  return find_column(names, "ClusterId") && find_column(names, "JobCurrentStartDate");
}

}  // namespace

std::vector<TraceFormat> condor_formats() {
  return {{"condor",
           "HTCondor job event log, as text (dates need a year, or year=), JSON or XML",
           {"timezone", "year", "t0", "t1", "zero", "overlap", "bridge", "observed", "censored", "host", "zone_parts"},
           read_condor,
           accepts_condor,
           fits_condor},
          {"condor-history",
           "runs of HTCondor jobs: `condor_history -epochs -af:h` with JobCurrentStartDate, EpochWriteDate, ... (their "
           "meaning is taken from HTCondor's source and not tested on a pool)",
           {"timezone", "t0", "t1", "zero", "overlap", "bridge", "observed", "censored", "host", "zone_parts"},
           read_condor_history,
           accepts_condor_history}};
}

}  // namespace coterie::traces
