#include "traces/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "core/printable.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/reading_options.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::traces {
namespace {

/// Spells of length zero come before others that begin then.
void sort_by_begin(std::vector<Recording::UpTime>& times) {
  std::stable_sort(times.begin(), times.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end > a.begin) < std::pair(b.begin, b.end > b.begin);
  });
}

}  // namespace

Recording Recording::of_hosts(const AvailabilityTrace& trace) {
  Recording recording;
  std::unordered_map<std::string, std::size_t> numbers;
  std::vector<std::string> names;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.host || !record.start)
      throw InputError(
          fmt::format("a spell has no {}: a recording needs hosts and times", record.host ? "start" : "host"));
    const auto [found, is_new] = numbers.emplace(*record.host, recording.machines.size());
    if (is_new) {
      names.push_back(*record.host);
      recording.machines.emplace_back();
    }
    recording.machines[found->second].push_back({*record.start, *record.start + record.duration});
  }
  if (recording.machines.empty()) throw InputError("there are no spells");
  recording.begin = recording.machines.front().front().begin;
  recording.end = recording.begin;
  for (std::size_t h = 0; h < recording.machines.size(); ++h) {
    std::vector<UpTime>& times = recording.machines[h];
    sort_by_begin(times);
    for (std::size_t i = 0; i < times.size(); ++i) {
      if (i > 0 && times[i].begin < times[i - 1].end)
        throw InputError(fmt::format("the host {} is up twice at the same time; a recording needs one history per host",
                                     echoed(names[h])));
      recording.begin = std::min(recording.begin, times[i].begin);
      recording.end = std::max(recording.end, times[i].end);
    }
  }
  return recording;
}

Recording Recording::in_slots() const {
  std::vector<UpTime> all;
  for (const auto& times : machines) all.insert(all.end(), times.begin(), times.end());
  sort_by_begin(all);
  Recording slots{{}, begin, end};
  std::set<std::pair<double, std::size_t>> ends;  // of the last spell of each slot
  for (const UpTime& one : all) {
    std::size_t slot = slots.machines.size();
    if (!ends.empty() && ends.begin()->first <= one.begin)
      slot = ends.extract(ends.begin()).value().second;
    else
      slots.machines.emplace_back();
    slots.machines[slot].push_back(one);
    ends.emplace(one.end, slot);
  }
  return slots;
}

const std::vector<Parameter>& recording_parameters() {
  static const std::vector<Parameter> table = [] {
    std::vector<Parameter> rows = {
        {"trace", "", "", "", "path of a trace with hosts and times, relative to the campaign file"},
        {"format", "", "recognised from the content", "see coterie list formats", "format of the file"},
        {"machines", "", "hosts", "hosts or slots",
         "what counts as a machine: a host, or a slot that one host after another fills"},
    };
    for (const Parameter& option : ReadingOptions::parameters()) rows.push_back(option);
    return rows;
  }();
  return table;
}

NamedRecording read_recording(const Expression& expression, const std::string& directory) {
  const std::string file = expression.word("trace");
  const std::string format = expression.word("format", "");
  const std::string machines = expression.word("machines", "hosts");
  if (machines != "hosts" && machines != "slots")
    throw InputError(expression.place(), fmt::format("machines must be hosts or slots, not \"{}\"", echoed(machines)));
  const std::string path = resolved(file, directory, expression.place());
  NamedRecording result;
  const auto checksum = [&](const std::string& written, const std::string& where) {
    result.checksums.emplace_back(written, file_checksum(where));
    return result.checksums.back().second;
  };
  result.canonical = "crc64=" + checksum(file, path);
  if (!format.empty()) result.canonical += ", format=" + format;
  result.canonical += ", machines=" + machines;
  std::vector<std::string> words;
  for (const Parameter& option : ReadingOptions::parameters()) {
    if (!expression.has(option.name)) continue;
    const std::string& value = expression.word(option.name);
    words.push_back(option.name + "=" + (ReadingOptions::names_file(option.name) ? resolved(value, directory) : value));
    result.canonical += ReadingOptions::names_file(option.name)
                            ? fmt::format(", {}_crc64={}", option.name, checksum(value, resolved(value, directory)))
                            : fmt::format(", {}={}", option.name, quoted_if_needed(value));
  }
  const AvailabilityTrace trace = read_trace(path, format, words);
  result.warnings = trace.warnings;
  try {
    result.recording = Recording::of_hosts(trace);
  } catch (const InputError& error) {
    throw InputError(expression.place(), fmt::format("{}: {}", echoed(file), error.what()));
  }
  if (machines == "slots") result.recording = result.recording.in_slots();
  return result;
}

}  // namespace coterie::traces
