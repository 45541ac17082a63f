/// SimGrid state profile of one host: `date value`, up iff value > 0, up from 0 until an event says otherwise; a
/// profile with LOOPAFTER or PERIODICITY is read for two rounds. Without them, a host that is up at the end is censored
/// at t1, by default the last date; if it comes up at that very date, it counts as W_LASTUP instead. Errors: E_FIELDS
/// E_NUMBER E_NEGATIVE E_ORDER E_LOOP E_STOCHASTIC E_EMPTY.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/text.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 5> kStochastic = {"STOCHASTIC", "EXP", "NORM", "UNIF", "DET"};

struct ProfileEvent {
  double date;
  bool up;
  std::size_t line;
};

struct Profile {
  std::vector<ProfileEvent> events;
  std::optional<double> loop_after;
};

double number_of(const LineReader& lines, std::string_view word) {
  const auto value = to_seconds(word, {});
  if (!value) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number", word));
  return *value;
}

[[noreturn]] void fail_loop(const std::string& file, const std::string& problem) {
  fail_trace(file, 0, "E_LOOP", problem);
}

Profile read_profile(LineReader& lines) {
  Profile profile;
  std::optional<double> period;
  std::string_view line;
  while (lines.next(line)) {
    const auto& words = lines.words(line);
    if (std::find(kStochastic.begin(), kStochastic.end(), words[0]) != kStochastic.end())
      lines.fail("E_STOCHASTIC",
                 "a stochastic profile is a distribution, not a trace; write its law as a risk instead");
    lines.expect_fields(words.size(), 2, "date value, LOOPAFTER d or PERIODICITY p");
    if (words[0] == "LOOPAFTER" || words[0] == "PERIODICITY") {
      auto& target = words[0] == "LOOPAFTER" ? profile.loop_after : period;
      if (target) fail_loop(lines.file(), fmt::format("{} occurs twice; keep one", words[0]));
      target = number_of(lines, words[1]);
      continue;
    }
    const ProfileEvent event{number_of(lines, words[0]), number_of(lines, words[1]) > 0, lines.line()};
    if (event.date < 0)
      lines.fail("E_NEGATIVE", fmt::format("the date {} is negative; it must be 0 or more", words[0]));
    if (!profile.events.empty() && event.date < profile.events.back().date)
      lines.fail("E_ORDER",
                 fmt::format("the date {} is earlier than the one above; dates must not decrease", words[0]));
    profile.events.push_back(event);
  }
  if (period && profile.loop_after) fail_loop(lines.file(), "LOOPAFTER and PERIODICITY exclude each other; keep one");
  if (period) profile.loop_after = *period - (profile.events.empty() ? 0 : profile.events.back().date);
  if (profile.loop_after && *profile.loop_after < 0)
    fail_loop(lines.file(),
              "the profile restarts before its last event; PERIODICITY must be at least the last "
              "date, LOOPAFTER at least 0");
  return profile;
}

/// Appends a second round, shifted by the last date plus the pause.
void unroll(Profile& profile) {
  const std::size_t round = profile.events.size();
  const double shift = profile.events.back().date + *profile.loop_after;
  for (std::size_t i = 0; i < round; ++i) {
    ProfileEvent event = profile.events[i];
    event.date += shift;
    profile.events.push_back(event);
  }
}

AvailabilityTrace read_simgrid(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file, "#%");
  SpellList spells(options, file);
  Profile profile = read_profile(lines);
  const bool loops = profile.loop_after && !profile.events.empty();
  if (loops) {
    unroll(profile);
    spells.count("W_LOOP");
  }
  // The host is up from 0 on, unless an event at 0 says otherwise; when it came up is unknown.
  Spell spell;
  spell.history = spells.history("host");
  spell.left_truncated = true;
  bool up = !profile.events.empty();
  for (const ProfileEvent& event : profile.events) {
    spells.saw(event.date);
    if (event.up == up) continue;
    up = event.up;
    if (up) {
      spell = Spell{spell.history, event.date, event.date, true, false, false, event.line};
      continue;
    }
    spell.end = event.date;
    if (spell.line == 0) spell.line = event.line;
    const bool off_from_the_start = spell.left_truncated && event.date == 0;
    const bool round_beyond_t1 = loops && options.t1 && spell.start > *options.t1;
    if (!off_from_the_start && !round_beyond_t1) spells.add(spell);
  }
  if (up && !loops && !options.t1 && spell.start == profile.events.back().date) {
    spells.count("W_LASTUP");
  } else if (up && !loops) {
    if (spell.line == 0) spell.line = profile.events.back().line;
    spell.open = true;
    spells.add(spell);
  }
  const auto& events = profile.events;
  const bool ever_up = std::any_of(events.begin(), events.end(), [](const ProfileEvent& event) { return event.up; });
  const bool ever_down = std::any_of(events.begin(), events.end(), [](const ProfileEvent& event) { return !event.up; });
  if (!ever_down) spells.explain("the host never goes down (a profile of its speed, perhaps, instead of its state?)");
  if (!ever_up) spells.explain("the host is never up");
  return spells.finish();
}

bool accepts_simgrid(std::string_view line, bool, const ReadingOptions&) {
  const Words words = words_of(line);
  if (words.empty()) return false;
  if (words[0].starts_with('%') || words[0] == "STOCHASTIC") return true;
  if (words.size() != 2 || !parse_number(words[1])) return false;
  return parse_number(words[0]) || words[0] == "LOOPAFTER" || words[0] == "PERIODICITY";
}

}  // namespace

std::vector<TraceFormat> simgrid_formats() {
  return {{"simgrid",
           "SimGrid state profile of one host: `date value`, LOOPAFTER or PERIODICITY",
           {"t0", "t1", "zero", "bridge"},
           read_simgrid,
           accepts_simgrid}};
}

}  // namespace coterie::traces
