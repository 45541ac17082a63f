/// Failure Trace Archive, event_trace.tab: nine columns, one row per spell of unavailability (0) or availability (1). A
/// spell of availability is observed iff unavailability starts exactly at its end, and left-truncated unless one ends
/// exactly at its start. Each (platform, node, component) has its own history; component=ID reads one component only.
/// Errors: E_FIELDS E_NUMBER E_EVENT E_NEGATIVE E_OVERLAP E_EMPTY.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

/// One row of component.tab: what a component is, and when it was observed. Times are UNIX seconds.
struct FtaComponent {
  std::string type;
  std::optional<double> trace_start;
  std::optional<double> trace_end;
  std::optional<double> resolution;  ///< seconds between two observations
};

/// By "platform node component", with the identifiers as written in the file.
using FtaComponents = std::map<std::string, FtaComponent, std::less<>>;

struct ComponentColumn {
  enum { kComponent = 0, kNode = 1, kPlatform = 2, kType = 5, kStart = 6, kEnd = 7, kResolution = 8, kColumns = 9 };
};

std::optional<double> component_time(const LineReader& lines, std::string_view word) {
  if (word == "NULL") return std::nullopt;
  const auto time = to_seconds(word, {});
  if (!time) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number of seconds; write one, or NULL", word));
  return time;
}

/// Reads component.tab of the Failure Trace Archive: component_id node_id platform_id creator_id node_name
/// component_type trace_start trace_end resolution, separated by blanks; NULL means that a time is not known. Throws
/// InputError (E_FIELDS, E_NUMBER, E_NEGATIVE, E_DUPHOST, E_EMPTY) with the place in that file, RuntimeError if it
/// cannot be read.
FtaComponents read_fta_components(const std::string& path) {
  const auto input = open_to_read(path);
  LineReader lines(*input, path);
  FtaComponents components;
  std::string_view line;
  bool first = true;
  while (lines.next(line)) {
    const auto& words = lines.words(line);
    const bool header = first && words[0] == "component_id";
    first = false;
    if (header) continue;
    lines.expect_fields(words.size(), ComponentColumn::kColumns,
                        "component_id node_id platform_id creator_id node_name component_type trace_start trace_end "
                        "resolution");
    FtaComponent component{std::string(words[ComponentColumn::kType]),
                           component_time(lines, words[ComponentColumn::kStart]),
                           component_time(lines, words[ComponentColumn::kEnd]),
                           component_time(lines, words[ComponentColumn::kResolution])};
    if (component.trace_start && component.trace_end && *component.trace_end < *component.trace_start)
      lines.fail("E_NEGATIVE", fmt::format("its trace ends at {}, before it starts at {}", words[ComponentColumn::kEnd],
                                           words[ComponentColumn::kStart]));
    if (component.resolution && *component.resolution < 0)
      lines.fail("E_NEGATIVE", fmt::format("the resolution {} is negative", words[ComponentColumn::kResolution]));
    const std::string key = fmt::format("{} {} {}", words[ComponentColumn::kPlatform], words[ComponentColumn::kNode],
                                        words[ComponentColumn::kComponent]);
    if (!components.emplace(key, std::move(component)).second)
      lines.fail("E_DUPHOST", fmt::format("component {} of node {} occurs twice; write one line per component",
                                          words[ComponentColumn::kComponent], words[ComponentColumn::kNode]));
  }
  if (components.empty()) fail_trace(path, 0, "E_EMPTY", "the file lists no component");
  return components;
}

/// Failure zones by identifier, as written in the file; nothing if the file has NULL.
using FtaPlaces = std::map<std::string, std::optional<std::string>, std::less<>>;

struct NodeColumn {
  enum { kNode = 0, kPlatform = 1, kLocation = 4, kColumns = 5 };
};

struct PlatformColumn {
  enum { kPlatform = 0, kName = 1, kColumns = 5 };
};

/// Reads a table row by row; `header`: the first word of a first line that names the columns.
template <class Add>
FtaPlaces read_table(const std::string& path, std::string_view header, const char* nothing, const Add& add) {
  const auto input = open_to_read(path);
  LineReader lines(*input, path);
  FtaPlaces places;
  std::string_view line;
  bool first = true;
  while (lines.next(line)) {
    const Words& words = lines.words(line);
    const bool is_header = first && words[0] == header;
    first = false;
    if (!is_header) add(lines, words, places);
  }
  if (places.empty()) fail_trace(path, 0, "E_EMPTY", nothing);
  return places;
}

bool put(FtaPlaces& places, std::string id, std::string_view name) {
  return places.emplace(std::move(id), name == "NULL" ? std::nullopt : std::optional(std::string(name))).second;
}

