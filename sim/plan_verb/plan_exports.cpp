#include "sim/plan_verb/plan_exports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/expression.hpp"
#include "sim/exports/lists_export.hpp"
#include "sim/exports/queue_export.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/output_path.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {
namespace {

/// The chosen lists with all lengths in seconds, or in the user's bare numbers.
ScheduleView lists_of(const Answer& answer) {
  const Contender& chosen = answer.options.front();
  const Situation& situation = *answer.situation;
  const double work = situation.work;
  const Schedule& shares = *chosen.policy->plan->schedule;
  std::vector<double> boundaries = shares.boundaries();
  for (double& boundary : boundaries) boundary *= work;
  TaskLists lists;
  for (std::size_t w = 0; w < shares.workers(); ++w) {
    const TaskList list = shares.tasks(w);
    for (const Task& task : list.tasks) lists.add(task);
    std::vector<double> finish(list.finish.begin(), list.finish.end());
    for (double& time : finish) time *= work;
    lists.close(std::move(finish));
  }
  ScheduleView view{chosen.name, {}, {}};
  view.problem.workers = shares.workers();
  view.problem.work = work;
  view.problem.startup_cost = situation.checkpoint * work;
  for (const FleetGroup& group : chosen.fleet->groups) {
    const RiskPtr life = group.life ? group.life : never_interrupted();
    view.problem.worker_risks.insert(view.problem.worker_risks.end(), group.count, hastened(life, 1 / work));
  }
  view.problem.risk = view.problem.worker_risks.front();
  if (chosen.fleet->groups.size() == 1) view.problem.worker_risks.clear();
  view.plan.schedule = std::make_shared<const Schedule>(std::move(boundaries), std::move(lists));
  view.plan.expected_work = chosen.proof.work_done * work;
  view.plan.chunks = chosen.policy->plan->chunks;
  view.plan.chunk_size = chosen.policy->plan->chunk_size * work;
  if (situation.background) view.remark = "times without background jobs";
  if (situation.has_unit) view.lengths = LengthFormat::best_for(last_finish(shares) * work);
  return view;
}

bool comes_back(const Situation& situation) {
  return situation.replay || std::any_of(situation.machines.begin(), situation.machines.end(),
                                         [](const GroupLaws& one) { return one.down != nullptr; });
}

QueueExport queue_of(const Answer& answer, const std::string& path) {
  const auto found = std::find_if(answer.options.begin(), answer.options.end(),
                                  [](const Contender& one) { return one.name == "central"; });
  if (found == answer.options.end())
    throw InputError(
        fmt::format("--export {}: a folder is for a queue, which was not planned here; for fixed lists name "
                    "a file that ends in .csv, .json, .sbatch or .sub",
                    path));
  const Situation& situation = *answer.situation;
  const double work = situation.work;
  QueueExport queue;
  queue.workers = 0;
  queue.work = queue.scale = work;
  queue.task = situation.task * work;
  queue.checkpoint = situation.checkpoint * work;
  queue.tries = situation.question.tries;
  queue.warning = situation.warning * work;
  queue.latency = situation.latency * work;
  queue.has_unit = situation.has_unit;
  for (const FleetGroup& group : found->fleet->groups) {
    (group.fallback ? queue.fallback : queue.workers) += group.count;
    if (!queue.life && !group.fallback) queue.life = group.life;
  }
  queue.take(found->policy->parameters);
  for (const double time : {found->proof.q95, found->proof.q50})
    if (std::isinf(queue.limit)) queue.limit = time * work;
  return queue;
}

}  // namespace

void check_export(const std::string& path) {
  if (names_export_folder(path))
    require_export_folder(path);
  else
    output_target(path);
}

bool exports_lists(const std::string& path) { return !names_export_folder(path); }

void export_answer(const Answer& answer, const std::string& path) {
  std::vector<std::string> read = answer.situation->files;
  for (const std::string& policy : answer.situation->question.policies)
    if (const auto file = ScheduleLibrary::file_in(policy)) read.push_back(Expression::parse(*file).word("path"));
  protect_inputs(followed(path), read);
  if (!exports_lists(path)) return export_queue(path, queue_of(answer, path));
  const Contender& chosen = answer.options.front();
  if (!chosen.policy->plan)
    throw InputError(
        fmt::format("--export {}: {} has no fixed lists; --export FOLDER writes a queue", path, chosen.name));
  const std::filesystem::path file(path);
  write_text_durably(path, exported_lists(lists_of(answer),
                                          {.name = file.stem().string(),
                                           .has_unit = answer.situation->has_unit,
                                           .returns = comes_back(*answer.situation)},
                                          file.extension()));
}

}  // namespace coterie::sim
