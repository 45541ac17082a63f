#include "traces/readers/reading_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "core/errors.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"

namespace coterie::traces {
namespace {

[[noreturn]] void fail_option(const std::string& key, const std::string& value, const std::string& right) {
  throw InputError(fmt::format("option {}={}: it must be {}", key, echoed(value), echoed(right)));
}

TimeUnit unit_of(const std::string& value) {
  const TimeUnit* unit = find_time_unit(value);
  if (unit == nullptr) fail_option("unit", value, "us, ms, s, min, h or d");
  return *unit;
}

std::set<std::string, std::less<>> causes_of(const std::string& key, const std::string& value) {
  std::set<std::string, std::less<>> causes;
  for (const std::string_view word : split(value, ',')) {
    if (trimmed(word).empty()) fail_option(key, value, "words separated by commas");
    causes.insert(lower_case(trimmed(word)));
  }
  return causes;
}

double stamp_of(const std::string& key, const std::string& value, ReadingOptions& options) {
  const auto time = parse_time_stamp(value, options);
  if (!parse_time_stamp(value, options.unit)) options.has_local_bound = true;
  if (!is_calendar_time(value)) options.has_number_bound = true;
  if (!time && options.timezone && is_calendar_time(value))
    throw InputError(fmt::format("option {}: {}", key, time_stamp_problem(echoed(value), options)));
  if (!time)
    fail_option(key, value, "a number in the file's unit, or ISO 8601 with an offset or Z (not needed with timezone=)");
  return *time;
}

template <typename Enum>
Enum choice_of(const std::string& key, const std::string& value,
               const std::vector<std::pair<std::string, Enum>>& choices) {
  std::vector<std::string> words;
  for (const auto& [word, choice] : choices) {
    if (word == value) return choice;
    words.push_back(word);
  }
  fail_option(key, value, quoted_list(words));
}

std::size_t whole_number_of(const std::string& key, const std::string& value, std::int64_t least, std::int64_t most) {
  const auto number = parse_integer(value);
  if (!number || *number < least || *number > most)
    fail_option(key, value, fmt::format("a whole number from {} to {}", least, most));
  return static_cast<std::size_t>(*number);
}

/// One option: its description for users, and what it sets.
struct Setting {
  Parameter parameter;
  std::function<void(ReadingOptions&, const std::string&)> set;
};

/// In the order in which they are applied: the unit and the time zone come before the times that depend on them.
const std::vector<Setting>& settings() {
  using Options = ReadingOptions;
  static const std::vector<Setting> table = {
      {{"unit", "", "s", "us, ms, s, min, h or d", "unit of the file's numbers"},
       [](Options& o, const std::string& v) { o.unit = unit_of(v); }},
      {{"timezone", "", "none", "UTC, Europe/Berlin, ...", "time zone of time stamps without an offset"},
       [](Options& o, const std::string& v) { o.timezone = TimeZone::named(v); }},
      {{"t0", "", "none", "a time stamp of the file", "start of the recording"},
       [](Options& o, const std::string& v) {
         o.t0 = stamp_of("t0", v, o);
         o.t0_written = v;
       }},
      {{"t1", "", "none", "a time stamp of the file", "end of the recording; hosts still up then are censored"},
       [](Options& o, const std::string& v) {
         o.t1 = stamp_of("t1", v, o);
         o.t1_written = v;
       }},
      {{"zero", "", "keep", "keep, drop or error", "what to do with durations of 0"},
       [](Options& o, const std::string& v) {
         o.zero = choice_of<ZeroPolicy>(
             "zero", v, {{"keep", ZeroPolicy::kKeep}, {"drop", ZeroPolicy::kDrop}, {"error", ZeroPolicy::kError}});
       }},
      {{"overlap", "", "error", "error or merge", "what to do when intervals of one host overlap"},
       [](Options& o, const std::string& v) {
         o.overlap = choice_of<OverlapPolicy>("overlap", v,
                                              {{"error", OverlapPolicy::kError}, {"merge", OverlapPolicy::kMerge}});
       }},
      {{"value", "", "1", "1 or 0", "the sample that means available"},
       [](Options& o, const std::string& v) {
         o.available_is_zero = choice_of<int>("value", v, {{"1", 0}, {"0", 1}}) == 1;
       }},
      {{"count", "", "none", "lifo", "samples count instances; slot k is up while the sample is at least k"},
       [](Options& o, const std::string& v) {
         o.count_lifo = choice_of<int>("count", v, {{"lifo", 1}}) == 1;
       }},
      {{"col", "", "time_in_sec", "a column", "the column of durations"},
       [](Options& o, const std::string& v) { o.duration_column = v; }},
      {{"cause", "", "recognised by its name", "a column or none", "the column that says why each spell ended"},
       [](Options& o, const std::string& v) { o.cause_column = v; }},
      {{"name", "", "host, instance, vm, node, ...", "a column", "the column of hosts"},
       [](Options& o, const std::string& v) { o.name_column = v; }},
      {{"start", "", "start, start_time, begin, ...", "a column", "the column of the times at which spells start"},
       [](Options& o, const std::string& v) { o.start_column = v; }},
      {{"end", "", "end, end_time, ...", "a column", "the column of the times at which they end"},
       [](Options& o, const std::string& v) { o.end_column = v; }},
      {{"zones", "", "zone, availability_zone, ...", "a column or none", "the column of the hosts' failure zones"},
       [](Options& o, const std::string& v) { o.zone_column = v; }},
      {{"zone_parts", "", "none", "1, 2, ...", "failure zone: this many leading parts of the host's name (A/B/HOST)"},
       [](Options& o, const std::string& v) { o.zone_parts = whole_number_of("zone_parts", v, 1, 100); }},
      {{"observed", "", "preempted", "CAUSE,CAUSE,...", "causes that count as interruptions"},
       [](Options& o, const std::string& v) { o.observed_causes = causes_of("observed", v); }},
      {{"censored", "", "stop", "CAUSE,CAUSE,...", "causes that only end the observation"},
       [](Options& o, const std::string& v) { o.censored_causes = causes_of("censored", v); }},
      {{"component", "", "all", "an identifier", "only this component of each node"},
       [](Options& o, const std::string& v) { o.component = v; }},
      {{"component_tab", "", "none", "a file", "the archive's table of components"},
       [](Options& o, const std::string& v) { o.component_tab = v; }},
      {{"component_type", "", "none", "a type in that table", "only components of this type"},
       [](Options& o, const std::string& v) { o.component_type = v; }},
      {{"node_tab", "", "none", "a file", "the archive's table of nodes: node_location is the failure zone"},
       [](Options& o, const std::string& v) { o.node_tab = v; }},
      {{"platform_tab", "", "none", "a file", "the archive's table of platforms: platform_name is the failure zone"},
       [](Options& o, const std::string& v) { o.platform_tab = v; }},
      {{"rows", "", "up", "up or down", "whether a row is a time up or a time down"},
       [](Options& o, const std::string& v) {
         o.rows_are_down = choice_of<int>("rows", v, {{"up", 0}, {"down", 1}}) == 1;
       }},
      {{"silent", "", "must be given", "a time with its unit, such as 30d", "a host that is silent for longer is gone"},
       [](Options& o, const std::string& v) { o.silent = parse_seconds(v, "option silent"); }},
      {{"bridge", "", "0", "a time with its unit, such as 5min", "gaps of a host that are no longer are no loss"},
       [](Options& o, const std::string& v) {
         o.bridge = parse_seconds(v, "option bridge", {}, ZeroLength::kAllowed);
       }},
      {{"population", "", "must be given", "1, 2, ...", "machines in all, also those that never failed"},
       [](Options& o, const std::string& v) { o.population = whole_number_of("population", v, 1, 1'000'000); }},
      {{"year", "", "none", "1970 to 9999", "year of the first date, if dates have none"},
       [](Options& o, const std::string& v) { o.year = static_cast<int>(whole_number_of("year", v, 1970, 9999)); }},
      {{"host", "", "all", "NAME or PREFIX*", "only these hosts"},
       [](Options& o, const std::string& v) { o.host = v; }},
  };
  return table;
}

}  // namespace

bool ReadingOptions::names_file(std::string_view key) {
  for (const std::string_view name : {"component_tab", "node_tab", "platform_tab"})
    if (name == key) return true;
  return false;
}

std::vector<Parameter> ReadingOptions::parameters() {
  std::vector<Parameter> list;
  for (const Setting& setting : settings()) list.push_back(setting.parameter);
  return list;
}

ReadingOptions ReadingOptions::parse(const std::vector<std::string>& words) {
  std::map<std::string, std::string> pairs;
  const std::vector<std::string> known = names_of(parameters());
  ReadingOptions options;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw InputError(fmt::format("option \"{}\": write KEY=VALUE", echoed(word)));
    const std::string key = word.substr(0, equals);
    if (key == "zone")
      throw InputError(
          fmt::format("option {}: write timezone=NAME for the clock of time stamps without an offset, or zones=COLUMN "
                      "for the failure zones of hosts (those that are interrupted together)",
                      echoed(word)));
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError(
          fmt::format("option {}: unknown{}; known are {}", echoed(word), suggestion(key, known), quoted_list(known)));
    const std::string value = word.substr(equals + 1);
    if (value.empty()) throw InputError(fmt::format("option {}: the value is missing", echoed(word)));
    if (!pairs.emplace(key, value).second) throw InputError(fmt::format("option {}: given twice", key));
    options.given.push_back(key);
  }
  for (const Setting& setting : settings())
    if (const auto found = pairs.find(setting.parameter.name); found != pairs.end())
      setting.set(options, found->second);

