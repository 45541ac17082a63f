#include "sim/drawing/schedule_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/chunk_numbers.hpp"
#include "core/text.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/performance_constant.hpp"
#include "heuristics/chunks/loss_bounds.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "sim/drawing/svg.hpp"

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
  const ChunkNumbers number(schedule);
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    for (std::size_t k = 0; k < schedule.tasks(w).tasks.size(); ++k) {
      const Task& task = schedule.tasks(w).tasks[k];
      function(w, k + 1, number(task), schedule.boundaries()[task.first_piece],
               schedule.boundaries()[task.first_piece + std::size_t{task.pieces}], schedule.tasks(w).finish[k]);
    }
}

/// Least cost of any chart in these steps (a lower bound), as the share of the slice that is lost. Complete groups of
/// equal chunks, any risk. [worksharing-2013, Theorem 9; RESULTS.md, K_LB]
double least_lost_share(const ScheduleView& view, const Coterie& coterie) {
  const std::size_t groups = coterie.chart.groups;
  std::vector<double> risk_at_step(coterie.workers * groups);
  const double step = (coterie.chunking.size() + view.problem.startup_cost) * heuristics::kNoLater;
  for (std::size_t s = 1; s <= risk_at_step.size(); ++s) risk_at_step[s - 1] = static_cast<double>(s) * step;
  view.problem.risk->probabilities(risk_at_step, risk_at_step);
  return std::exp(heuristics::log_chart_cost_bound(coterie.workers, groups, risk_at_step)) /
         static_cast<double>(groups) * (1 - 1e-12);  // its error
}

heuristics::SliceObjective objective_of(const ScheduleView& view, const Coterie& coterie) {
  return {coterie.workers, coterie.slice_end - coterie.slice_begin, view.problem.startup_cost, *view.problem.risk,
          heuristics::cyclic_chart};
}

double slice_bound(const ScheduleView& view, const Coterie& coterie) {
  constexpr std::size_t kMostSteps = 100'000;  // up to which the error of the least cost is known
  const double bound = objective_of(view, coterie).upper_bound(coterie.chunking);
  if (!has_chart(coterie) || !coterie.chunking.uniform() || coterie.chunking.count() > kMostSteps) return bound;
  const double slice = coterie.slice_end - coterie.slice_begin;
  // Of a given number per unit the chunks may differ from equal parts of the slice (SliceObjective::upper_bound).
  const double stray = std::abs(slice - static_cast<double>(coterie.chunking.count()) * coterie.chunking.size());
  return std::min(bound, slice * (1 - least_lost_share(view, coterie)) + stray);
}

double slice_bound_of_all_counts(const ScheduleView& view, const Coterie& coterie) {
  return objective_of(view, coterie).upper_bound_of_all();
}

/// The sum of the bounds of the slices, with a margin for rounding in another order of summation; null for schedules
/// without slices, and where workers differ.
template <typename Bound>
nlohmann::ordered_json bound_json(const ScheduleView& view, const Bound& bound_of_slice) {
  if (view.plan.coteries.empty() || !view.problem.worker_risks.empty()) return nullptr;
  std::map<std::size_t, double> of_size;  // coteries of one size have slices of one size
  double bound = 0;
  for (const Coterie& coterie : view.plan.coteries) {
    const auto [entry, fresh] = of_size.emplace(coterie.workers, 0.0);
    if (fresh) entry->second = bound_of_slice(view, coterie);
    bound += entry->second;
  }
  const double rounding = 1e-15 * static_cast<double>(1 + view.plan.coteries.size());
  return std::min(bound * (1 + rounding), view.plan.schedule->deployed_work());
}

/// The most that any group schedule of the same slices and chunks can expect.
nlohmann::ordered_json bound_json(const ScheduleView& view) { return bound_json(view, slice_bound); }

