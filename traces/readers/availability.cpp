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
    {"W_TOUCH", "spell begins at the very end of the one before (kept apart)",
     "spells begin at the very end of the one before (kept apart)"},
    {"W_MERGED", "overlapping (or, of down times, touching) row was united with the one before",
     "overlapping (or, of down times, touching) rows were united with the one before"},
    {"W_GAP", "spell is followed by time that nobody watched (right-censored)",
     "spells are followed by time that nobody watched (right-censored)"},
    {"W_JOINED", "row continues the row before and was joined with it",
     "rows continue the row before and were joined with it"},
    {"W_OTHERTYPE", "row has a user-defined event type and was skipped",
     "rows have a user-defined event type and were skipped"},
    {"W_LOOP", "profile repeats for ever: two rounds were read", "profile repeats for ever: two rounds were read"},
    {"W_COMMENT", "line begins with # and was skipped, but has as many fields as a row",
     "lines begin with # and were skipped, but have as many fields as a row"},
    {"W_CAUSE", "row has a cause in neither list, which counts as those that were not named:",
     "rows have a cause in neither list, which counts as those that were not named:"},
    {"W_NOZONE", "row names no zone for its host", "rows name no zone for their host"},
    {"W_NOTSTARTED", "row never started and was skipped", "rows never started and were skipped"},
    {"W_NOCODE", "run has no VacateReasonCode: it counts as ended by its job (HTCondor before 23.8.1 writes none)",
     "runs have no VacateReasonCode: they count as ended by their job (HTCondor before 23.8.1 writes none)"},
    {"W_STEP", "row is a step of a job and was skipped (its job counts)",
     "rows are steps of jobs and were skipped (their jobs count)"},
    {"W_OTHEREVENT", "event says nothing of being up or down and was skipped",
     "events say nothing of being up or down and were skipped"},
    {"W_AGAIN", "event tells what is known already and was skipped",
     "events tell what is known already and were skipped"},
    {"W_MISSED", "event happened between others that are there, and is not: the log was not kept all the time",
     "events happened between others that are there, and are not: the log was not kept all the time"},
    {"W_NOSTART",
     "end, or notice of one, belongs to a spell whose start is not in the file, and was skipped (with t0= ends are "
     "not)",
     "ends, or notices of them, belong to spells whose start is not in the file, and were skipped (with t0= ends are "
     "not)"},
    {"W_NOEND", "notice of interruption has no end after it: the spell ends when it was to be interrupted",
     "notices of interruption have no end after them: the spells end when they were to be interrupted"},
    {"W_SAMPLED", "series of samples: shorter changes are unseen, ends are uncertain by one gap",
     "series of samples: shorter changes are unseen, ends are uncertain by one gap"},
};

}  // namespace

std::size_t AvailabilityTrace::hosts() const {
  std::unordered_set<std::string_view> names;
  for (const AvailabilityRecord& record : records)
    if (record.host) names.insert(*record.host);
  return names.size();
}

std::vector<double> AvailabilityTrace::durations() const {
  std::vector<double> result;
  result.reserve(records.size());
  for (const AvailabilityRecord& record : records) result.push_back(record.duration);
  return result;
}

void fail_trace(const std::string& file, std::size_t line, std::string_view code, const std::string& problem) {
  throw InputError(Place{file, line, 0}, fmt::format("{}: {}", code, problem));
}

std::vector<WarningLine> warning_lines(const std::map<std::string, std::int64_t>& warnings) {
  constexpr std::string_view kColumn = "W_COLUMN";
  std::map<std::int64_t, std::vector<std::string>> columns;  // by how many rows have them
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
