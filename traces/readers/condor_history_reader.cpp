#include "traces/readers/condor_history_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 5> kNeeded = {"ClusterId", "ProcId", "JobCurrentStartDate", "EpochWriteDate",
                                                     "VacateReasonCode"};
constexpr std::string_view kHost = "LastRemoteHost";
constexpr std::string_view kUndefined = "undefined";

/// The shadow or the startd failed, the connection was lost, or the machine was taken away.
constexpr std::array<std::int64_t, 11> kInterrupted = {1002, 1008, 1010, 1011, 1012, 1013,
                                                       1014, 1015, 1016, 1018, 1019};
constexpr std::int64_t kFirstVacateCode = 1000;  // codes below are those of holds
constexpr std::int64_t kLastVacateCode = 1036;

/// Where each attribute is in the line of headings; case does not matter.
class Headings {
 public:
  explicit Headings(const Words& names) {
    for (const std::string_view name : names) names_.push_back(lower_case(name));
  }
  std::optional<std::size_t> find(std::string_view name) const {
    const auto found = std::find(names_.begin(), names_.end(), lower_case(name));
    return found == names_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names_.begin()));
  }
  /// The first needed heading that is missing, or "".
  std::string_view missing() const {
    for (const std::string_view name : kNeeded)
      if (!find(name)) return name;
    return "";
  }
  bool repeats(std::size_t column) const {
    return std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(column), names_[column]) !=
           names_.begin() + static_cast<std::ptrdiff_t>(column);
  }

 private:
  std::vector<std::string> names_;
};

double time_of(const LineReader& lines, std::string_view name, std::string_view written) {
  const auto time = parse_number(written);
  if (!time) lines.fail("E_NUMBER", fmt::format("{} is \"{}\"; it must be seconds since 1970", name, echoed(written)));
  return *time;
}

bool interrupts(const LineReader& lines, std::string_view written) {
  const auto code = parse_integer(written);
  if (!code || *code < 1 || *code > kLastVacateCode)
    lines.fail("E_CAUSE", fmt::format("\"{}\" is not a known VacateReasonCode", echoed(written)));
  return *code >= kFirstVacateCode && std::find(kInterrupted.begin(), kInterrupted.end(), *code) != kInterrupted.end();
}

}  // namespace

AvailabilityTrace read_condor_history(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file, "");
  SpellList spells(options, file);
  std::string_view line;
  if (!lines.next(line)) return spells.finish();
  const std::vector<std::string> names = [&] {
    const Words words = words_of(line);
    return std::vector<std::string>(words.begin(), words.end());
  }();
  const Headings headings(Words(names.begin(), names.end()));
  if (!headings.missing().empty())
    lines.fail("E_HEADER",
               fmt::format("the heading {} is missing; write the file with condor_history -epochs -af:h {} {}",
                           headings.missing(), fmt::join(kNeeded, " "), kHost));
  for (std::size_t i = 0; i < names.size(); ++i)
    if (headings.repeats(i)) lines.fail("E_HEADER", fmt::format("\"{}\" occurs twice; keep one", echoed(names[i])));
  const auto host = headings.find(kHost);
  std::int64_t rows = 0;
  while (lines.next(line)) {
    const Words row = words_of(line);
    lines.expect_fields(row.size(), names.size(), "as in the headings");
    ++rows;
    const auto at = [&](std::string_view name) { return row[*headings.find(name)]; };
    const std::string_view code = at("VacateReasonCode");
    const bool has_code = code != kUndefined;
    const bool interrupted = has_code && interrupts(lines, code);
    const std::string job = fmt::format("{}.{}", at("ClusterId"), at("ProcId"));
    const std::string name = host && row[*host] != kUndefined ? std::string(row[*host]) : job;
    if (at("JobCurrentStartDate") == kUndefined) {
      if (options.wants(name)) spells.count("W_NOTSTARTED");
      continue;
    }
    if (!has_code && options.wants(name)) spells.count("W_NOCODE");
    Spell spell;
    spell.line = lines.line();
    spell.history = spells.history(job + " " + name, name);  // a job runs here, then there; jobs share a machine
    spell.start = time_of(lines, "JobCurrentStartDate", at("JobCurrentStartDate"));
    spell.end = time_of(lines, "EpochWriteDate", at("EpochWriteDate"));
    spell.observed = interrupted;
    spells.add(spell);
  }
  for (const std::string& name : names)
    if (rows > 0 && lower_case(name) != lower_case(kHost) &&
        std::none_of(kNeeded.begin(), kNeeded.end(), [&](auto one) { return lower_case(one) == lower_case(name); }))
      spells.count("W_COLUMN " + name, rows);
  return spells.finish();
}

bool accepts_condor_history(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return true;
  const Headings headings(words_of(line));
  return headings.find("ClusterId") && headings.find("JobCurrentStartDate");
}

}  // namespace coterie::traces
