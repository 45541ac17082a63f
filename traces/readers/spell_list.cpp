#include "traces/readers/spell_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/printable.hpp"
#include "core/text.hpp"

namespace coterie::traces {
namespace {

constexpr double kLargestTime = 1e100;  // in seconds; sums and squares of such times do not overflow

/// The first parts of a name whose parts are separated by slashes, if it has more.
std::optional<std::string> first_parts(const std::string& name, std::size_t parts) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < parts; ++i) {
    end = name.find('/', i == 0 ? 0 : end + 1);
    if (end == std::string::npos) return std::nullopt;
  }
  return name.substr(0, end);
}

/// A time for a message: as a user wrote it, or else in seconds.
std::string time_text(std::string_view written, double seconds) {
  return written.empty() ? to_text(seconds) + " s" : echoed(written);
}

/// end - start, rounded such that start + duration is not beyond the end, where the next spell may start.
double rounded_duration(const Spell& spell) {
  const double duration = spell.end - spell.start;
  return spell.start + duration > spell.end ? std::nextafter(duration, 0.0) : duration;
}

/// The rows that end when a merged spell does.
class EndingRows {
 public:
  void add(const Spell& row) {
    if (row.open) return;
    std::size_t& first = row.observed ? interrupted_ : other_;
    first = first == 0 ? row.line : std::min(first, row.line);
  }
  /// The line at which it shows that only some of them are interrupted; 0 if they agree.
  std::size_t differ() const { return interrupted_ > 0 && other_ > 0 ? std::max(interrupted_, other_) : 0; }

 private:
  std::size_t interrupted_ = 0;  // first lines
  std::size_t other_ = 0;
};

/// Merges a row into the spell that it overlaps. An observed end survives only if it is the latest.
void merge(Spell& spell, const Spell& row, EndingRows& ending) {
  if (row.start == spell.start) {
    spell.left_truncated = spell.left_truncated || row.left_truncated;
    spell.entry = std::min(spell.entry, row.entry);
  }
  if (row.end < spell.end) return;
  if (row.end > spell.end) {
    spell.end = row.end;
    spell.observed = false;
    ending = {};
  }
  spell.observed = spell.observed || row.observed;
  ending.add(row);
  spell.differs = ending.differ();
}

}  // namespace

RecordCollector::RecordCollector(const ReadingOptions& options, std::string file)
    : options_(&options), file_(std::move(file)) {}

void RecordCollector::add(AvailabilityRecord record, std::size_t line) {
  if (options_->host && !(record.host && options_->wants(*record.host))) {
    ++other_hosts_;
    return;
  }
  if (options_->zone_parts > 0) {
    record.zone = first_parts(record.host.value_or(""), options_->zone_parts);
    if (!record.zone)
      fail_trace(file_, line, "E_ZONE",
                 fmt::format(
                     "the host name \"{}\" has {} before its last slash; give another zone_parts",
                     echoed(record.host.value_or("")),
                     options_->zone_parts == 1 ? "no part" : fmt::format("fewer than {} parts", options_->zone_parts)));
  }
  const double start = record.start.value_or(0);
  if (!too_large_ && !(std::abs(record.duration) <= kLargestTime && std::abs(start) <= kLargestTime))
    too_large_ = {line, fmt::format("a spell of {} s that starts at {} s; times must be at most {} s",
                                    to_text(record.duration), to_text(start), to_text(kLargestTime))};
  if (record.duration == 0) {
    if (options_->zero == ZeroPolicy::kError)
      fail_trace(file_, line, "E_ZERO", "a spell of length zero; give zero=keep or zero=drop to accept it");
    count("W_ZERO");
    if (options_->zero == ZeroPolicy::kDrop) return;
  }
  if (!record.observed) count("W_CENSORED");
  if (record.left_truncated) count("W_LEFT");
  trace_.records.push_back(std::move(record));
}

