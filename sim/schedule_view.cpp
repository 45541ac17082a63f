#include "sim/schedule_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "heuristics/group_schedule.hpp"

namespace coterie::sim {
namespace {

using heuristics::Coterie;

bool has_chart(const Coterie& coterie) { return coterie.chunking.count() % coterie.workers == 0; }

nlohmann::ordered_json chart_json(const Coterie& coterie) {
  if (!has_chart(coterie)) return nullptr;
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < coterie.chart.executions; ++i) {
    nlohmann::ordered_json row = nlohmann::ordered_json::array();
    for (std::size_t j = 0; j < coterie.chart.groups; ++j) row.push_back(coterie.chart.at(i, j));
    rows.push_back(row);
  }
  return rows;
}

template <typename Function>
void for_each_task(const Schedule& schedule, const Function& function) {
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (std::size_t k = 0; k < schedule.tasks(w).tasks.size(); ++k) {
      const Task& task = schedule.tasks(w).tasks[k];
      function(w, k + 1, task.first_piece, schedule.boundaries()[task.first_piece],
               schedule.boundaries()[task.first_piece + std::size_t{task.pieces}], schedule.tasks(w).finish[k]);
    }
}

/// The most that any arrangement of as many replicas in as many chunks can expect; null for other schedules.
nlohmann::ordered_json bound_json(const ScheduleView& view) {
  if (view.plan.coteries.empty()) return nullptr;
  double bound = 0;
  for (const Coterie& coterie : view.plan.coteries) {
    const heuristics::SliceObjective objective(coterie.workers, coterie.slice_end - coterie.slice_begin,
                                               view.problem.startup_cost, *view.problem.risk, heuristics::cyclic_chart);
    bound += objective.upper_bound(coterie.chunking.count(), coterie.chunking.count());
  }
  return std::max(bound, view.plan.expected_work);
}

}  // namespace

nlohmann::ordered_json schedule_json(const ScheduleView& view) {
  const auto& schedule = view.plan.schedule;
  nlohmann::ordered_json json;
  json["strategy"] = view.strategy;
  json["workers"] = view.problem.workers;
  json["work"] = view.problem.work;
  json["startup"] = view.problem.startup_cost;
  json["risk"] = view.problem.risk->text();
  json["lambda"] = view.problem.lambda;
  json["deployed_work"] = schedule ? schedule->deployed_work() : view.problem.work;
  json["expected_work"] = view.plan.expected_work;
  json["expected_work_bound"] = bound_json(view);
  json["chunks"] = view.plan.chunks;
  json["chunk_size"] = view.plan.chunk_size;
  json["counts_considered"] = view.plan.counts_considered;
  json["coteries"] = nlohmann::ordered_json::array();
  for (const Coterie& coterie : view.plan.coteries) {
    std::vector<std::size_t> workers(coterie.workers);
    for (std::size_t r = 0; r < workers.size(); ++r) workers[r] = coterie.first_worker + r;
    json["coteries"].push_back({{"workers", workers},
                                {"slice", {coterie.slice_begin, coterie.slice_end}},
                                {"chunks", coterie.chunking.count()},
                                {"chunk_size", coterie.chunking.size()},
                                {"chart", chart_json(coterie)},
                                {"K", nullptr},
                                {"K_min", nullptr},
                                {"K_lower_bound", nullptr}});
  }
  json["tasks"] = nlohmann::ordered_json::array();
  if (schedule)
    for_each_task(*schedule, [&](std::size_t worker, std::size_t order, std::size_t chunk, double begin, double end,
                                 double finish) {
      json["tasks"].push_back(
          {{"worker", worker}, {"order", order}, {"chunk", chunk}, {"begin", begin}, {"end", end}, {"finish", finish}});
    });
  return json;
}

std::string schedule_csv(const ScheduleView& view) {
  std::string text = "worker,order,chunk,begin,end,finish\n";
  for_each_task(*view.plan.schedule, [&](std::size_t worker, std::size_t order, std::size_t chunk, double begin,
                                         double end, double finish) {
    text += fmt::format("{},{},{},{},{},{}\n", worker, order, chunk, to_text(begin), to_text(end), to_text(finish));
  });
  return text;
}

