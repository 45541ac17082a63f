#include "traces/readers/fta_nodes.hpp"

#include <fmt/format.h>

#include <vector>

#include "traces/readers/availability.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {
namespace {

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

}  // namespace

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

}  // namespace coterie::traces
