#include "traces/readers/events_reader.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "traces/readers/file_times.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

enum class Change { kUp, kDown };

struct Event {
  std::string host;
  Change change;
};

std::optional<Change> change_of(std::string_view word, std::string_view up, std::string_view down) {
  if (word == up) return Change::kUp;
  if (word == down) return Change::kDown;
  return std::nullopt;
}

/// `time host up|down` or `time add|remove host`.
Event event_of(const LineReader& lines, const std::vector<std::string_view>& words) {
  if (const auto change = change_of(words[2], "up", "down")) return {std::string(words[1]), *change};
  if (const auto change = change_of(words[1], "add", "remove")) return {std::string(words[2]), *change};
  lines.fail("E_EVENT", fmt::format("neither \"{}\" nor \"{}\" is an event; write `time host up|down` or "
                                    "`time,add|remove,host`",
                                    words[1], words[2]));
}

/// Joins a time stamp of two words (date and time of day) to one and returns it; "" if there is none.
std::string join_time(std::vector<std::string_view>& words) {
  if (words.size() != 4) return "";
  std::string joined = fmt::format("{} {}", words[0], words[1]);
  if (!is_calendar_time(joined)) return "";
  words.erase(words.begin());
  return joined;
}

/// What is known about a host while the file is read.
struct HostState {
  bool up = false;
  std::string came_up;  // as written
  Spell spell;
};

}  // namespace

AvailabilityTrace read_events(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  SpellList spells(options, file);
  FileTimes time_of(options);
  std::vector<HostState> states;
  std::optional<double> before;
  std::string before_written;
  std::string_view line;
  while (lines.next(line)) {
    const bool commas = line.find(',') != std::string_view::npos;
    auto words = commas ? lines.fields(line) : lines.words(line);
    const std::string joined = join_time(words);
    if (!joined.empty()) words[0] = joined;
    lines.expect_fields(words.size(), 3, "a time, a host and an event");
    for (const std::string_view word : words)
      if (word.empty()) lines.fail("E_FIELDS", "a field is empty; write a time, a host and an event");
    const double time = time_of(lines, words[0]);
    const Event event = event_of(lines, words);
    if (before && time < *before)
      lines.fail("E_ORDER", fmt::format("the clock runs backwards from {} to {}; times must not decrease",
                                        before_written, words[0]));
    before = time;
    before_written = words[0];
    spells.saw(time);
    const std::size_t history = spells.history(event.host);
    if (history == states.size()) states.emplace_back();
    HostState& state = states[history];
    const bool up = event.change == Change::kUp;
    if (up == state.up)
      lines.fail("E_STATE", fmt::format("{} goes {} but is already {}; up and down must alternate, up first",
                                        event.host, up ? "up" : "down", up ? "up" : "down"));
    state.up = up;
    if (up) {
      state.spell = Spell{history, time, time, true, false, false, lines.line()};
      state.came_up = words[0];
    } else {
      state.spell.end = time;
      spells.add(state.spell, {state.came_up, words[0]});
    }
  }
  for (HostState& state : states) {
    if (!state.up) continue;
    state.spell.open = true;
    spells.add(state.spell, {state.came_up, ""});
  }
  for (const auto& [warning, times] : time_of.unaffected()) spells.count(warning, times);
  AvailabilityTrace trace = spells.finish();
  trace.unit = time_of.unit();
  return trace;
}

bool accepts_events(std::string_view line, bool, const ReadingOptions& options) {
  Words words = line.find(',') == std::string_view::npos ? words_of(line) : fields_of(line);
  const std::string joined = join_time(words);
  if (!joined.empty()) words[0] = joined;
  if (words.size() != 3 || (!parse_time_stamp(words[0], options) && !is_calendar_time(words[0]))) return false;
  return words[2] == "up" || words[2] == "down" || words[1] == "add" || words[1] == "remove";
}

}  // namespace coterie::traces
