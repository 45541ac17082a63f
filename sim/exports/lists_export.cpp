#include "sim/exports/lists_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/chunk_numbers.hpp"
#include "core/crc64.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/exports/export_sources.hpp"
#include "sim/exports/template_text.hpp"
#include "sim/input/json_text.hpp"

namespace coterie::sim {
namespace {

/// A numbered part of the work.
struct Chunk {
  double begin = 0;
  double end = 0;
};

struct Lists {
  std::vector<Chunk> chunks;
  std::size_t run = 0;                               // how many of these are in a list
  std::vector<std::vector<std::size_t>> of_machine;  // in their order
};

Lists lists_of(const Schedule& schedule) {
  const ChunkNumbers number(schedule);
  Lists lists{std::vector<Chunk>(number.count()), 0, {}};
  const std::vector<double>& boundaries = schedule.boundaries();
  for (std::size_t i = 0; i < std::min(lists.chunks.size(), schedule.pieces()); ++i)  // of pieces in no list
    lists.chunks[i] = {boundaries[i], boundaries[i + 1]};
  std::vector<bool> listed(number.count());
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    lists.of_machine.emplace_back();
    for (const Task& task : schedule.tasks(w).tasks) {
      const std::size_t chunk = number(task);
      lists.of_machine.back().push_back(chunk);
      lists.chunks[chunk] = {boundaries[task.first_piece], boundaries[task.first_piece + std::size_t{task.pieces}]};
      listed[chunk] = true;
    }
  }
  lists.run = static_cast<std::size_t>(std::count(listed.begin(), listed.end(), true));
  return lists;
}

/// Short numbers as borders, if this leaves no piece without work: whole seconds; for bare numbers, 12 digits.
std::vector<double> rounded_borders(const std::vector<double>& borders, bool has_unit) {
  for (const double part : {1.0, 1e3, 1e6, 1e9}) {
    std::vector<double> rounded;
    for (const double border : borders)
      rounded.push_back(has_unit && border < borders.back() ? std::round(border * part) / part : twelve_digits(border));
    if (std::adjacent_find(rounded.begin(), rounded.end(), std::greater_equal<>()) == rounded.end()) return rounded;
  }
  return borders;
}

Schedule rounded(const Schedule& schedule, bool has_unit) {
  const std::vector<double> borders = rounded_borders(schedule.boundaries(), has_unit);
  TaskLists lists;
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList list = schedule.tasks(w);
    for (const Task& task : list.tasks) lists.add(task);
    std::vector<double> finish;
    double later = 0;  // than without rounding
    for (std::size_t i = 0; i < list.tasks.size(); ++i) {
      const std::size_t first = list.tasks[i].first_piece, end = first + list.tasks[i].pieces;
      later += (borders[end] - borders[first]) - (schedule.boundaries()[end] - schedule.boundaries()[first]);
      finish.push_back(twelve_digits(list.finish[i] + later));
    }
    lists.close(std::move(finish));
  }
  return Schedule(borders, std::move(lists));
}

nlohmann::ordered_json json_of(const ScheduleView& schedule, const ListsExport& plan) {
  nlohmann::ordered_json json = {{"unit", plan.has_unit ? nlohmann::ordered_json("s") : nlohmann::ordered_json()},
                                 {"strategy", schedule.strategy},
                                 {"work", schedule.problem.work},
                                 {"checkpoint", schedule.problem.startup_cost},
                                 {"expected_work", schedule.plan.expected_work},
                                 {"expected_work_if_gone", nullptr},
                                 {"expected_if_none_returns", plan.returns}};
  if (schedule.expected_work_if_gone) json["expected_work_if_gone"] = *schedule.expected_work_if_gone;
  json.update(lists_json(*schedule.plan.schedule, 1));
  return json;
}

/// Of the results of these lists, and of no others: a changed plan must not take them for its own.
std::string results_folder(const Lists& lists, const std::string& name) {
  std::string text;
  for (const Chunk& chunk : lists.chunks) text += to_text(chunk.begin) + ' ' + to_text(chunk.end) + ' ';
  const bool plain =
      name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string::npos;
  return fmt::format("{}-{:08x}", plain ? name : "plan",
                     Crc64().update(std::as_bytes(std::span(text))).value() & 0xffffffff);
}

