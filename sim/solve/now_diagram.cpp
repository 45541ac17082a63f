#include "sim/solve/now_diagram.hpp"

#include <fmt/format.h>

namespace coterie::sim {

TimingDiagram now_diagram(const heuristics::Now<double>& now, const heuristics::NowOrders& orders,
                          const std::vector<double>& shares, double lifespan, const std::string& title) {
  TimingRow out{"master sends", {}, {}};
  TimingRow back{"master receives", {}, {}};
  std::vector<TimingRow> workers;
  for (std::size_t i = 0; i < now.workers.size(); ++i)
    workers.push_back({fmt::format("P{}: {:.4g}", i + 1, shares[i]), {}, {}});

  // A message of p packets takes lambda + (p - 1) tau.
  const double first_packet = now.latency - now.transit;
  double time = 0;
  const auto step = [&time](double length, BarKind kind, std::vector<TimingRow*> rows, const std::string& label) {
    for (TimingRow* row : rows) row->bars.push_back({time, time + length, kind, row == rows.front() ? label : ""});
    time += length;
  };
  for (const std::size_t i : orders.start) {
    const auto& worker = now.workers[i];
    const std::string name = fmt::format("P{}", i + 1);
    step(now.packaging * shares[i], BarKind::kPackaging, {&out}, name);
    step(worker.setup_to, BarKind::kSetUp, {&out, &workers[i]}, name);
    step(first_packet + now.transit * shares[i], BarKind::kSend, {&out, &workers[i]}, name);
    const double sent = time;
    step(worker.unpackaging * shares[i], BarKind::kPackaging, {&workers[i]}, "");
    step(worker.work_time * shares[i], BarKind::kCompute, {&workers[i]}, "");
    step(worker.packaging * now.delta * shares[i], BarKind::kPackaging, {&workers[i]}, "");
    time = sent;
  }

  time = lifespan;
  for (const std::size_t i : orders.finish)
    time -= now.workers[i].setup_from + first_packet + now.transit * now.delta * shares[i];
  for (const std::size_t i : orders.finish) {
    const std::string name = fmt::format("P{}", i + 1);
    step(now.workers[i].setup_from, BarKind::kSetUp, {&back, &workers[i]}, name);
    step(first_packet + now.transit * now.delta * shares[i], BarKind::kReturn, {&back, &workers[i]}, name);
  }
  TimingDiagram diagram{title, "next to each workstation: its units of work", lifespan, {out, back}};
  diagram.rows.insert(diagram.rows.end(), workers.begin(), workers.end());
  return diagram;
}

}  // namespace coterie::sim