std::string RecordCollector::why_empty() const {
  if (options_->host && other_hosts_ > 0)
    return fmt::format("host={} leaves out all {} of other hosts", echoed(*options_->host),
                       counted(other_hosts_, "spell"));
  if (const auto zeros = trace_.warnings.find("W_ZERO"); zeros != trace_.warnings.end())
    return fmt::format("zero=drop leaves out all {}", counted(static_cast<std::size_t>(zeros->second), "spell"));
  if (!reason_.empty()) return reason_;
  std::string skipped;
  for (const WarningLine& line : warning_lines(trace_.warnings)) skipped += (skipped.empty() ? "" : "; ") + line.text;
  return skipped.empty() ? "the file holds no spell" : skipped;
}

AvailabilityTrace RecordCollector::finish() {
  if (too_large_) fail_trace(file_, too_large_->first, "E_RANGE", too_large_->second);
  if (trace_.records.empty())
    fail_trace(file_, 0, "E_EMPTY", fmt::format("no spell of availability is left: {}", why_empty()));
  return std::move(trace_);
}

std::size_t SpellList::history(const std::string& key, const std::string& host) {
  const auto [found, fresh] = numbers_.emplace(key, hosts_.size());
  if (fresh) hosts_.push_back(host);
  return found->second;
}

void SpellList::add(const Spell& spell, const WrittenTimes& written) {
  saw(spell.start);
  if (!spell.open) {
    saw(spell.end);
    if (spell.end < spell.start)
      fail_trace(file_, spell.line, "E_NEGATIVE",
                 fmt::format("it ends at {}, before it starts at {}; swap or correct them",
                             time_text(written.end, spell.end), time_text(written.start, spell.start)));
    if (!std::isfinite(spell.end - spell.start))
      fail_trace(file_, spell.line, "E_NUMBER", "the times are so far apart that the duration overflows");
  }
  if (std::string problem = window_problem(spell, written); !problem.empty())
    window_problems_.emplace(spell.line, std::move(problem));
  spells_.push_back(spell);
}

void SpellList::close_open_spells() {
  const double end = options_->t1.value_or(latest_);
  for (Spell& spell : spells_) {
    if (!spell.open) continue;
    if (const auto t0 = begin_of(spell.history); t0 && std::max(end, spell.start) < *t0)
      fail_trace(
          file_, spell.line, "E_NEGATIVE",
          fmt::format("it is still running at the latest time of the file, before the beginning of the recording "
                      "t0 = {}; give an earlier t0",
                      begin_text(*t0)));
    spell.end = std::max(end, spell.start);  // put_into_window rejects what starts after t1
    spell.observed = false;
  }
}

std::vector<std::size_t> SpellList::in_time() const {
  std::vector<std::size_t> order(spells_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const Spell& left = spells_[a];
    const Spell& right = spells_[b];
    return std::tie(left.history, left.start, left.end, a) < std::tie(right.history, right.start, right.end, b);
  });
  return order;
}

void SpellList::bridge_gaps() {
  if (options_->bridge == 0) return;
  const std::vector<std::size_t> order = in_time();
  std::vector<bool> gone(spells_.size(), false);
  for (std::size_t i = 1, last = 0; i < order.size(); ++i) {
    Spell& before = spells_[order[last]];
    const Spell& spell = spells_[order[i]];
    const double gap = spell.start - before.end;
    if (spell.history != before.history || spell.fresh || !(gap >= 0 && gap <= options_->bridge)) {
      last = i;
      continue;
    }
    before.end = spell.end;
    before.observed = spell.observed;
    before.open = spell.open;
    gone[order[i]] = true;
    count("W_BRIDGED");
  }
  std::size_t at = 0;
  std::erase_if(spells_, [&](const Spell&) { return gone[at++]; });
}