/// Where nodes are (node_location), by "platform node", from node.tab: node_id platform_id node_name node_ip
/// node_location and columns that are not used.
FtaPlaces read_fta_places(const std::string& path) {
  return read_table(
      path, "node_id", "the file lists no node", [](const LineReader& lines, const Words& words, FtaPlaces& places) {
        if (words.size() < NodeColumn::kColumns)
          lines.fail("E_FIELDS", fmt::format("the row has {} fields; a row of node.tab begins with node_id platform_id "
                                             "node_name node_ip node_location",
                                             words.size()));
        if (!put(places, fmt::format("{} {}", words[NodeColumn::kPlatform], words[NodeColumn::kNode]),
                 words[NodeColumn::kLocation]))
          lines.fail("E_DUPHOST", fmt::format("node {} of platform {} occurs twice; write one line per node",
                                              words[NodeColumn::kNode], words[NodeColumn::kPlatform]));
      });
}

/// The names of platforms, from platform.tab: platform_id platform_name platform_location platform_type notes.
FtaPlaces read_fta_platforms(const std::string& path) {
  return read_table(path, "platform_id", "the file lists no platform",
                    [](const LineReader& lines, const Words& words, FtaPlaces& places) {
                      lines.expect_fields(words.size(), PlatformColumn::kColumns,
                                          "platform_id platform_name platform_location platform_type notes");
                      if (!put(places, std::string(words[PlatformColumn::kPlatform]), words[PlatformColumn::kName]))
                        lines.fail("E_DUPHOST", fmt::format("platform {} occurs twice; write one line per platform",
                                                            words[PlatformColumn::kPlatform]));
                    });
}

constexpr std::int64_t kUnavailable = 0;
constexpr std::int64_t kAvailable = 1;
constexpr std::int64_t kLastReservedType = 10000;

/// The columns of event_trace.tab that matter.
struct EventColumn {
  enum { kComponent = 1, kNode = 2, kPlatform = 3, kName = 4, kType = 5, kStart = 6, kStop = 7, kColumns = 9 };
};

struct Row {
  std::size_t history = 0;
  bool available = false;
  double start = 0;
  double stop = 0;
  std::size_t line = 0;
};

double event_time(const LineReader& lines, std::string_view word) {
  const auto time = to_seconds(word, {});
  if (!time) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a UNIX time in seconds", word));
  return *time;
}

/// Availability, unavailability, or nothing for a user-defined type.
std::optional<bool> availability_of(const LineReader& lines, std::string_view word) {
  const auto type = parse_integer(word);
  if (!type) lines.fail("E_NUMBER", fmt::format("the event type \"{}\" is not a whole number", word));
  if (*type > kLastReservedType) return std::nullopt;
  if (*type != kUnavailable && *type != kAvailable)
    lines.fail("E_EVENT", fmt::format("event type {} is reserved and has no meaning; it must be 0 (unavailable), 1 "
                                      "(available) or more than {}",
                                      *type, kLastReservedType));
  return *type == kAvailable;
}

/// What component.tab says about the components that are read; without that file nothing is known about any.
class ComponentTable {
 public:
  explicit ComponentTable(const ReadingOptions& options) : options_(&options) {
    if (options.component_type && !options.component_tab)
      throw InputError("option component_type: the types are in component.tab; give component_tab=FILE too");
    if (options.component_tab) components_ = read_fta_components(*options.component_tab);
  }

  /// Is the component to be read? Tells `spells` when and how often it was observed.
  bool admits(const LineReader& lines, const std::string& key, const std::string& node, SpellList& spells) const {
    if (!options_->component_tab) return true;
    const auto found = components_.find(key);
    if (found == components_.end())
      lines.fail("E_COMPONENT", fmt::format("the component (platform, node, component) = ({}) is not in {}; add it "
                                            "there",
                                            echoed(key), *options_->component_tab));
    const FtaComponent& component = found->second;
    if (options_->component_type && component.type != *options_->component_type) return false;
    spells.watched(spells.history(key, node), component.trace_start, component.trace_end);
    if (component.resolution && *component.resolution > 0) spells.resolution(*component.resolution);
    return true;
  }

 private:
  const ReadingOptions* options_;
  FtaComponents components_;
};

/// The zone of a row is the location of its node, or its platform; NULL: not known.
class Zones {
 public:
  explicit Zones(const ReadingOptions& options) : by_node_(options.node_tab) {
    if (options.node_tab) places_ = read_fta_places(*options.node_tab);
    if (options.platform_tab) places_ = read_fta_platforms(*options.platform_tab);
  }

  void set(const LineReader& lines, const std::vector<std::string_view>& words, std::size_t history,
           SpellList& spells) const {
    if (!places_) return;
    std::string id(words[EventColumn::kPlatform]);
    if (by_node_) id += fmt::format(" {}", words[EventColumn::kNode]);
    const auto found = places_->find(id);
    if (found == places_->end())
      lines.fail("E_ZONE",
                 by_node_ ? fmt::format("the node (platform, node) = ({}) is not in node_tab; add it there", echoed(id))
                          : fmt::format("the platform {} is not in platform_tab; add it there", echoed(id)));
    if (found->second) {
      spells.zone(history, *found->second, lines.line());
    } else {
      spells.count("W_NOZONE");
    }
  }

