#include "traces/readers/causes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/availability.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {
namespace {

constexpr std::size_t kMost = 8;  // causes shown in a message

std::string list_of(const CauseSet& words) { return quoted_list({words.begin(), words.end()}); }

std::vector<std::string> absent_from(const CauseSet& known, const CauseSet& named) {
  std::vector<std::string> absent;
  std::set_difference(named.begin(), named.end(), known.begin(), known.end(), std::back_inserter(absent));
  return absent;
}

}  // namespace

bool looks_like_cause(std::string_view name) {
  std::string word;
  const std::string lower = lower_case(name);
  for (const char c : lower + " ") {
    if (c != ' ' && c != '_' && c != '-') {
      word += c;
      continue;
    }
    for (const std::string_view known : {"reason", "cause", "status", "state", "event", "outcome", "action", "why",
                                         "preempted", "interrupted", "evicted", "reclaimed"})
      if (word == known) return true;
    word.clear();
  }
  return find_column({lower}, "end_type").has_value();
}

std::optional<std::size_t> cause_column(CsvReader& csv, const ReadingOptions& options) {
  if (options.cause_column == "none") return std::nullopt;
  if (options.cause_column) return csv.column(*options.cause_column);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < csv.names().size(); ++i)
    if (!csv.is_used(i) && looks_like_cause(csv.names()[i])) found.push_back(csv.names()[i]);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1)
    csv.fail_header(fmt::format(
        "\"{}\" and \"{}\" could both say why a spell ended; choose one with --option cause=COLUMN, or give cause=none",
        echoed(found[0]), echoed(found[1])));
  return csv.column(found.front());
}

std::map<std::string, std::int64_t> absent_causes(const std::string& file, const ReadingOptions& options,
                                                  const CauseSet& known) {
  std::map<std::string, CauseSet> lists;
  if (options.is_given("observed")) lists["observed"] = options.observed_causes;
  if (options.is_given("censored")) lists["censored"] = options.censored_causes;
  CauseSet unnamed = known;  // what a mistyped cause may stand for
  for (const auto& [option, named] : lists)
    for (const std::string& cause : named) unnamed.erase(cause);
  std::map<std::string, std::int64_t> counts;
  for (const auto& [option, named] : lists) {
    const std::vector<std::string> absent = absent_from(known, named);
    for (const std::string& cause : absent)
      if (const std::string near = suggestion(cause, {unnamed.begin(), unnamed.end()}); !near.empty())
        fail_trace(file, 0, "E_CAUSE",
                   fmt::format("{}= names \"{}\", which ends no spell in the file{}", option, echoed(cause), near));
    if (!absent.empty())
      counts[fmt::format("W_ABSENT {}={}", option, echoed(fmt::format("{}", fmt::join(absent, ","))))] =
          std::ssize(absent);
  }
  return counts;
}

void Causes::saw(const std::string& cause) {
  if (!cause.empty()) seen_.insert(cause);
}

bool Causes::interrupts(std::size_t line, std::string_view written) {
  const std::string cause = lower_case(written);
  saw(cause);
  if (options_->observed_causes.contains(cause)) return true;
  if (options_->censored_causes.contains(cause)) return false;
  const bool observed = options_->is_given("observed");
  if (observed != options_->is_given("censored")) {
    ++counted_[fmt::format("W_CAUSE {}", echoed(written))];
    if (!observed && !cause.empty()) by_elimination_.insert(cause);
    return !observed;
  }
  if (first_line_ == 0) first_line_ = line;
  if (unknown_.size() < kMost && std::find(unknown_.begin(), unknown_.end(), cause) == unknown_.end())
    unknown_.push_back(cause);
  return false;
}

void Causes::open(std::size_t line, std::string_view written) {
  const std::string cause = lower_case(written);
  saw(cause);
  Open& open = open_[cause];
  if (open.rows++ == 0) open.first_line = line;
}

void Causes::mention(std::string_view written) { saw(lower_case(written)); }

std::map<std::string, std::int64_t> Causes::finish(const std::string& file) const {
  std::map<std::string, std::int64_t> counts = absent_causes(file, *options_, seen_);
  counts.insert(counted_.begin(), counted_.end());
  Open interrupted;
  for (const auto& [cause, open] : open_) {
    if (!options_->observed_causes.contains(cause) && !by_elimination_.contains(cause)) continue;
    interrupted.first_line =
        interrupted.rows == 0 ? open.first_line : std::min(interrupted.first_line, open.first_line);
    interrupted.rows += open.rows;
  }
  if (interrupted.rows > 0) counts[fmt::format("W_OPEN {}", interrupted.first_line)] = interrupted.rows;
  if (first_line_ == 0) return counts;
  std::vector<std::string> shown;
  for (const std::string& cause : unknown_) shown.push_back(echoed(cause));
  fail_trace(
      file, first_line_, "E_CAUSE",
      fmt::format("which of the causes {} are interruptions? Name all of them with --option observed=CAUSE,CAUSE (all "
                  "others then are not), or give both lists; an end by {} is one now, an end by {} is not",
                  quoted_list(shown), echoed(list_of(options_->observed_causes)),
                  echoed(list_of(options_->censored_causes))));
}

}  // namespace coterie::traces