void SpellList::unite_overlaps() {
  const std::vector<std::size_t> order = in_time();
  std::vector<bool> gone(spells_.size(), false);
  std::size_t first_line = 0;  // the line at which the first overlap in the file shows
  std::size_t last = 0;
  EndingRows ending;
  const auto begin = [&](std::size_t i) {
    last = i;
    ending = {};
    ending.add(spells_[order[i]]);
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    Spell& before = spells_[order[last]];
    const Spell& spell = spells_[order[i]];
    if (i == 0 || spell.history != before.history || spell.start > before.end) {
      begin(i);
    } else if (spell.start == before.end) {
      count("W_TOUCH");
      begin(i);
    } else if (options_->overlap == OverlapPolicy::kMerge) {
      count("W_MERGED");
      merge(before, spell, ending);
      gone[order[i]] = true;
    } else {
      const std::size_t line = std::max(before.line, spell.line);
      first_line = first_line == 0 ? line : std::min(first_line, line);
      if (spell.end > before.end) last = i;
    }
  }
  if (first_line > 0)
    fail_trace(file_, first_line, "E_OVERLAP",
               "two spells of the same host overlap; correct them, or merge them with overlap=merge");
  std::size_t at = 0;
  std::erase_if(spells_, [&](const Spell&) { return gone[at++]; });
}

void SpellList::zone(std::size_t history, const std::string& zone, std::size_t line) {
  const auto [found, fresh] = zones_.emplace(history, zone);
  if (!fresh && found->second != zone)
    fail_trace(file_, line, "E_ZONE",
               fmt::format("the host \"{}\" is in the zone \"{}\" here but in \"{}\" before; a host has one zone, so "
                           "give them different names",
                           echoed(hosts_[history]), echoed(zone), echoed(found->second)));
}

void SpellList::watched(std::size_t history, std::optional<double> t0, std::optional<double> t1) {
  windows_[history] = {t0, t1};
}

std::optional<double> SpellList::begin_of(std::size_t history) const {
  const auto found = windows_.find(history);
  return options_->t0 || found == windows_.end() ? options_->t0 : found->second.first;
}

std::optional<double> SpellList::end_of(std::size_t history) const {
  const auto found = windows_.find(history);
  return options_->t1 || found == windows_.end() ? options_->t1 : found->second.second;
}

std::string SpellList::begin_text(double t0) const { return time_text(options_->t0 ? options_->t0_written : "", t0); }

std::string SpellList::window_problem(const Spell& spell, const WrittenTimes& written) const {
  const auto t0 = begin_of(spell.history);
  const auto t1 = end_of(spell.history);
  if (t1 && spell.start > *t1)
    return fmt::format("it starts at {}, after the end of the recording t1 = {}; give a later t1",
                       time_text(written.start, spell.start), time_text(options_->t1 ? options_->t1_written : "", *t1));
  if (t0 && !spell.open && spell.start <= *t0 && spell.end < *t0)
    return fmt::format("it ends at {}, before the beginning of the recording t0 = {}; give an earlier t0",
                       time_text(written.end, spell.end), begin_text(*t0));
  return "";
}

void SpellList::put_into_window(Spell& spell) const {
  if (const std::string problem = window_problem(spell, {}); !problem.empty()) {
    const auto as_written = window_problems_.find(spell.line);
    fail_trace(file_, spell.line, "E_NEGATIVE", as_written == window_problems_.end() ? problem : as_written->second);
  }
  const auto t0 = begin_of(spell.history);
  const auto t1 = end_of(spell.history);
  if (t1 && spell.end >= *t1) {
    spell.end = *t1;
    spell.observed = false;
  }
  if (t0 && spell.start <= *t0) spell.left_truncated = true;
}

void SpellList::drop_other_hosts() {
  if (options_->host)
    std::erase_if(spells_, [&](const Spell& spell) { return !options_->wants(hosts_[spell.history]); });
}

