#include "sim/models/crew_axes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <utility>

#include "core/ties.hpp"
#include "heuristics/worksharing/whole_tasks.hpp"
#include "sim/model_interface/axis_readers.hpp"

namespace coterie::sim {
namespace {

using heuristics::Crew;
using heuristics::WorksharingProblem;

constexpr double kMostTries = 1e9;

std::vector<double> speeds_of(const Configuration& configuration) {
  std::istringstream text(configuration.text("speeds"));
  std::vector<double> speeds;
  double speed = 0;
  while (text >> speed) speeds.push_back(speed);
  const bool all_positive =
      std::all_of(speeds.begin(), speeds.end(), [](double v) { return v > 0 && std::isfinite(v); });
  require_axis(configuration, "speeds", text.eof() && !speeds.empty() && all_positive,
               "numbers above 0 with blanks between them, such as \"1 1 2\"");
  return speeds;
}

}  // namespace

const std::vector<Axis>& crew_axes() {
  static const std::vector<Axis> axes = {
      {"task", Axis::Kind::kNumber, "work",
       "size of the whole tasks in which work is handed out, lost and completed, the last may be smaller; 0: divisible",
       "0", ">= 0", false},
      {"tries", Axis::Kind::kWhole, "1", "losses after which a task is given up; 0: never", "0", "0 to 1000000000",
       false},
      {"restart", Axis::Kind::kNumber, "work", "time before a worker's first chunk after it comes up", "0", ">= 0",
       false},
      {"warning", Axis::Kind::kNumber, "work",
       "time by which a worker knows ahead that it is interrupted; if a start-up cost fits into it, what is done of a "
       "divisible chunk is saved",
       "0", ">= 0", false},
      {"speeds", Axis::Kind::kText, "", "speeds of workers, taken in turn; start-up costs are times at any speed", "1",
       "numbers above 0, such as \"1 1 2\"", false},
  };
  return axes;
}

void check_crew(const Configuration& configuration) {
  const double task = cost_axis(configuration, "task");
  cost_axis(configuration, "restart");
  cost_axis(configuration, "warning");
  const std::size_t tries = count_axis(configuration, "tries", 0, kMostTries);
  require_axis(configuration, "tries", tries == 0 || task > 0, "0 without a task: only whole tasks are tried again");
  speeds_of(configuration);
}

std::shared_ptr<const Crew> crew_of(const Configuration& configuration, const std::vector<RiskPtr>& risks) {
  const std::vector<double> speeds = speeds_of(configuration);
  auto crew = std::make_shared<Crew>();
  crew->task = configuration.number("task");
  crew->tries = count_axis(configuration, "tries", 0, kMostTries);
  crew->warning = configuration.number("warning");
  const double restart = configuration.number("restart");
  if (crew->task == 0 && crew->warning == 0 && restart == 0 && speeds == std::vector{1.0}) return nullptr;
  crew->laws = risks;
  crew->startup_cost = configuration.number("startup");
  std::map<std::pair<std::size_t, std::size_t>, std::uint32_t> groups;  // by law and speed
  const auto workers = count_axis(configuration, "workers", 1, WorksharingProblem::kMostWorkers);
  for (std::size_t w = 0; w < workers; ++w) {
    const std::size_t law = risks.size() == 1 ? 0 : w;
    const auto [group, is_new] =
        groups.try_emplace({law, w % speeds.size()}, static_cast<std::uint32_t>(crew->groups.size()));
    if (is_new)
      crew->groups.push_back(
          {.speed = speeds[w % speeds.size()], .restart = restart, .first_law = law, .later_law = law});
    crew->group_of.push_back(group->second);
  }
  return crew;
}

WorksharingProblem planned_for(const Crew& crew, WorksharingProblem problem) {
  double sum = 0;
  for (const std::uint32_t group : crew.group_of) sum += crew.groups[group].speed;
  const double mean = sum / static_cast<double>(problem.workers);
  problem.startup_cost *= mean;
  if (mean != 1) problem.risk = problem.risk->in_unit(1 / mean);
  std::vector<RiskPtr> by_group;
  for (const Crew::Group& group : crew.groups) {
    const RiskPtr& law = crew.laws[group.first_law];
    by_group.push_back(group.speed == 1 ? law : law->in_unit(1 / group.speed));
  }
  problem.worker_risks.clear();
  if (by_group.size() > 1)
    for (const std::uint32_t group : crew.group_of) problem.worker_risks.push_back(by_group[group]);
  else if (mean != 1 || by_group.front() != problem.risk)
    problem.worker_risks = {mean == 1 ? by_group.front() : problem.risk};
  return problem;
}

double useful_work(const Crew& crew, double work, const heuristics::Spells& spells) {
  const double last = crew.task > 0 ? heuristics::task_sizes(work, crew.task).back() : 0;
  bool fits_last = false;
  double sum = 0;
  for (std::size_t w = 0; w < spells.workers(); ++w) {
    const Crew::Group& group = crew.of(w);
    for (const heuristics::Spell& spell : spells.of(w)) {
      const double time = just_after(spell.end) - spell.begin - group.restart;
      if (crew.task == 0) {
        sum += group.speed * std::max(0.0, spell.end - spell.begin - group.restart - crew.startup_cost);
        continue;
      }
      const double each = crew.startup_cost + crew.task / group.speed;
      const double whole = std::max(0.0, std::floor(time / each));
      sum += whole * crew.task;
      fits_last = fits_last || time - whole * each >= crew.startup_cost + last / group.speed;
    }
  }
  return fits_last ? sum + last : sum;
}

}  // namespace coterie::sim