 private:
  bool by_node_;
  std::optional<FtaPlaces> places_;
};

/// All rows that count, grouped by history and in time order.
std::vector<Row> read_rows(LineReader& lines, SpellList& spells, const ReadingOptions& options) {
  const ComponentTable components(options);
  const Zones zones(options);
  std::vector<Row> rows;
  std::string_view line;
  bool first = true;
  while (lines.next(line)) {
    const auto& words = lines.words(line);
    const bool header = first && words[0] == "event_id";
    first = false;
    if (header) continue;
    lines.expect_fields(words.size(), EventColumn::kColumns,
                        "event_id component_id node_id platform_id node_name event_type "
                        "event_start_time event_stop_time event_end_reason");
    const std::string node(words[EventColumn::kName]);
    if (!options.wants(node)) continue;
    const auto available = availability_of(lines, words[EventColumn::kType]);
    if (!available) {
      spells.count("W_OTHERTYPE");
      continue;
    }
    Row row;
    row.available = *available;
    row.line = lines.line();
    row.start = event_time(lines, words[EventColumn::kStart]);
    row.stop = event_time(lines, words[EventColumn::kStop]);
    if (row.stop < row.start)
      lines.fail("E_NEGATIVE", fmt::format("it stops at {}, before it starts at {}", words[EventColumn::kStop],
                                           words[EventColumn::kStart]));
    if (options.component && words[EventColumn::kComponent] != *options.component) continue;
    const std::string key = fmt::format("{} {} {}", words[EventColumn::kPlatform], words[EventColumn::kNode],
                                        words[EventColumn::kComponent]);
    if (!components.admits(lines, key, node, spells)) continue;
    row.history = spells.history(key, node);
    zones.set(lines, words, row.history, spells);
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.history, a.start, a.stop, a.line) < std::tie(b.history, b.start, b.stop, b.line);
  });
  return rows;
}

/// Joins rows of equal type that touch or, if the policy allows it, overlap. Throws E_OVERLAP.
std::vector<Row> join(std::vector<Row> rows, const std::string& file, SpellList& spells, OverlapPolicy policy) {
  std::vector<Row> joined;
  for (const Row& row : rows) {
    const bool follows = !joined.empty() && joined.back().history == row.history;
    if (!follows || row.start > joined.back().stop ||
        (row.start == joined.back().stop && row.available != joined.back().available)) {
      joined.push_back(row);
      continue;
    }
    Row& before = joined.back();
    const bool overlap = row.start < before.stop;
    if (overlap && (policy == OverlapPolicy::kError || row.available != before.available))
      fail_trace(file, std::max(row.line, before.line), "E_OVERLAP",
                 fmt::format("it overlaps line {}, a row of the same component; correct one of them",
                             std::min(row.line, before.line)));
    spells.count(overlap ? "W_MERGED" : "W_JOINED");
    before.stop = std::max(before.stop, row.stop);
    before.line = std::max(before.line, row.line);
  }
  return joined;
}

AvailabilityTrace read_fta(std::istream& input, const std::string& file, const ReadingOptions& options) {
  LineReader lines(input, file);
  SpellList spells(options, file);
  const std::vector<Row> rows = join(read_rows(lines, spells, options), file, spells, options.overlap);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (!row.available) continue;
    const Row* before = i > 0 && rows[i - 1].history == row.history ? &rows[i - 1] : nullptr;
    const Row* after = i + 1 < rows.size() && rows[i + 1].history == row.history ? &rows[i + 1] : nullptr;
    // After joining, a row that touches has the other type.
    Spell spell{row.history, row.start, row.stop, true, false, false, row.line};
    spell.observed = after != nullptr && after->start == row.stop;
    spell.left_truncated = before == nullptr || before->stop != row.start;
    if (after != nullptr && !spell.observed) spells.count("W_GAP");
    spells.add(spell);
  }
  return spells.finish();
}

bool accepts_fta(std::string_view line, bool first, const ReadingOptions&) {
  const Words words = words_of(line);
  if (first && !words.empty() && words[0] == "event_id") return true;
  return words.size() == 9 && parse_integer(words[5]) && parse_number(words[6]) && parse_number(words[7]);
}

}  // namespace

std::vector<TraceFormat> fta_formats() {
  return {{"fta",
           "Failure Trace Archive: event_trace.tab, nine columns, seconds",
           {"t0", "t1", "zero", "overlap", "bridge", "component", "component_tab", "component_type", "node_tab",
            "platform_tab", "host", "zone_parts"},
           read_fta,
           accepts_fta}};
}

}  // namespace coterie::traces
