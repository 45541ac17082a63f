#include "sim/planning/plan_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/chunk_numbers.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/drawing/schedule_view.hpp"
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

std::string head(const PlanView& view, const Lists& lists) {
  const PlanOption& choice = view.answer.choice();
  return fmt::format(
      "# A plan made by coterie: {}, {}, strategy {}. Each machine runs its chunks\n"
      "# in the order given here. A chunk is the part of the work from BEGIN to END, in {}.\n",
      counted(lists.of_machine.size(), "machine"), counted(lists.run, "chunk"), printable(choice.strategy),
      view.has_unit ? "seconds of one machine's work" : "units of work");
}

nlohmann::ordered_json json_of(const PlanView& view, const ScheduleView& schedule) {
  nlohmann::ordered_json json = {{"unit", view.has_unit ? nlohmann::ordered_json("s") : nlohmann::ordered_json()},
                                 {"strategy", schedule.strategy},
                                 {"work", view.work},
                                 {"checkpoint", schedule.problem.startup_cost},
                                 {"expected_work", schedule.plan.expected_work},
                                 {"expected_work_if_gone", nullptr},
                                 {"expected_if_none_returns", !view.coming_back.empty()}};
  if (schedule.expected_work_if_gone) json["expected_work_if_gone"] = *schedule.expected_work_if_gone;
  json.update(lists_json(*schedule.plan.schedule, 1));
  return json;
}

/// For which outcome a scheduler that runs nothing again is used.
const char* without_return(const PlanView& view) {
  return view.coming_back.empty() ? "the plan allows for that" : "expect what the plan expects if none returns";
}

/// A Slurm job array, one task a machine. [man sbatch, INPUT ENVIRONMENT and --array]
std::string sbatch_of(const PlanView& view, const Lists& lists) {
  std::string text = "#!/bin/bash\n" + head(view, lists);
  text += fmt::format(
      "#\n#   sbatch plan.sbatch COMMAND [ARGUMENT...]\n#\n"
      "# runs COMMAND [ARGUMENT...] CHUNK BEGIN END for one chunk after another. COMMAND must save its work\n"
      "# before it exits; if it fails, the machine runs no further chunks. A task that is interrupted is not\n"
      "# run again (--no-requeue): {}.\n"
      "#SBATCH --job-name=coterie-plan\n#SBATCH --array=0-{}\n#SBATCH --ntasks=1\n#SBATCH --no-requeue\n"
      "set -euo pipefail\n\n"
      "if (($# == 0)) || [[ -z \"${{SLURM_ARRAY_TASK_ID:-}}\" ]]; then\n"
      "  echo \"usage: sbatch plan.sbatch COMMAND [ARGUMENT...]\" >&2\n  exit 2\nfi\n\n",
      without_return(view), lists.of_machine.size() - 1);
  text += "begin=(";
  for (const Chunk& chunk : lists.chunks) text += to_text(chunk.begin) + ' ';
  text += ")\nend=(";
  for (const Chunk& chunk : lists.chunks) text += to_text(chunk.end) + ' ';
  text += ")\ncase $SLURM_ARRAY_TASK_ID in\n";
  for (std::size_t w = 0; w < lists.of_machine.size(); ++w)
    text += fmt::format("  {}) chunks=({}) ;;\n", w, fmt::join(lists.of_machine[w], " "));
  return text +
         "  *) echo \"no machine $SLURM_ARRAY_TASK_ID in this plan\" >&2; exit 2 ;;\nesac\n\n"
         "for chunk in ${chunks[@]+\"${chunks[@]}\"}; do\n  \"$@\" \"$chunk\" \"${begin[chunk]}\" "
         "\"${end[chunk]}\"\ndone\n";
}

/// A submit description of HTCondor, one job a machine. [HTCondor manual, condor_submit: queue ... from (...)]
std::string submit_of(const PlanView& view, const Lists& lists) {
  std::string text = head(view, lists);
  text += fmt::format(
      "#\n#   condor_submit plan.sub\n#\n"
      "# starts run-chunks CHUNK:BEGIN:END ..., a program of yours that runs these chunks one after another and\n"
      "# saves each before it begins the next. A job that is evicted is not run again:\n# {}.\n"
      "universe = vanilla\nexecutable = run-chunks\narguments = \"$(chunks)\"\n"
      "output = plan.$(machine).out\nerror = plan.$(machine).err\nlog = plan.log\n"
      "should_transfer_files = IF_NEEDED\n"
      "periodic_remove = (JobStatus == 1) && (NumJobStarts > 0)\n"
      "queue machine, chunks from (\n",
      without_return(view));
  for (std::size_t w = 0; w < lists.of_machine.size(); ++w) {
    if (lists.of_machine[w].empty()) continue;
    text += fmt::format("  {},", w);
    for (const std::size_t chunk : lists.of_machine[w])
      text += fmt::format(" {}:{}:{}", chunk, to_text(lists.chunks[chunk].begin), to_text(lists.chunks[chunk].end));
    text += '\n';
  }
  return text + ")\n";
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

void require_export_kind(const std::string& path) {
  const std::string kind = std::filesystem::path(path).extension();
  if (std::find(export_kinds().begin(), export_kinds().end(), kind) == export_kinds().end())
    throw InputError(fmt::format("--export {}: the file name must end in .csv, .json, .sbatch, .sub or .svg", path));
}

std::string exported_plan(const PlanView& view, const std::string& kind) {
  const ScheduleView schedule = chosen_schedule(view);
  if (kind == ".csv") return schedule_csv(schedule);
  if (kind == ".svg") return schedule_svg(schedule);
  if (kind == ".json") return json_text(json_of(view, schedule)) + '\n';
  const Lists lists = lists_of(*schedule.plan.schedule);
  return kind == ".sbatch" ? sbatch_of(view, lists) : submit_of(view, lists);
}

}  // namespace coterie::sim