/// The most that any group schedule of the same slices can expect, each in any number of equal chunks, where numbers
/// were searched for.
nlohmann::ordered_json bound_of_all_counts_json(const ScheduleView& view) {
  if (view.plan.counts_considered == 0) return nullptr;
  return bound_json(view, slice_bound_of_all_counts);
}

/// The bound rounded up to ten digits.
std::string bound_text(double bound) {
  for (double shown = bound;; shown += std::abs(shown) * 5e-11) {
    std::string text = fmt::format("{:.10g}", shown);
    if (!(parse_number(text).value_or(bound) < bound)) return text;
  }
}

/// The performance constants of a chart: K, the least K by the inequality of the means, and K_LB. Null where groups are
/// not complete or the risk is not linear; K_LB also where a double cannot hold it.
struct Constants {
  nlohmann::ordered_json k;
  nlohmann::ordered_json least;
  nlohmann::ordered_json lower_bound;
};

Constants constants_of(const ScheduleView& view, const Coterie& coterie) {
  if (!has_chart(coterie) || !view.problem.risk->linear_rate()) return {};
  const std::size_t g = coterie.workers;
  const std::size_t m = coterie.chart.groups;
  Constants constants;
  constants.k = heuristics::performance_constant(coterie.chart).str();
  constants.least = heuristics::least_performance_constant(g, m).str();
  const double bound = heuristics::chart_cost_bound(g, m, heuristics::linear_risk_at_steps(g * m));
  if (std::isfinite(bound)) constants.lower_bound = bound;
  return constants;
}

nlohmann::ordered_json coteries_json(const ScheduleView& view) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  std::map<std::size_t, Constants> of_size;
  for (const Coterie& coterie : view.plan.coteries) {
    std::vector<std::size_t> workers(coterie.workers);
    for (std::size_t r = 0; r < workers.size(); ++r) workers[r] = coterie.first_worker + r;
    if (!of_size.contains(coterie.workers)) of_size[coterie.workers] = constants_of(view, coterie);
    const Constants& constants = of_size[coterie.workers];
    list.push_back({{"workers", workers},
                    {"slice", {coterie.slice_begin, coterie.slice_end}},
                    {"chunks", coterie.chunking.count()},
                    {"chunk_size", coterie.chunking.size()},
                    {"chart", chart_json(coterie)},
                    {"K", constants.k},
                    {"K_min", constants.least},
                    {"K_lower_bound", constants.lower_bound}});
  }
  return list;
}

/// A positive lower bound in so many digits.
std::string rounded_down(double bound, int digits) {
  std::string text = fmt::format("{:.{}g}", bound, digits);
  if (parse_number(text).value_or(bound) > bound)
    text = fmt::format("{:.{}g}", bound - 0.5 * std::pow(10, std::floor(std::log10(bound)) + 1 - digits), digits);
  return text;
}

/// Small constants in full, large ones by their first digits.
std::string constants_text(const Constants& constants) {
  if (constants.k.is_null()) return "";
  const auto shortened = [](const std::string& digits) {
    if (digits.size() <= 15) return digits;
    return fmt::format("{}.{}e{}", digits[0], digits.substr(1, 6), digits.size() - 1);
  };
  const auto k = constants.k.get<std::string>();
  const std::string bound = constants.lower_bound.is_number()
                                ? rounded_down(constants.lower_bound.get<double>(), k.size() <= 15 ? 10 : 7)
                                : "too large";
  return fmt::format("  chart: K = {}, K_min = {}, K_LB = {}; rows: executions, columns: groups, entries: steps\n",
                     shortened(k), shortened(constants.least.get<std::string>()), bound);
}

/// The size of the chunks, or their range (without a smaller last chunk).
std::string chunk_sizes_text(const heuristics::Plan& plan) {
  double least = plan.chunk_size;
  double most = plan.chunk_size;
  if (plan.coteries.empty() && plan.schedule)
    for (std::size_t i = 1; i + 1 < plan.schedule->boundaries().size(); ++i) {
      const double size = plan.schedule->boundaries()[i] - plan.schedule->boundaries()[i - 1];
      least = std::min(least, size);
      most = std::max(most, size);
    }
  if (most <= least * (1 + 1e-9)) return fmt::format("{:.10g}", plan.chunk_size);
  return fmt::format("{:.10g} to {:.10g}", least, most);
}