/// What both kinds of scripts say.
std::vector<std::pair<std::string, std::string>> common_values(const ScheduleView& schedule, const ListsExport& plan,
                                                               const Lists& lists) {
  return {{"HEAD", fmt::format("# A plan made by coterie: {}, {}, strategy {}. Each machine runs its chunks\n"
                               "# in the order given here. A chunk is the part of the work from BEGIN to END, in {}.\n",
                               counted(lists.of_machine.size(), "machine"), counted(lists.run, "chunk"),
                               printable(schedule.strategy),
                               plan.has_unit ? "seconds of one machine's work" : "units of work")},
          {"RESULTS", results_folder(lists, plan.name)},
          {"RETURNS", plan.returns ? "as the plan expects (sooner where a free node takes it)"
                                   : "the plan expects that none does, so more may get done"}};
}

/// A Slurm job array, one task a machine. [man sbatch, INPUT ENVIRONMENT and --array]
std::string sbatch_of(const ScheduleView& schedule, const ListsExport& plan, const Lists& lists) {
  std::vector<std::string> begin, end;
  for (const Chunk& chunk : lists.chunks) {
    begin.push_back(to_text(chunk.begin));
    end.push_back(to_text(chunk.end));
  }
  std::string cases;
  for (std::size_t w = 0; w < lists.of_machine.size(); ++w)
    cases += fmt::format("  {}) chunks=({}) ;;\n", w, fmt::join(lists.of_machine[w], " "));
  auto values = common_values(schedule, plan, lists);
  values.insert(values.end(), {{"LAST", fmt::format("{}", lists.of_machine.size() - 1)},
                               {"TIME", time_limit_line(last_finish(*schedule.plan.schedule), plan.has_unit)},
                               {"BEGIN", fmt::format("{}", fmt::join(begin, " "))},
                               {"END", fmt::format("{}", fmt::join(end, " "))},
                               {"LISTS", cases}});
  return filled(kListsSbatch, values);
}

/// A submit description of HTCondor, one job a machine. [HTCondor manual, condor_submit: queue ... from (...)]
std::string submit_of(const ScheduleView& schedule, const ListsExport& plan, const Lists& lists) {
  std::string items;
  for (std::size_t w = 0; w < lists.of_machine.size(); ++w) {
    if (lists.of_machine[w].empty()) continue;
    items += fmt::format("  {},", w);
    for (const std::size_t chunk : lists.of_machine[w])
      items += fmt::format(" {}:{}:{}", chunk, to_text(lists.chunks[chunk].begin), to_text(lists.chunks[chunk].end));
    items += '\n';
  }
  auto values = common_values(schedule, plan, lists);
  values.emplace_back("LISTS", items);
  return filled(kListsSubmit, values);
}

}  // namespace

nlohmann::ordered_json lists_json(const Schedule& schedule, double scale) {
  const Lists lists = lists_of(schedule);
  nlohmann::ordered_json json = {{"chunks", nlohmann::ordered_json::array()},
                                 {"machines", nlohmann::ordered_json::array()}};
  for (std::size_t c = 0; c < lists.chunks.size(); ++c)
    json["chunks"].push_back(
        {{"chunk", c}, {"begin", lists.chunks[c].begin * scale}, {"end", lists.chunks[c].end * scale}});
  for (std::size_t w = 0; w < lists.of_machine.size(); ++w) {
    std::vector<double> finish;
    for (const double time : schedule.tasks(w).finish) finish.push_back(time * scale);
    json["machines"].push_back({{"machine", w}, {"chunks", lists.of_machine[w]}, {"finish", finish}});
  }
  return json;
}

const std::vector<std::string>& export_kinds() {
  static const std::vector<std::string> kinds = {".csv", ".json", ".sbatch", ".sub", ".svg"};
  return kinds;
}

bool names_export_folder(const std::string& path) {
  const std::string kind = std::filesystem::path(path).extension();
  if (kind.empty()) return true;
  if (std::find(export_kinds().begin(), export_kinds().end(), kind) != export_kinds().end()) return false;
  throw InputError(
      fmt::format("--export {}: the file name must end in .csv, .json, .sbatch, .sub or .svg; that of a folder for a "
                  "queue has no ending",
                  path));
}

std::string exported_lists(const ScheduleView& schedule, const ListsExport& plan, const std::string& kind) {
  if (kind == ".svg") return schedule_svg(schedule);
  ScheduleView view = schedule;
  view.plan.schedule = std::make_shared<const Schedule>(rounded(*schedule.plan.schedule, plan.has_unit));
  if (kind == ".csv") return schedule_csv(view);
  if (kind == ".json") return json_text(json_of(view, plan)) + '\n';
  const Lists lists = lists_of(*view.plan.schedule);
  return kind == ".sbatch" ? sbatch_of(view, plan, lists) : submit_of(view, plan, lists);
}

}  // namespace coterie::sim
