#include "traces/readers/instance_log.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace coterie::traces {

void InstanceLog::add(Change change) {
  spells_.saw(change.time);
  changes_.push_back(std::move(change));
}

void InstanceLog::up(const std::string& key, const std::string& host, double time, std::size_t line) {
  add({key, host, time, Kind::kUp, false, line});
}

void InstanceLog::notice(const std::string& key, double time, std::size_t line) {
  add({key, "", time, Kind::kNotice, false, line});
}

void InstanceLog::down(const std::string& key, double time, bool observed, std::size_t line) {
  add({key, key, time, Kind::kDown, observed, line});
}

void InstanceLog::restart(const std::string& key, double time, bool observed, std::size_t line) {
  add({key, key, time, Kind::kRestart, observed, line});
}

void InstanceLog::end(const Change& change, const Change* start, bool noticed) {
  if (start == nullptr && !options_->t0) {
    spells_.count("W_NOSTART");
    return;
  }
  Spell spell;
  const std::string& host = start == nullptr ? change.host : start->host;
  spell.history = spells_.history(change.key + '\n' + host, host);
  spell.start = start == nullptr ? *options_->t0 : start->time;
  spell.left_truncated = start == nullptr;
  spell.end = change.time;
  spell.observed = noticed || change.observed;
  spell.line = change.line;
  spells_.add(spell);
}

AvailabilityTrace InstanceLog::finish() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  struct State {
    const Change* start = nullptr;  // while it is up
    bool seen = false;
    bool noticed = false;
  };
  std::unordered_map<std::string, State> states;
  std::vector<const Change*> starts;  // in their order, which that of a map is not
  for (const Change& change : changes_) {
    State& state = states[change.key];
    const bool first = !std::exchange(state.seen, true);
    if (change.kind == Kind::kUp) {
      if (state.start != nullptr) {
        spells_.count("W_AGAIN");
        continue;
      }
      if (state.noticed) spells_.count("W_NOSTART");  // of a life of which nothing else is there
      state.start = &change;
      state.noticed = false;
      starts.push_back(&change);
    } else if (change.kind == Kind::kNotice) {
      if ((state.start != nullptr || first) && !state.noticed) {
        state.noticed = true;
      } else {
        spells_.count("W_AGAIN");
      }
      if (first) state.seen = false;  // its start is still to be accounted for, at its end
    } else if (state.start == nullptr && !first) {
      spells_.count("W_AGAIN");
    } else {
      end(change, state.start, state.noticed);
      state = {nullptr, true, false};
      if (change.kind == Kind::kRestart) {
        state.start = &change;
        starts.push_back(&change);
      }
    }
  }
  for (const auto& [key, state] : states)  // notices of instances of which nothing else is there
    if (state.noticed && !state.seen) spells_.count("W_NOSTART");
  for (const Change* start : starts) {
    const State& state = states[start->key];
    if (state.start != start) continue;
    Spell spell;
    spell.history = spells_.history(start->key + '\n' + start->host, start->host);
    spell.start = start->time;
    spell.open = true;
    spell.line = start->line;
    spells_.add(spell);
  }
  return spells_.finish();
}

}  // namespace coterie::traces