/// The chunks of a worker in its order, the first ones of a long list.
std::string task_list_text(const TaskList& list, const ChunkNumbers& number) {
  constexpr std::size_t kMost = 24;
  std::string text;
  for (std::size_t k = 0; k < std::min(kMost, list.tasks.size()); ++k)
    text += fmt::format(" {}", number(list.tasks[k]));
  return list.tasks.size() > kMost ? text + " ... (see --format csv)\n" : text + "\n";
}

/// "2 workers" or "2 to 3 workers"
std::string zone_sizes_text(std::size_t workers, std::size_t zones) {
  const std::size_t least = workers / zones;
  if (workers % zones == 0) return counted(least, "worker");
  return fmt::format("{} to {} workers", least, least + 1);
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
  for (const RiskPtr& risk : view.problem.worker_risks) json["worker_risks"].push_back(risk->text());
  json["lambda"] = view.problem.lambda;
  if (view.zones.bind(view.problem.workers)) {
    json["zones"] = view.zones.count;
    json["common"] = view.zones.common;
    for (std::size_t w = 0; w < view.problem.workers; ++w)
      json["zone_of_worker"].push_back(view.zones.of(w, view.problem.workers));
  }
  json["deployed_work"] = schedule ? schedule->deployed_work() : view.problem.work;
  json["expected_work"] = nullptr;
  if (!std::isnan(view.plan.expected_work)) json["expected_work"] = view.plan.expected_work;
  json["expected_work_if_gone"] = nullptr;
  if (view.expected_work_if_gone && !std::isnan(*view.expected_work_if_gone))
    json["expected_work_if_gone"] = *view.expected_work_if_gone;
  json["static_ceiling"] = nullptr;
  if (view.ceiling) json["static_ceiling"] = *view.ceiling;
  json["expected_work_bound"] = bound_json(view);
  json["chunks"] = view.plan.chunks;
  json["chunk_size"] = view.plan.chunk_size;
  json["counts_considered"] = view.plan.counts_considered;
  json["expected_work_bound_of_all_counts"] = bound_of_all_counts_json(view);
  json["coteries"] = coteries_json(view);
  json["tasks"] = nlohmann::ordered_json::array();
  if (schedule)
    for_each_task(*schedule, [&](std::size_t worker, std::size_t order, std::size_t chunk, double begin, double end,
                                 double finish) {
      json["tasks"].push_back(
          {{"worker", worker}, {"order", order}, {"chunk", chunk}, {"begin", begin}, {"end", end}, {"finish", finish}});
    });
  return json;
}

std::string percent_rounded_up(double share, int digits) {
  constexpr double kLeast = 0.001;
  const double percent = std::max(kLeast, 100 * share);
  const double digit = std::max(kLeast, std::pow(10, std::floor(std::log10(percent)) + 1 - digits));
  return fmt::format("{:.{}g} %", digit * std::ceil(percent / digit * (1 - 1e-12)), digits + 1);
}

