#include "traces/readers/fta_nodes.hpp"

#include <fmt/format.h>

#include "traces/readers/availability.hpp"
#include "traces/readers/line_reader.hpp"

namespace coterie::traces {
namespace {

struct NodeColumn {
  enum { kNode = 0, kPlatform = 1, kLocation = 4, kColumns = 5 };
};

}  // namespace

FtaPlaces read_fta_places(const std::string& path) {
  const auto input = open_to_read(path);
  LineReader lines(*input, path);
  FtaPlaces places;
  std::string_view line;
  bool first = true;
  while (lines.next(line)) {
    const auto& words = lines.words(line);
    const bool header = first && words[0] == "node_id";
    first = false;
    if (header) continue;
    if (words.size() < NodeColumn::kColumns)
      lines.fail("E_FIELDS",
                 fmt::format("it has {} fields; a row of node.tab begins with node_id platform_id node_name "
                             "node_ip node_location",
                             words.size()));
    const std::string_view place = words[NodeColumn::kLocation];
    const std::string node = fmt::format("{} {}", words[NodeColumn::kPlatform], words[NodeColumn::kNode]);
    if (!places.emplace(node, place == "NULL" ? std::nullopt : std::optional(std::string(place))).second)
      lines.fail("E_DUPHOST", fmt::format("node {} of platform {} stands twice; one line a node",
                                          words[NodeColumn::kNode], words[NodeColumn::kPlatform]));
  }
  if (places.empty()) fail_trace(path, 0, "E_EMPTY", "it names no node");
  return places;
}

}  // namespace coterie::traces
