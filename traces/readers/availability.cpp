#include "traces/readers/availability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <unordered_set>

#include "core/errors.hpp"

namespace coterie::traces {
namespace {

struct Meaning {
  std::string_view code;
  std::string_view of_one;
  std::string_view of_many;
};

constexpr Meaning kMeanings[] = {
    {"W_CENSORED", "spell ends without an interruption (right-censored)",
     "spells end without an interruption (right-censored)"},
    {"W_LEFT", "spell was already running when recording began (left-truncated)",
     "spells were already running when recording began (left-truncated)"},
    {"W_ZERO", "spell of length zero", "spells of length zero"},
    {"W_TOUCH", "spell begins exactly where the one before ends (kept separate)",
     "spells begin exactly where the one before ends (kept separate)"},
    {"W_MERGED", "overlapping row (or touching down time) was merged with the one before",
     "overlapping rows (or touching down times) were merged with the one before"},
    {"W_DIFFER",
     "spell was merged from rows that end at the same time, not all by an interruption, and counts as interrupted: see "
     "line",
     "spells were merged from rows that end at the same time, not all by an interruption, and count as interrupted: "
     "the "
     "first is in line"},
    {"W_GAP", "spell is followed by a gap in the recording (right-censored)",
     "spells are followed by a gap in the recording (right-censored)"},
    {"W_JOINED", "row continues the row before and was joined with it",
     "rows continue the row before and were joined with it"},
    {"W_OTHERTYPE", "row has a user-defined event type and was skipped",
     "rows have a user-defined event type and were skipped"},
    {"W_LOOP", "profile repeats forever; two rounds were read", "profile repeats forever; two rounds were read"},
    {"W_COMMENT", "line that begins with # was skipped, although it has as many fields as a row",
     "lines that begin with # were skipped, although they have as many fields as a row"},
    {"W_CAUSE", "row has a cause in neither list, counted with the list that was not given:",
     "rows have a cause in neither list, counted with the list that was not given:"},
    {"W_UNKNOWN",
     "end has a cause that is not known here and counts as no interruption (observed= or censored= may name it):",
     "ends have a cause that is not known here and count as no interruption (observed= or censored= may name it):"},
    {"W_BRIDGED", "gap was no longer than bridge= and was bridged (bridge=0 counts it as a loss)",
     "gaps were no longer than bridge= and were bridged (bridge=0 counts them as losses)"},
    {"W_POPULATION", "machine never failed and was up throughout (population=)",
     "machines never failed and were up throughout (population=)"},
    {"W_NONAMES", "failure names no machine and was taken to hit the one that has been up longest",
     "failures name no machine and were taken to hit the ones that have been up longest"},
    {"W_PARTLY", "failure hits only a share of the machines, of which the file does not say which",
     "failures hit only a share of the machines, of which the file does not say which"},
    {"W_YEAR", "date has no year and got the one that year= and the order of the file give",
     "dates have no year and got the one that year= and the order of the file give"},
    {"W_ABSENT", "cause that is named ends no spell in the file:", "causes that are named end no spell in the file:"},
    {"W_OPEN",
     "row has an interruption as its cause but no end, and counts as still running: write its end; it is in line",
     "rows have an interruption as their cause but no end, and count as still running: write their ends; the first is "
     "in line"},
    {"W_LASTUP", "host comes up at the last date and was skipped, since nothing says how long it stayed: give t1=",
     "hosts come up at the last date and were skipped, since nothing says how long they stayed: give t1="},
    {"W_UNIT", "time is a date, on which unit= has no effect: leave it out",
     "times are dates, on which unit= has no effect: leave it out"},
    {"W_TIMEZONE", "time is a number or has an offset, so timezone= has no effect: leave it out",
     "times are numbers or have offsets, so timezone= has no effect: leave it out"},
    {"W_NOZONE", "row names no zone for its host", "rows name no zone for their host"},
    {"W_REQUESTED",
     "spot request: its spell begins when it was made, and AWS forgets it four hours after its end (give t0=, four "
     "hours before the first list)",
     "spot requests: their spells begin when they were made, and AWS forgets them four hours after their ends (give "
     "t0=, four hours before the first list)"},
    {"W_PERSISTENT", "request is persistent, so that nothing says when its instance came up, and was skipped",
     "requests are persistent, so that nothing says when their instances came up, and were skipped"},
    {"W_NOTSTARTED", "row describes something that never started and was skipped",
     "rows describe something that never started and were skipped"},
    {"W_NODES", "row is a job on several nodes and counts as one machine",
     "rows are jobs on several nodes, each of which counts as one machine"},
    {"W_NOCODE", "run has no VacateReasonCode and counts as ended by its job (HTCondor before 23.8.1 writes none)",
     "runs have no VacateReasonCode and count as ended by their job (HTCondor before 23.8.1 writes none)"},
    {"W_STEP", "row is a job step and was skipped (the job itself counts)",
     "rows are job steps and were skipped (the jobs themselves count)"},
    {"W_OTHEREVENT", "event has nothing to do with going up or down and was skipped",
     "events have nothing to do with going up or down and were skipped"},
    {"W_AGAIN", "event repeats what is already known and was skipped",
     "events repeat what is already known and were skipped"},
    {"W_MISSED", "event is missing: the log was not kept all the time",
     "events are missing: the log was not kept all the time"},
    {"W_NOSTART", "end (or notice of one) has no start in the file and was skipped (with t0=, ends are kept)",
     "ends (or notices of them) have no start in the file and were skipped (with t0=, ends are kept)"},
    {"W_NOEND",
     "notice of interruption is not followed by an end within ten minutes: the spell ends at the announced time",
     "notices of interruption are not followed by an end within ten minutes: the spells end at the announced times"},
    {"W_LATE",
     "end comes more than ten minutes after its notice of interruption and was skipped: the spell ended at the "
     "announced time",
     "ends come more than ten minutes after their notices of interruption and were skipped: the spells ended at the "
     "announced times"},
    {"W_SAMPLED", "series of samples: changes shorter than the gap are not seen, and ends are uncertain by one gap",
     "series of samples: changes shorter than the gap are not seen, and ends are uncertain by one gap"},
};

}  // namespace

std::size_t AvailabilityTrace::hosts() const {
  std::unordered_set<std::string_view> names;
  for (const AvailabilityRecord& record : records)
    if (record.host) names.insert(*record.host);
  return names.size();
}

void fail_trace(const std::string& file, std::size_t line, std::string_view code, const std::string& problem) {
  throw InputError(Place{file, line, 0}, fmt::format("{}: {}", code, problem));
}

std::vector<WarningLine> warning_lines(const std::map<std::string, std::int64_t>& warnings) {
  constexpr std::string_view kColumn = "W_COLUMN";
  std::map<std::int64_t, std::vector<std::string>> columns;  // by the number of rows that have them
  std::vector<WarningLine> lines;
  for (const auto& [key, count] : warnings) {
    const std::size_t space = std::min(key.find(' '), key.size());
    const std::string code = key.substr(0, space);
    if (code == kColumn && space < key.size()) {
      columns[count].push_back(key.substr(space + 1));
      continue;
    }
    const auto* meaning =
        std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& one) { return one.code == code; });
    if (meaning == std::end(kMeanings)) throw std::logic_error("a warning without a meaning: " + key);
    lines.push_back(
        {code, fmt::format("{} {}{}", count, count == 1 ? meaning->of_one : meaning->of_many, key.substr(space))});
  }
  for (const auto& [rows, names] : columns)
    lines.push_back({std::string(kColumn),
                     fmt::format("{} {} {} not used: {}", rows, rows == 1 ? "row has" : "rows have",
                                 names.size() == 1 ? "a column that is" : "columns that are", fmt::join(names, ", "))});
  return lines;
}

}  // namespace coterie::traces