std::string ceiling_text(double expected, double ceiling, const std::string& shown) {
  const std::string text = "no static schedule can expect more than " + shown;
  if (!(ceiling > 0)) return text;
  return fmt::format("{}; this one is at most {} below that", text, percent_rounded_up(1 - expected / ceiling, 2));
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
  std::string text = fmt::format("{}: {} work on {}, start-up cost {}, risk {}\n", view.strategy,
                                 to_text(view.problem.work), counted(view.problem.workers, "worker"),
                                 to_text(view.problem.startup_cost), view.problem.risk->text());
  if (view.zones.bind(view.problem.workers))
    text += fmt::format("{} of {} in order; workers of one zone share {} of their hazard\n",
                        counted(view.zones.count, "zone"), zone_sizes_text(view.problem.workers, view.zones.count),
                        to_text(view.zones.common));
  const double deployed = plan.schedule ? plan.schedule->deployed_work() : view.problem.work;
  text += fmt::format("deployed work {:.10g} in {} of {}\n", deployed, counted(plan.chunks, "chunk"),
                      view.brought ? fmt::format("at most {:.10g}", plan.chunk_size) : chunk_sizes_text(plan));
  const bool known = !std::isnan(plan.expected_work);  // not for orders drawn anew, in zones
  text += known ? fmt::format("expected work {:.10g} ({:.2f} % of the workload)", plan.expected_work,
                              100 * plan.expected_work / view.problem.work)
                : "expected work: known only by simulation";
  const auto bound = bound_json(view);
  if (bound.is_number())
    text +=
        fmt::format("; no group schedule with these slices and chunks can exceed {}", bound_text(bound.get<double>()));
  text += '\n';
  if (view.ceiling && known) text += ceiling_text(plan.expected_work, *view.ceiling, bound_text(*view.ceiling)) + '\n';
  if (view.expected_work_if_gone && known)
    text += fmt::format(
        "  if the workers whose interruption the trace does not show are never interrupted; if they are all\n"
        "  interrupted at the last time seen, the expected work is {:.10g} ({:.2f} %)\n",
        *view.expected_work_if_gone, 100 * *view.expected_work_if_gone / view.problem.work);
  if (plan.counts_considered > 0) text += fmt::format("chunk counts tried: {}", plan.counts_considered);
  const auto bound_of_all = bound_of_all_counts_json(view);
  if (bound_of_all.is_number())
    text += fmt::format("; with these slices no number of equal chunks can exceed {}",
                        bound_text(bound_of_all.get<double>()));
  if (plan.counts_considered > 0) text += '\n';
  if (!plan.schedule) return text + "each worker runs random chunks, drawn anew for each instance\n";
  std::size_t number = 0;
  std::map<std::size_t, Constants> of_size;
  for (const Coterie& coterie : plan.coteries) {
    text += fmt::format(
        "\ncoterie {}: {}, slice [{:.10g}, {:.10g}], {} of {:.10g}\n", ++number,
        coterie.workers == 1
            ? fmt::format("worker {}", coterie.first_worker)
            : fmt::format("workers {}-{}", coterie.first_worker, coterie.first_worker + coterie.workers - 1),
        coterie.slice_begin, coterie.slice_end, counted(coterie.chunking.count(), "chunk"), coterie.chunking.size());
    if (coterie.chart.groups > 24) {
      text += fmt::format("  chart of {} x {} (see --format json)\n", counted(coterie.chart.executions, "execution"),
                          counted(coterie.chart.groups, "group"));
      continue;
    }
    if (!of_size.contains(coterie.workers)) of_size[coterie.workers] = constants_of(view, coterie);
    text += constants_text(of_size[coterie.workers]);
    for (std::size_t i = 0; i < coterie.chart.executions; ++i) {
      for (std::size_t j = 0; j < coterie.chart.groups; ++j) text += fmt::format(" {:>5}", coterie.chart.at(i, j));
      text += '\n';
    }
  }
  text += "\nworker  tasks  finishes  chunks in order\n";
  const ChunkNumbers chunk_number(*plan.schedule);
  for (std::size_t w = 0; w < plan.schedule->workers(); ++w) {
    const TaskList list = plan.schedule->tasks(w);
    text += fmt::format("{:>6} {:>6} {:>9.6g} ", w, list.tasks.size(), list.finish.empty() ? 0.0 : list.finish.back());
    text += task_list_text(list, chunk_number);
  }
  return text;
}

