#include "traces/readers/condor_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "core/text.hpp"
#include "traces/readers/file_times.hpp"
#include "traces/readers/instance_log.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {
namespace {

constexpr std::string_view kCondorSubmitted = "000";
constexpr std::string_view kCondorExecuting = "001";
constexpr std::array<std::string_view, 3> kCondorInterrupted = {"004", "007", "024"};
constexpr std::array<std::string_view, 3> kCondorEnded = {"005", "009", "012"};
constexpr std::string_view kEventEnd = "...";
/// What 004 says of a job that ended, and that its owner wants to run again.
constexpr std::string_view kRequeued = "Job terminated and was requeued";

/// NNN (CLUSTER.PROC.SUBPROC) DATE TIME text
struct EventHead {
  std::string_view code;
  std::string_view job;
  std::string time;
};

std::optional<EventHead> head_of(std::string_view line) {
  const Words words = words_of(line);
  if (words.size() < 5) return std::nullopt;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (words[0].size() != 3 || !std::all_of(words[0].begin(), words[0].end(), is_digit)) return std::nullopt;
  if (!words[1].starts_with('(') || !words[1].ends_with(')')) return std::nullopt;
  return EventHead{words[0], words[1].substr(1, words[1].size() - 2), fmt::format("{} {}", words[2], words[3])};
}

/// An event that ends a spell; whether by an interruption the text may still say.
struct Ending {
  std::string job;
  double time = 0;
  bool interrupted = false;
  std::size_t line = 0;
};

/// 06/01 or 06-01, as HTCondor writes a date if it is not told otherwise.
bool lacks_year(std::string_view time) {
  const std::string_view date = time.substr(0, time.find(' '));
  return std::count_if(date.begin(), date.end(), [](char c) { return c == '/' || c == '-'; }) == 1;
}

/// The machine's address in "Job executing on host: <192.168.1.7:9618?addrs=...>".
std::string machine_of(std::string_view line, std::string_view job) {
  const std::size_t begin = line.find('<');
  if (begin == std::string_view::npos) return std::string(job);
  const std::string_view rest = line.substr(begin + 1);
  return std::string(rest.substr(0, rest.find_first_of("?>")));
}

}  // namespace

AvailabilityTrace read_condor(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file, "");
  InstanceLog log(options, file, InstanceLog::Keys::kJobs);
  std::string_view line;
  FileTimes time_of(options);
  bool inside = false;
  std::optional<Ending> ending;
  while (lines.next(line)) {
    if (inside) {
      if (ending && line.find(kRequeued) != line.npos) ending->interrupted = false;
      inside = line != kEventEnd;
      if (inside || !ending) continue;
      log.down(ending->job, ending->time, ending->interrupted, ending->line);
      ending.reset();
      continue;
    }
    const auto head = head_of(line);
    if (!head)
      lines.fail("E_EVENT", "this must be the first line of an event: a three-digit number, (job), date, time, text");
    if (lacks_year(head->time))
      lines.fail("E_NUMBER",
                 "the date has no year; let HTCondor write it: DEFAULT_USERLOG_FORMAT_OPTIONS = ISO_DATE UTC");
    const double time = time_of(lines, head->time);
    const std::string job(head->job);
    if (head->code == kCondorExecuting) {
      log.up(job, machine_of(line, head->job), time, lines.line());
    } else if (is_one_of(kCondorInterrupted, head->code) || is_one_of(kCondorEnded, head->code)) {
      ending = Ending{job, time, is_one_of(kCondorInterrupted, head->code), lines.line()};
    } else if (head->code == kCondorSubmitted) {
      log.idle(job, time, lines.line());
    } else {
      log.skip(time);
    }
    inside = true;
  }
  if (inside) lines.fail("E_FIELDS", fmt::format("the last event is not closed by a line \"{}\"", kEventEnd));
  for (const auto& [warning, times] : time_of.unaffected()) log.count(warning, times);
  AvailabilityTrace trace = log.finish();
  trace.unit = time_of.unit();
  return trace;
}

bool accepts_condor(std::string_view line, bool first, const ReadingOptions&) { return !first || head_of(line); }

}  // namespace coterie::traces
