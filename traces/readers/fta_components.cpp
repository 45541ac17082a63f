#include "traces/readers/fta_components.hpp"

#include <fmt/format.h>

#include <fstream>

#include "core/errors.hpp"
#include "traces/readers/availability.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::traces {
namespace {

struct ComponentColumn {
  enum { kComponent = 0, kNode = 1, kPlatform = 2, kType = 5, kStart = 6, kEnd = 7, kResolution = 8, kColumns = 9 };
};

std::optional<double> component_time(const LineReader& lines, std::string_view word) {
  if (word == "NULL") return std::nullopt;
  const auto time = to_seconds(word, {});
  if (!time) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number of seconds; write one, or NULL", word));
  return time;
}

}  // namespace

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

}  // namespace coterie::traces
