#include "sim/planning/prices_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sim/drawing/schedule_view.hpp"
#include "sim/drawing/svg.hpp"
#include "sim/exports/lists_export.hpp"
#include "sim/input/worker_classes.hpp"
#include "sim/planning/listening_view.hpp"

namespace coterie::sim {
namespace {

constexpr double kHour = 3600;

/// A cost in the question's unit of time as money: prices are per hour, or per unit of time.
double money(const PlanView& view, double cost) { return cost * view.work / (view.has_unit ? kHour : 1); }

std::vector<PricedMix> frontier_of(const PlanView& view) {
  std::vector<PricedMix> found;
  std::copy_if(view.prices->mixes.begin(), view.prices->mixes.end(), std::back_inserter(found),
               [](const PricedMix& one) { return one.on_frontier; });
  return found;
}

std::string mix_text(const PricedMix& one) {
  return fmt::format("{} spot, {} on demand: {}", one.spot, one.on_demand, one.strategy);
}

/// How far costs may be off, and what is not told.
std::string how_it_was_found(const PlanView& view) {
  double error = 0;
  for (const PricedMix& one : frontier_of(view)) error = std::max(error, one.cost_error / one.cost);
  const std::vector<PricedMix>& mixes = view.prices->mixes;
  std::size_t dropped = 0, late = 0;
  for (const PricedMix& one : mixes) {
    const bool in_full = one.spot == 0 || (one.instances == view.prices->instances && one.planned == one.listens);
    if (!in_full)
      ++dropped;
    else if (!std::isfinite(one.done_by))
      ++late;
  }
  std::string text;
  if (error > 0)
    text += fmt::format("The standard errors of these costs are at most {}. ", percent_rounded_up(error, 2));
  text += fmt::format("Tried were {} combinations", mixes.size());
  if (dropped > 0)
    text += fmt::format(
        "; {} {} dropped after a first look (few runs, or central without planning), because others were well ahead in "
        "both cost and time or too few "
        "runs had all work done",
        dropped, dropped == 1 ? "was" : "were");
  if (late > 0)
    text += fmt::format("; {} {} have all work done in {} of the runs", late, late == 1 ? "does not" : "do not",
                        asked_share_text(view.listening_question.confidence));
  return paragraph(text + " (--format json lists them all).");
}

/// The numbers of the machines on demand, from 0.
std::vector<std::size_t> on_demand_machines(const PricedMix& mix) {
  std::vector<std::size_t> numbers;
  const std::vector<std::size_t> kinds = class_of_workers({mix.spot, mix.on_demand});
  for (std::size_t w = 0; w < kinds.size(); ++w)
    if (kinds[w] == 1) numbers.push_back(w);
  return numbers;
}

nlohmann::ordered_json mix_json(const PlanView& view, const PricedMix& one) {
  return {
      {"spot", one.spot},
      {"on_demand", one.on_demand},
      {"strategy", one.strategy},
      {"listens", one.listens},
      {"cost", money(view, one.cost)},
      {"cost_error", money(view, one.cost_error)},
      {"done_by",
       std::isfinite(one.done_by) ? nlohmann::ordered_json(one.done_by * view.work) : nlohmann::ordered_json()},
      {"all_done", one.completion},
      {"instances", one.instances},
      {"planned", one.listens ? nlohmann::ordered_json(one.planned) : nlohmann::ordered_json()},
      {"on_demand_machines", on_demand_machines(one)},
      {"policy", policy_json(view, one.goes_by)},
      {"on_frontier", one.on_frontier},
      {"schedule", one.on_frontier && one.schedule ? lists_json(*one.schedule, view.work) : nlohmann::ordered_json()}};
}

}  // namespace

std::string prices_text(const PlanView& view) {
  if (!view.prices) return "";
  const ListeningQuestion& asked = view.listening_question;
  const std::string per = view.has_unit ? "an hour" : "a unit of time";
  std::string text =
      '\n' + paragraph(fmt::format(
                 "What does it cost? A spot machine costs {} {}; a machine on demand, which is never "
                 "interrupted, costs {}. Each is paid for while it computes, not while it waits. Nothing else that was "
                 "tried is both cheaper and done sooner than one of these ({} simulated runs; average "
                 "cost; central gets news {}):",
                 to_text(view.prices->prices.spot), per, to_text(view.prices->prices.on_demand), view.prices->instances,
                 asked.latency > 0 ? "after " + view.alone(asked.latency) : "at once"));
  constexpr const char* kRow = "{:>6} {:>10}  {:20}{:>12}{:>14}{:>12}\n";
  text += fmt::format(kRow, "spot", "on demand", "strategy", "cost", asked_share_text(asked.confidence) + " by",
                      "all done");
  for (const PricedMix& one : frontier_of(view))
    text += fmt::format(kRow, one.spot, one.on_demand, one.strategy, fmt::format("{:.4g}", money(view, one.cost)),
                        view.length(one.done_by), share_text(one.completion));
  return text + how_it_was_found(view);
}

nlohmann::ordered_json prices_json(const PlanView& view) {
  if (!view.prices) return nullptr;
  nlohmann::ordered_json mixes = nlohmann::ordered_json::array();
  for (const PricedMix& one : view.prices->mixes) mixes.push_back(mix_json(view, one));
  return {{"spot", view.prices->prices.spot},
          {"on_demand", view.prices->prices.on_demand},
          {"instances", view.prices->instances},
          {"confidence", view.listening_question.confidence},
          {"mixes", mixes}};
}

std::string price_svg(const PlanView& view) {
  constexpr double kLeft = 70, kTop = 46, kWidth = 640, kHeight = 360;
  const LengthFormat format = view.has_unit ? LengthFormat::best_for(view.work) : LengthFormat();
  const double unit = format.unit_length();
  double longest = 0, dearest = 0;
  for (const PricedMix& one : frontier_of(view)) {
    longest = std::max(longest, one.done_by * view.work / unit);
    dearest = std::max(dearest, money(view, one.cost));
  }
  longest *= 1.1;
  dearest *= 1.1;
  const auto x = [&](const PricedMix& one) { return kLeft + kWidth * one.done_by * view.work / unit / longest; };
  const auto y = [&](const PricedMix& one) { return kTop + kHeight * (1 - money(view, one.cost) / dearest); };
  std::string svg = svg_begin(kLeft + kWidth + 30, kTop + kHeight + 50, kLeft,
                              fmt::format("Cost against the time by which all work is done in {} of the runs",
                                          asked_share_text(view.listening_question.confidence)));
  svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#888\"/>\n", kLeft,
                     kTop, kWidth, kHeight);
  std::string line;
  for (const PricedMix& one : view.prices->mixes) {
    if (!std::isfinite(one.done_by) || x(one) > kLeft + kWidth || y(one) < kTop) continue;
    if (one.on_frontier) line += fmt::format("{:.1f},{:.1f} ", x(one), y(one));
    svg += svg_box(
        x(one) - 3, y(one) - 3, 6, 6, one.on_frontier ? "fill=\"#b03030\"" : "fill=\"#888\" fill-opacity=\"0.5\"",
        fmt::format("{}; cost {:.4g}, done by {}", mix_text(one), money(view, one.cost), view.length(one.done_by)));
  }
  svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"#b03030\"/>\n", line);
  svg += svg_axis_numbers(kLeft, kTop + kHeight + 16, kWidth, longest);
  for (int tick = 0; tick <= 5; ++tick)
    svg += svg_text(kLeft - 6, kTop + kHeight * (1 - tick / 5.0) + 4, Anchor::kEnd,
                    fmt::format("{:.3g}", dearest * tick / 5));
  const std::string name = format.unit_name();
  svg += svg_text(kLeft + kWidth / 2, kTop + kHeight + 34, Anchor::kMiddle,
                  name.empty() ? "time" : fmt::format("time ({})", name));
  svg += svg_text(kLeft, kTop - 8, Anchor::kStart, "cost; red: nothing tried is both cheaper and sooner");
  return svg + svg_end();
}

}  // namespace coterie::sim