void SpellList::complement() {
  drop_other_hosts();  // nothing of theirs is checked or counted
  std::vector<Spell> down = std::move(spells_);
  if (options_->population)  // all are in the recording from its beginning to its end
    for (std::size_t history = 0; history < hosts_.size(); ++history)
      windows_.try_emplace(history, std::pair(earliest_, latest_));
  std::sort(down.begin(), down.end(), [](const Spell& a, const Spell& b) {
    return std::tie(a.history, a.start, a.line) < std::tie(b.history, b.start, b.line);
  });
  spells_.clear();
  for (std::size_t i = 0; i < down.size();) {
    const std::size_t history = down[i].history;
    const auto t0 = begin_of(history);
    const auto t1 = end_of(history);
    const auto check = [&](const Spell& spell) {
      if ((t0 && spell.start < *t0) || (t1 && (spell.start > *t1 || (!spell.open && spell.end > *t1))))
        fail_trace(file_, spell.line, "E_NEGATIVE",
                   "the down time is not within the recording; give a t0 and t1 that contain it");
    };
    check(down[i]);
    if (t0 && *t0 < down[i].start) spells_.push_back({history, *t0, down[i].start, true, true, false, down[i].line});
    double back = down[i].end;  // latest time at which the host came back
    bool open = down[i].open;
    for (++i; i < down.size() && down[i].history == history; ++i) {
      check(down[i]);
      if (!open && down[i].start > back) {
        spells_.push_back({history, back, down[i].start, true, false, false, down[i].line});
      } else {
        count("W_MERGED");
      }
      back = std::max(back, down[i].end);
      open = open || down[i].open;
    }
    if (!open && t1 && back < *t1) spells_.push_back({history, back, *t1, false, false, false, down[i - 1].line});
  }
  if (spells_.empty())
    explain("between down times of the same host there is none; give t0= and t1=, when recording began and ended");
  if (options_->population && !options_->host) add_population();
}

void SpellList::add_population() {
  const std::size_t named = hosts_.size();
  if (named > *options_->population)
    fail_trace(file_, 0, "E_COUNT",
               fmt::format("population={}, but the file names {}; give the number of all machines",
                           *options_->population, counted(named, "machine")));
  const double t0 = options_->t0.value_or(earliest_);
  const double t1 = options_->t1.value_or(latest_);
  for (std::size_t i = named; i < *options_->population; ++i) {
    const std::size_t history_number = history(fmt::format("(never failed {})", i + 1 - named));
    windows_.try_emplace(history_number, std::pair(t0, t1));
    spells_.push_back({history_number, t0, t1, false, true, false, 0});
    count("W_POPULATION");
  }
}

void SpellList::count_differing_ends() {
  std::int64_t differing = 0;
  std::size_t first_line = 0;
  for (const Spell& spell : spells_) {
    if (spell.differs == 0 || !spell.observed) continue;
    first_line = differing++ == 0 ? spell.differs : std::min(first_line, spell.differs);
  }
  if (differing > 0) count(fmt::format("W_DIFFER {}", first_line), differing);
}

AvailabilityTrace SpellList::finish() {
  close_open_spells();
  std::size_t others = spells_.size();
  drop_other_hosts();
  others -= spells_.size();
  if (spells_.empty() && others > 0)
    explain(fmt::format("host={} leaves out all {} of other hosts", echoed(*options_->host), counted(others, "spell")));
  bridge_gaps();
  unite_overlaps();
  for (Spell& spell : spells_) put_into_window(spell);
  count_differing_ends();
  RecordCollector collector(*options_, file_);
  collector.explain(reason_);
  if (resolution_ > 0) collector.set_resolution(resolution_);
  for (const auto& [code, times] : warnings_) collector.count(code, times);
  for (const Spell& spell : spells_) {
    const auto zone = zones_.find(spell.history);
    collector.add({hosts_[spell.history], spell.start, rounded_duration(spell), spell.observed, spell.left_truncated,
                   zone == zones_.end() ? std::nullopt : std::optional(zone->second),
                   std::max(spell.entry, begin_of(spell.history).value_or(spell.start) - spell.start)},
                  spell.line);
  }
  return collector.finish();
}

}  // namespace coterie::traces