namespace {

/// "greedy: expected work 1.2 of 2 (1.1 if all not seen to leave do)"
std::string title_of(const ScheduleView& view) {
  const bool has_unit = !view.lengths.unit_name().empty();
  const auto shown = [&](double work) { return has_unit ? view.lengths(work) : fmt::format("{:.6g}", work); };
  std::string title = view.strategy + ": expected work ";
  title += std::isnan(view.plan.expected_work) ? "known only by simulation," : shown(view.plan.expected_work);
  title += " of " + (has_unit ? view.lengths(view.problem.work) : to_text(view.problem.work));
  if (view.expected_work_if_gone && !std::isnan(*view.expected_work_if_gone))
    title += fmt::format(" ({} if all not seen to leave do)", shown(*view.expected_work_if_gone));
  return view.remark.empty() ? title : fmt::format("{}; {}", title, view.remark);
}

}  // namespace

std::string schedule_svg(const ScheduleView& view) {
  const Schedule& schedule = *view.plan.schedule;
  constexpr double kLeft = 60, kTop = 46, kWidth = 900, kRow = 18;
  const double longest = last_finish(schedule);
  const double scale = kWidth / longest;
  const std::string unit = view.lengths.unit_name();
  const double height = kTop + kRow * static_cast<double>(schedule.workers()) + 40;
  std::string svg = svg_begin(kLeft + kWidth + 20, height, kLeft, title_of(view));
  const std::span<const RiskPtr> risks = view.problem.risks();  // one for each, or one for all
  const auto risk_of = [&](std::size_t worker) { return risks[risks.size() == 1 ? 0 : worker]; };
  constexpr int kShades = 90;
  for (std::size_t first = 0, last; first < schedule.workers(); first = last) {  // workers of one risk
    for (last = first + 1; last < schedule.workers() && risk_of(last) == risk_of(first);) ++last;
    for (int i = 0; i < kShades; ++i)
      svg += fmt::format(
          "<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"#b03030\" fill-opacity=\"{:.3f}\"/>\n",
          kLeft + kWidth * i / kShades, kTop + kRow * static_cast<double>(first), kWidth / kShades,
          kRow * static_cast<double>(last - first), 0.35 * risk_of(first)->probability(longest * (i + 0.5) / kShades));
  }
  const auto chunks = static_cast<double>(ChunkNumbers(schedule).count());
  for_each_task(
      schedule, [&](std::size_t worker, std::size_t, std::size_t chunk, double begin, double end, double finish) {
        const double width = (end - begin) * scale;
        svg += svg_box(kLeft + finish * scale - width, kTop + kRow * static_cast<double>(worker) + 2, width, kRow - 4,
                       fmt::format("fill=\"hsl({:.0f},60%,{:.0f}%)\" stroke=\"white\" stroke-width=\"0.4\"",
                                   300 * static_cast<double>(chunk) / chunks, 45 + 25 * static_cast<double>(chunk % 2)),
                       unit.empty()
                           ? fmt::format("worker {}, chunk {}, finishes {:.6g}", worker, chunk, finish)
                           : fmt::format("machine {}, chunk {}, ends after {}", worker, chunk, view.lengths(finish)));
        const std::string number = std::to_string(chunk);
        if (width < 8 * static_cast<double>(number.size()) + 2) return;
        svg += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
                           kLeft + finish * scale - width / 2, kTop + kRow * static_cast<double>(worker) + 13,
                           chunk % 2 == 0 ? "white" : "black", number);
      });
  for (std::size_t w = 0; w < schedule.workers(); ++w)
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", kLeft - 6,
                       kTop + kRow * static_cast<double>(w) + 13, w);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">worker</text>\n", kLeft - 6, kTop - 6);
  const double axis = kTop + kRow * static_cast<double>(schedule.workers()) + 14;
  svg += svg_axis_numbers(kLeft, axis, kWidth, longest / view.lengths.unit_length());
  svg += fmt::format(
      "<text x=\"{}\" y=\"{:.1f}\">time{}; replicas share a colour and number; shade: risk of "
      "interruption</text>\n",
      kLeft, axis + 16, unit.empty() ? "" : " (" + unit + ")");
  return svg + svg_end();
}

}  // namespace coterie::sim
