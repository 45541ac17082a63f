#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/drawing/schedule_view.hpp"

namespace coterie::sim {

/// What the files of a static plan say besides its lists.
struct ListsExport {
  std::string name = "plan";  ///< of the file, without its ending
  bool has_unit = true;       ///< whether lengths are in seconds
  bool returns = false;       ///< whether the plan expects machines to come back
};

/// The formats of exported lists, by the ending of the file name: ".csv", ".json", ".sbatch", ".sub", ".svg".
const std::vector<std::string>& export_kinds();
/// Whether the name, which has no ending, is that of a folder for a queue. Throws InputError for any other ending.
bool names_export_folder(const std::string& path);

/// What each machine runs: {"chunks": [{"chunk", "begin", "end"}, ...], "machines": [{"machine", "chunks", "finish"},
/// ...]}, with all lengths times `scale`; also pieces of the work that are in no list.
nlohmann::ordered_json lists_json(const Schedule& schedule, double scale);

/// The schedule, in seconds or bare numbers, in that format. Chunks begin and end at whole seconds (bare numbers have
/// 12 digits), but for the picture.
std::string exported_lists(const ScheduleView& schedule, const ListsExport& plan, const std::string& kind);

}  // namespace coterie::sim
