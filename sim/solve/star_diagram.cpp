#include "sim/solve/star_diagram.hpp"

#include <fmt/format.h>

#include "heuristics/return_messages/interrupted_returns.hpp"

namespace coterie::sim {

TimingDiagram star_diagram(const heuristics::StarPlatform<double>& platform,
                           const heuristics::StarSharing<double>& sharing, heuristics::Ports ports, double lifespan,
                           const std::string& title) {
  TimingDiagram diagram{title, "next to each worker: its load; messages return as late as possible", lifespan, {}};
  TimingRow sends{ports == heuristics::Ports::kOne ? "master's port" : "master sends", {}, {}};
  TimingRow receives{"master receives", {}, {}};
  std::vector<TimingRow> workers;
  for (std::size_t i = 0; i < platform.size(); ++i)
    workers.push_back({fmt::format("P{}: {:.4g}", i + 1, lifespan * sharing.shares[i]), {}, {}});

  double now = 0;
  for (const std::size_t i : sharing.scenario.send_order) {
    const double load = lifespan * sharing.shares[i];
    const double sent = now + platform[i].send_time * load;
    sends.bars.push_back({now, sent, BarKind::kSend, fmt::format("P{}", i + 1)});
    workers[i].bars.push_back({now, sent, BarKind::kSend, ""});
    workers[i].bars.push_back({sent, sent + platform[i].compute_time * load, BarKind::kCompute, ""});
    now = sent;
  }
  const std::vector<double> returned = heuristics::return_times(platform, sharing, lifespan);
  for (const std::size_t i : sharing.scenario.return_order) {
    const double begin = returned[i] - platform[i].return_time * lifespan * sharing.shares[i];
    receives.bars.push_back({begin, returned[i], BarKind::kReturn, fmt::format("P{}", i + 1)});
    workers[i].bars.push_back({begin, returned[i], BarKind::kReturn, ""});
  }

  if (ports == heuristics::Ports::kOne) {
    sends.bars.insert(sends.bars.end(), receives.bars.begin(), receives.bars.end());
    diagram.rows = {sends};
  } else {
    diagram.rows = {sends, receives};
  }
  diagram.rows.insert(diagram.rows.end(), workers.begin(), workers.end());
  return diagram;
}

}  // namespace coterie::sim
