#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "traces/readers/availability.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// Collects finished records, applies the policies that all formats share (host filter, zones by name, zero) and
/// counts.
class RecordCollector {
 public:
  RecordCollector(const ReadingOptions& options, std::string file);

  /// `line`: where a rejected record is reported (E_ZERO, E_ZONE; E_RANGE by finish).
  void add(AvailabilityRecord record, std::size_t line);
  void count(const std::string& warning, std::int64_t times = 1) { trace_.warnings[warning] += times; }
  void set_resolution(double seconds) { trace_.resolution = seconds; }
  /// What to say if no spell is left: "the host never goes down".
  void explain(const std::string& reason) { reason_ = reason; }
  /// Throws E_EMPTY if nothing is left, and says why; E_RANGE if a time is beyond 1e100 s.
  AvailabilityTrace finish();

 private:
  std::string why_empty() const;

  const ReadingOptions* options_;
  std::string file_;
  std::optional<std::pair<std::size_t, std::string>> too_large_;  ///< line and problem of the first such spell
  std::string reason_;
  std::size_t other_hosts_ = 0;
  AvailabilityTrace trace_;
};

/// A spell of availability with its place in time, in seconds.
struct Spell {
  std::size_t history = 0;  ///< from SpellList::history
  double start = 0;
  double end = 0;
  bool observed = true;
  bool left_truncated = false;
  bool open = false;        ///< still up at the end of the file, which does not say when it ends
  std::size_t line = 0;     ///< for messages
  bool fresh = false;       ///< a new life, whatever the gap before it: bridge= does not join them
  std::size_t differs = 0;  ///< merged from rows that end then, not all by an interruption: the line that shows it
  double entry = 0;         ///< at risk only from this age on, as the file says
};

/// The start and the end of a spell as the file writes them, for messages; "" where only the seconds are known.
struct WrittenTimes {
  std::string_view start;
  std::string_view end;
};

/// The spells of many hosts. Each history (one host, or one component of one) is checked for overlaps and touching
/// spells and put into the recording window [t0, t1]:
/// - a spell that reaches t1 is right-censored and cut there; one that is running at t0 is left-truncated;
/// - an open spell is censored at t1, or at the latest time of the file if no t1 is given (not if it is merged with one
///   that ends interrupted just then);
/// - gaps within a history that are no longer than bridge= are bridged.
class SpellList {
 public:
  SpellList(const ReadingOptions& options, std::string file) : options_(&options), file_(std::move(file)) {}

  /// The number of the history `key`, which belongs to `host`.
  std::size_t history(const std::string& key, const std::string& host);
  std::size_t history(const std::string& host) { return history(host, host); }
  bool knows(const std::string& key) const { return numbers_.contains(key); }

  /// Spells may come in any order. Throws E_NEGATIVE if a spell ends before it starts, whatever the window is.
  void add(const Spell& spell, const WrittenTimes& written = {});
  /// Records a time that occurs in the file but is not the start or end of a spell.
  void saw(double time) {
    earliest_ = std::min(earliest_, time);
    latest_ = std::max(latest_, time);
  }
  void count(const std::string& warning, std::int64_t times = 1) { warnings_[warning] += times; }
  void explain(const std::string& reason) { reason_ = reason; }
  /// Sets the failure zone of a history's host. Throws E_ZONE if it already has another.
  void zone(std::size_t history, const std::string& zone, std::size_t line);
  /// The recording window that the file itself gives for a history; the options t0 and t1 override it.
  void watched(std::size_t history, std::optional<double> t0, std::optional<double> t1);
  /// Seconds between two observations of a history; the coarsest counts for the trace.
  void resolution(double seconds) { resolution_ = std::max(resolution_, seconds); }

  /// Treats the spells as down times and replaces them by the times between them, per history, with overlapping down
  /// times merged. Time before the first and after the last counts only if the window has a known bound there.
  /// With population=, hosts that were never down were up throughout.
  void complement();

  /// Applies everything above; records come in the order of add(). Throws E_OVERLAP, E_NEGATIVE (outside the window),
  /// E_EMPTY, E_ZERO.
  AvailabilityTrace finish();

 private:
  void close_open_spells();
  void drop_other_hosts();
  /// The places of the spells, by history, then by start and end.
  std::vector<std::size_t> in_time() const;
  void bridge_gaps();
  void add_population();
  void unite_overlaps();
  /// Why the spell is not within the recording window; "" if it is.
  std::string window_problem(const Spell& spell, const WrittenTimes& written) const;
  void put_into_window(Spell& spell) const;
  /// Of merged rows that end at the same time; not where the spell is cut at the end of the recording.
  void count_differing_ends();
  std::string begin_text(double t0) const;
  /// The bounds of a history's recording.
  std::optional<double> begin_of(std::size_t history) const;
  std::optional<double> end_of(std::size_t history) const;

  const ReadingOptions* options_;
  std::string file_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::string> hosts_;
  std::unordered_map<std::size_t, std::string> zones_;  // by history
  std::vector<Spell> spells_;
  std::unordered_map<std::size_t, std::string> window_problems_;  // by line, with the times as written
  std::map<std::string, std::int64_t> warnings_;
  std::unordered_map<std::size_t, std::pair<std::optional<double>, std::optional<double>>> windows_;
  double earliest_ = 1e308;
  double latest_ = -1e308;
  std::string reason_;
  double resolution_ = 0;
};

}  // namespace coterie::traces
