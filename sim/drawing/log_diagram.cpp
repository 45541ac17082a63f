#include "sim/drawing/log_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace coterie::sim {

TimingDiagram log_diagram(const nlohmann::ordered_json& log, std::size_t workers, const std::string& title) {
  TimingDiagram diagram{
      title, "after each worker: the time of its interruption, or how many there were, if seen", 0, {}};
  for (std::size_t w = 0; w < workers; ++w) diagram.rows.push_back({fmt::format("worker {}", w), {}, {}});
  std::vector<double> begun(workers);
  std::vector<std::vector<double>> interruptions(workers);
  for (const auto& event : log) {
    const auto worker = event["worker"].get<std::size_t>();
    const auto time = event["time"].get<double>();
    const auto what = event["event"].get<std::string>();
    TimingRow& row = diagram.rows.at(worker);
    diagram.end = std::max(diagram.end, time);
    if (what == "begins") begun[worker] = time;
    if (what == "is interrupted") interruptions[worker].push_back(time);
    if (what != "ends" && what != "drops" && !(what == "is interrupted" && event.contains("first_chunk"))) continue;
    const auto first = event["first_chunk"].get<std::size_t>();
    const auto chunks = event["chunks"].get<std::size_t>();
    row.bars.push_back(
        {begun[worker], time,
         event.contains("new_work") && event["new_work"].get<double>() > 0 ? BarKind::kCompute : BarKind::kWasted,
         chunks == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + chunks - 1)});
  }
  for (std::size_t w = 0; w < workers; ++w) {
    const std::vector<double>& seen = interruptions[w];
    if (seen.size() == 1) diagram.rows[w].name += fmt::format(": {:.4g}", seen.front());
    if (seen.size() > 1) diagram.rows[w].name += fmt::format(": {} interruptions", seen.size());
  }
  return diagram;
}

}  // namespace coterie::sim
