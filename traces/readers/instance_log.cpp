#include "traces/readers/instance_log.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "traces/readers/time_zone.hpp"

namespace coterie::traces {
namespace {

/// "10.0.0.1" of "10.0.0.1:9618"
std::string_view without_port(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != host.npos && host.find_first_not_of("0123456789", colon + 1) == host.npos;
  return has_port ? host.substr(0, colon) : host;
}

}  // namespace

void InstanceLog::saw(double time) {
  spells_.saw(time);
  last_ = std::max(last_, time);
}

void InstanceLog::skip(std::optional<double> time) {
  spells_.count("W_OTHEREVENT");
  if (time) saw(*time);
}

void InstanceLog::add(Change change) {
  saw(change.time);
  if (keys_ == Keys::kHosts && !options_->wants(change.key)) return;
  changes_.push_back(std::move(change));
}

void InstanceLog::up(const std::string& key, const std::string& host, double time, std::size_t line) {
  add({key, host, time, Kind::kUp, false, line});
}

void InstanceLog::notice(const std::string& key, double time, double lead, std::size_t line) {
  add({key, key, time, Kind::kNotice, false, line, lead});
}

void InstanceLog::down(const std::string& key, double time, bool observed, std::size_t line) {
  add({key, key, time, Kind::kDown, observed, line});
}

void InstanceLog::restart(const std::string& key, double time, bool observed, std::size_t line) {
  add({key, key, time, Kind::kRestart, observed, line});
}

void InstanceLog::idle(const std::string& key, double time, std::size_t line) {
  if (keys_ == Keys::kHosts && !options_->wants(key)) return saw(time);
  skip(time);
  if (options_->t0) add({key, key, time, Kind::kIdle, false, line});
}

Spell InstanceLog::spell_from(const Change* start, const Change& change) {
  Spell spell;
  const std::string& host = start == nullptr ? change.host : start->host;
  spell.history = spells_.history(change.key + '\n' + host, host);
  spell.start = start == nullptr ? std::min(*options_->t0, change.time) : start->time;
  spell.left_truncated = start == nullptr;
  spell.line = change.line;
  return spell;
}

void InstanceLog::end(const Change& change, const Change* start, bool noticed) {
  if (start == nullptr && !options_->t0) {
    spells_.count("W_NOSTART");
    return;
  }
  Spell spell = spell_from(start, change);
  spell.end = change.time;
  spell.observed = noticed || change.observed;
  spells_.add(spell, {utc_text(spell.start), utc_text(spell.end)});
}

void InstanceLog::end_as_noticed(State& state) {
  const Change& notice = *state.notice;
  end({notice.key, notice.host, notice.time + notice.lead, Kind::kDown, true, notice.line}, state.start, true);
  spells_.count("W_NOEND");
  state = {nullptr, true, nullptr, true};
}

AvailabilityTrace InstanceLog::finish() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  std::unordered_map<std::string, State> states;
  std::vector<const Change*> begins;  // of spells, in their order, which a map would lose
  for (const Change& change : changes_) {
    State& state = states[change.key];
    if (is_up(state) && state.is_overdue(change.time)) end_as_noticed(state);
    const bool first = !state.seen;
    if (change.kind == Kind::kIdle) {
      if (state.notice == nullptr) state.seen = true;
      continue;
    }
    if (change.kind == Kind::kUp) {
      if (state.start != nullptr && without_port(state.start->host) != without_port(change.host)) {
        // When it left the other host is not known.
        spells_.count("W_MISSED");
        end({change.key, state.start->host, change.time, Kind::kDown, false, change.line}, state.start, false);
        state = {nullptr, true};
      }
      if (is_up(state)) {
        spells_.count("W_AGAIN");
        continue;
      }
      if (state.notice != nullptr) spells_.count("W_NOSTART");  // of a life the log says nothing else about
      state = {&change, true};
      begins.push_back(&change);
    } else if (change.kind == Kind::kNotice) {
      if ((state.start != nullptr || first) && state.notice == nullptr) {
        state.notice = &change;
        if (first) begins.push_back(&change);
      } else {
        spells_.count("W_AGAIN");
      }
    } else if (state.start == nullptr && !first) {
      spells_.count(std::exchange(state.ended_as_noticed, false) ? "W_LATE" : "W_AGAIN");
    } else if (change.kind == Kind::kDown && state.start != nullptr && state.start->kind == Kind::kRestart &&
               change.time == state.start->time) {
      spells_.count("W_AGAIN");  // the same restart: it is not ready yet
      state = {nullptr, true};
    } else {
      end(change, state.start, state.notice != nullptr);
      state = {nullptr, true};
      if (change.kind == Kind::kRestart) {
        state.start = &change;
        begins.push_back(&change);
      }
    }
  }
  const double last = std::max(options_->t1.value_or(0), last_);
  for (const Change* begin : begins) {
    State& state = states[begin->key];
    if (begin != (state.start != nullptr ? state.start : state.notice)) continue;
    if (!is_up(state)) {
      spells_.count("W_NOSTART");  // the log has only the notice
    } else if (state.is_overdue(last)) {
      end_as_noticed(state);
    } else {
      Spell spell = spell_from(state.start, *begin);
      spell.open = true;
      spells_.add(spell, {utc_text(spell.start), ""});
    }
  }
  AvailabilityTrace trace = spells_.finish();
  trace.unit = UnitSource::kCalendar;
  return trace;
}

}  // namespace coterie::traces