std::string schedule_text(const ScheduleView& view) {
  const auto& plan = view.plan;
  std::string text =
      fmt::format("{}: {} work on {} workers, start-up cost {}, risk {}\n", view.strategy, to_text(view.problem.work),
                  view.problem.workers, to_text(view.problem.startup_cost), view.problem.risk->text());
  const double deployed = plan.schedule ? plan.schedule->deployed_work() : view.problem.work;
  text += fmt::format("deployed work {:.10g} in {} chunks of {:.10g}\n", deployed, plan.chunks, plan.chunk_size);
  text += fmt::format("expected work {:.10g} ({:.2f} % of the workload)", plan.expected_work,
                      100 * plan.expected_work / view.problem.work);
  const auto bound = bound_json(view);
  if (bound.is_number()) text += fmt::format(", no such schedule can exceed {:.10g}", bound.get<double>());
  text += '\n';
  if (plan.counts_considered > 0) text += fmt::format("chunk counts tried: {}\n", plan.counts_considered);
  if (!plan.schedule) return text + "each worker runs random chunks, drawn anew for each instance\n";
  std::size_t number = 0;
  for (const Coterie& coterie : plan.coteries) {
    text += fmt::format("\ncoterie {}: workers {}-{}, slice [{:.10g}, {:.10g}], {} chunks of {:.10g}\n", ++number,
                        coterie.first_worker, coterie.first_worker + coterie.workers - 1, coterie.slice_begin,
                        coterie.slice_end, coterie.chunking.count(), coterie.chunking.size());
    if (coterie.chart.groups > 24) {
      text += fmt::format("  chart of {} executions x {} groups (see --format json)\n", coterie.chart.executions,
                          coterie.chart.groups);
      continue;
    }
    for (std::size_t i = 0; i < coterie.chart.executions; ++i) {
      for (std::size_t j = 0; j < coterie.chart.groups; ++j) text += fmt::format(" {:>5}", coterie.chart.at(i, j));
      text += '\n';
    }
  }
  text += "\nworker  tasks  finishes  first chunks\n";
  for (std::size_t w = 0; w < plan.schedule->workers(); ++w) {
    const TaskList& list = plan.schedule->tasks(w);
    text += fmt::format("{:>6} {:>6} {:>9.6g} ", w, list.tasks.size(), list.finish.empty() ? 0.0 : list.finish.back());
    for (std::size_t k = 0; k < std::min<std::size_t>(8, list.tasks.size()); ++k)
      text += fmt::format(" {}", list.tasks[k].first_piece);
    text += list.tasks.size() > 8 ? " ...\n" : "\n";
  }
  return text;
}

std::string schedule_svg(const ScheduleView& view) {
  const Schedule& schedule = *view.plan.schedule;
  constexpr double kLeft = 60, kTop = 46, kWidth = 900, kRow = 18;
  double longest = 0;
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    if (!schedule.tasks(w).finish.empty()) longest = std::max(longest, schedule.tasks(w).finish.back());
  const double scale = kWidth / longest;
  const double height = kTop + kRow * static_cast<double>(schedule.workers()) + 40;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"18\" "
      "font-size=\"14\">{}: expected work {:.6g} of {}</text>\n",
      kLeft + kWidth + 20, height, kLeft, view.strategy, view.plan.expected_work, to_text(view.problem.work));
  constexpr int kShades = 90;
  for (int i = 0; i < kShades; ++i)
    svg += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"#b03030\" fill-opacity=\"{:.3f}\"/>\n",
        kLeft + kWidth * i / kShades, kTop, kWidth / kShades, kRow * static_cast<double>(schedule.workers()),
        0.35 * view.problem.risk->probability(longest * (i + 0.5) / kShades));
  const auto pieces = static_cast<double>(schedule.pieces());
  for_each_task(
      schedule, [&](std::size_t worker, std::size_t, std::size_t chunk, double begin, double end, double finish) {
        const double width = (end - begin) * scale;
        svg += fmt::format(
            "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\" fill=\"hsl({:.0f},60%,{:.0f}%)\" "
            "stroke=\"white\" stroke-width=\"0.4\"><title>worker {}, chunk {}, finishes {:.6g}</title></rect>\n",
            kLeft + finish * scale - width, kTop + kRow * static_cast<double>(worker) + 2, width, kRow - 4,
            300 * static_cast<double>(chunk) / pieces, 45 + 25 * static_cast<double>(chunk % 2), worker, chunk, finish);
      });
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6,
                       kTop + kRow * static_cast<double>(w) + 13, w);
  const double axis = kTop + kRow * static_cast<double>(schedule.workers()) + 14;
  for (int tick = 0; tick <= 5; ++tick)
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{:.3g}</text>\n",
                       kLeft + kWidth * tick / 5, axis, longest * tick / 5);
  svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\">time; replicas share a colour; shade: risk of interruption</text>\n",
                     kLeft, axis + 16);
  return svg + "</svg>\n";
}

}  // namespace coterie::sim