  if (options.t0 && options.t1 && *options.t1 < *options.t0)
    fail_option("t1", pairs["t1"], fmt::format("at least t0 = {}", pairs["t0"]));
  if (options.zone_parts > 0 && (options.zone_column || options.node_tab || options.platform_tab))
    throw InputError(fmt::format("option zone_parts={}: {} already gives the failure zones; leave one out",
                                 options.zone_parts,
                                 options.zone_column ? "zones"
                                 : options.node_tab  ? "node_tab"
                                                     : "platform_tab"));
  if (options.node_tab && options.platform_tab)
    throw InputError("option platform_tab: node_tab already gives the failure zones; leave one out");
  if (options.count_lifo && options.available_is_zero)
    throw InputError("option count=lifo: it counts available instances and cannot be combined with value=0");
  for (const char* list : {"observed", "censored"})
    if (options.cause_column == "none" && options.is_given(list))
      throw InputError(fmt::format("option {}={}: with cause=none every end counts as an interruption; leave one out",
                                   list, echoed(pairs[list])));
  // A word given for one list is removed from the other list's defaults.
  if (!pairs.contains("censored"))
    for (const std::string& cause : options.observed_causes) options.censored_causes.erase(cause);
  if (!pairs.contains("observed"))
    for (const std::string& cause : options.censored_causes) options.observed_causes.erase(cause);
  for (const std::string& cause : options.observed_causes)
    if (options.censored_causes.contains(cause))
      throw InputError(fmt::format("option censored: \"{}\" is also among the observed causes", echoed(cause)));
  return options;
}

void ReadingOptions::allow_only(const std::string& format, const std::vector<std::string>& known) const {
  for (const std::string& key : given)
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw InputError(fmt::format("option {}: the format {} does not take it{}; it takes {}", key, format,
                                   suggestion(key, known), quoted_list(known)));
}

bool ReadingOptions::is_given(std::string_view key) const {
  return std::find(given.begin(), given.end(), key) != given.end();
}

bool ReadingOptions::wants(std::string_view host_name) const {
  if (!host) return true;
  if (host->back() == '*') return host_name.starts_with(std::string_view(*host).substr(0, host->size() - 1));
  return host_name == *host;
}

}  // namespace coterie::traces
