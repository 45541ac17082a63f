#include "traces/readers/instance_log.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "traces/readers/reading_options.hpp"

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

void InstanceLog::up(const std::string& key, const std::string& host, double time, std::size_t line, bool left) {
  Change change{key, host, time, Kind::kUp, false, line};
  change.left = left;
  add(std::move(change));
}

void InstanceLog::notice(const std::string& key, double time, double lead, std::size_t line) {
  add({key, key, time, Kind::kNotice, false, line, lead});
}

void InstanceLog::down(const std::string& key, double time, bool observed, std::size_t line, Flap flap) {
  add({key, key, time, Kind::kDown, observed, line, 0, flap == Flap::kPossible});
}

void InstanceLog::restart(const std::string& key, double time, bool observed, std::size_t line) {
  add({key, key, time, Kind::kRestart, observed, line});
}

void InstanceLog::announce(const std::string& key, double time, bool interrupts, std::size_t line) {
  add({key, key, time, Kind::kAnnounce, interrupts, line});
}

void InstanceLog::retract(const std::string& key, double time, std::size_t line) {
  add({key, key, time, Kind::kRetract, false, line});
}

void InstanceLog::lose_contact(const std::string& key, double time, std::size_t line) {
  add({key, key, time, Kind::kLost, false, line});
}

void InstanceLog::find_again(const std::string& key, double time, std::size_t line) {
  add({key, key, time, Kind::kFound, false, line});
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
  spell.left_truncated = start == nullptr || start->left;
  spell.line = change.line;
  return spell;
}

InstanceLog::State InstanceLog::ended() {
  State state;
  state.seen = true;
  return state;
}

void InstanceLog::begin(const Change& change, State& state) {
  const bool fresh = state.fresh;
  state = ended();
  state.start = &change;
  state.start_is_fresh = fresh;
  begins_.push_back(&change);
}

void InstanceLog::end(const Change& change, const State& state) {
  if (state.start == nullptr && !options_->t0) {
    spells_.count("W_NOSTART");
    return;
  }
  Spell spell = spell_from(state.start, change);
  spell.end = state.lost.value_or(change.time);
  spell.observed = state.notice != nullptr || state.announced.value_or(change.observed);
  spell.fresh = state.start_is_fresh;
  spells_.add(spell, {utc_text(spell.start), utc_text(spell.end)});
}

void InstanceLog::end_as_noticed(State& state) {
  const Change& notice = *state.notice;
  end({notice.key, notice.host, notice.time + notice.lead, Kind::kDown, true, notice.line}, state);
  spells_.count("W_NOEND");
  state = ended();
  state.ended_as_noticed = true;
}

void InstanceLog::tell(const Change& change, State& state) {
  const bool first = !state.seen;
  switch (change.kind) {
    case Kind::kIdle:
      if (state.notice == nullptr) state.seen = true;
      return;
    case Kind::kAnnounce:
      state.announced = change.observed || state.announced.value_or(false);
      return;
    case Kind::kRetract:
      if (state.announced == false) state.announced.reset();
      return;
    case Kind::kLost:
      if (!state.lost && state.start != nullptr) state.lost = change.time;
      return;
    case Kind::kFound:
      state.lost.reset();
      return;
    case Kind::kUp:
      if (state.start != nullptr && without_port(state.start->host) != without_port(change.host)) {
        // When it left the other host is not known.
        spells_.count("W_MISSED");
        State on_other = state;
        on_other.announced = false;
        on_other.notice = nullptr;
        end(change, on_other);
        state = ended();
      }
      if (is_up(state)) {
        spells_.count("W_AGAIN");
        return;
      }
      if (state.notice != nullptr) spells_.count("W_NOSTART");  // of a life the log says nothing else about
      begin(change, state);
      return;
    case Kind::kNotice:
      if ((state.start != nullptr || first) && state.notice == nullptr) {
        state.notice = &change;
        if (first) begins_.push_back(&change);
      } else {
        spells_.count("W_AGAIN");
      }
      return;
    case Kind::kDown:
    case Kind::kRestart:
      break;
  }
  const bool same_restart = change.kind == Kind::kDown && state.start != nullptr &&
                            state.start->kind == Kind::kRestart && change.time == state.start->time;
  if (state.start == nullptr && !first) {
    spells_.count(std::exchange(state.ended_as_noticed, false) ? "W_LATE" : "W_AGAIN");
    state.fresh = state.fresh || change.kind == Kind::kRestart || !change.may_flap;
    return;
  }
  if (same_restart) {  // it is not ready yet
    spells_.count("W_AGAIN");
    state = ended();
    return;
  }
  end(change, state);
  const bool flap =
      change.kind == Kind::kDown && change.may_flap && !state.announced && state.notice == nullptr && !state.lost;
  state = ended();
  state.fresh = !flap;
  if (change.kind == Kind::kRestart) begin(change, state);
}

AvailabilityTrace InstanceLog::finish() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  std::unordered_map<std::string, State> states;
  for (const Change& change : changes_) {
    State& state = states[change.key];
    if (is_up(state) && state.is_overdue(change.time)) end_as_noticed(state);
    tell(change, state);
  }
  const double last = std::max(options_->t1.value_or(0), last_);
  for (const Change* begin : begins_) {
    State& state = states[begin->key];
    if (begin != (state.start != nullptr ? state.start : state.notice)) continue;
    if (!is_up(state)) {
      spells_.count("W_NOSTART");  // the log has only the notice
    } else if (state.is_overdue(last)) {
      end_as_noticed(state);
    } else if (state.lost) {  // nothing is known of it since
      Change unknown = *begin;
      unknown.observed = false;
      state.announced.reset();
      end(unknown, state);
    } else {
      Spell spell = spell_from(state.start, *begin);
      spell.open = true;
      spell.fresh = state.start_is_fresh;
      spells_.add(spell, {utc_text(spell.start), ""});
    }
  }
  AvailabilityTrace trace = spells_.finish();
  trace.unit = UnitSource::kCalendar;
  return trace;
}

}  // namespace coterie::traces
