#include "sim/drawing/log_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace coterie::sim {

TimingDiagram log_diagram(const nlohmann::ordered_json& log, std::size_t workers, const std::string& title) {
  TimingDiagram diagram{title, "after each worker: the time of its interruption, if it was seen", 0, {}};
  for (std::size_t w = 0; w < workers; ++w) diagram.rows.push_back({fmt::format("worker {}", w), {}, {}});
  std::vector<double> begun(workers);
  for (const auto& event : log) {
    const auto worker = event["worker"].get<std::size_t>();
    const auto time = event["time"].get<double>();
    const auto what = event["event"].get<std::string>();
    TimingRow& row = diagram.rows.at(worker);
    diagram.end = std::max(diagram.end, time);
    if (what == "begins") begun[worker] = time;
    if (what == "is interrupted") row.name += fmt::format(": {:.4g}", time);
    if (what != "ends" && what != "drops" && !(what == "is interrupted" && event.contains("first_chunk"))) continue;
    const auto first = event["first_chunk"].get<std::size_t>();
    const auto chunks = event["chunks"].get<std::size_t>();
    row.bars.push_back(
        {begun[worker], time,
         event.contains("new_work") && event["new_work"].get<double>() > 0 ? BarKind::kCompute : BarKind::kWasted,
         chunks == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + chunks - 1)});
  }
  return diagram;
}

}  // namespace coterie::sim
