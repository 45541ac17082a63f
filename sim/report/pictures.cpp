#include "sim/report/pictures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/drawing/schedule_view.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kMostTasks = 3000;
constexpr double kMostWorkers = 40;
constexpr std::size_t kMostPictures = 8;

std::size_t tasks_of(const Schedule& schedule) {
  std::size_t tasks = 0;
  for (std::size_t w = 0; w < schedule.workers(); ++w) tasks += schedule.tasks(w).tasks.size();
  return tasks;
}

std::string caption(const std::string& strategy, const Configuration& configuration) {
  std::string text = strategy + ":";
  for (const char* axis : {"workers", "work", "startup", "risk"})
    text += fmt::format(" {} = {}{}", axis, configuration.text(axis), axis == std::string("risk") ? "" : ",");
  return text;
}

std::vector<ReportPicture> worksharing_pictures(const ResultFile& result, const Provenance& made) {
  const Campaign campaign = made.parse(result.catalogue());
  const auto smallest = std::min_element(
      campaign.configurations.begin(), campaign.configurations.end(), [](const auto& a, const auto& b) {
        return a.number("workers") * a.number("work") < b.number("workers") * b.number("work");
      });
  if (smallest->number("workers") > kMostWorkers) return {};
  const std::string planned = smallest->text("planned_risk");
  heuristics::WorksharingProblem problem;
  problem.workers = static_cast<std::size_t>(smallest->number("workers"));
  problem.work = smallest->number("work");
  problem.startup_cost = smallest->number("startup");
  problem.risk = campaign.risks->get(planned == "same" ? smallest->text("risk") : planned);
  problem.lambda = smallest->number("lambda");
  const auto granularity = heuristics::Granularity::parse(smallest->text("chunks"));
  std::vector<ReportPicture> pictures;
  for (const std::string& name : result.strategies()) {
    if (pictures.size() == kMostPictures) break;
    ScheduleView view{name, problem, result.catalogue().plan(name, *campaign.schedules, problem, granularity)};
    if (!view.plan.schedule || tasks_of(*view.plan.schedule) > kMostTasks) continue;
    pictures.push_back({caption(name, *smallest), schedule_svg(view)});
  }
  return pictures;
}

/// How a model's schedules are drawn: one row a model that can.
struct Drawer {
  std::string model;
  std::vector<ReportPicture> (*draw)(const ResultFile& result, const Provenance& made);
};

const std::vector<Drawer>& drawers() {
  static const std::vector<Drawer> table = {{"worksharing", worksharing_pictures}};
  return table;
}

}  // namespace

std::vector<ReportPicture> report_pictures(const ResultFile& result) {
  const Provenance made = result.provenance();  // read here: that the result cannot be read is no reason to go on
  for (const Drawer& drawer : drawers())
    if (drawer.model == result.file().text_attribute("model")) try {
        return drawer.draw(result, made);
      } catch (const RuntimeError&) {  // a trace is not here any more: the section on risks says so
      } catch (const InputError&) {
      }
  return {};
}

}  // namespace coterie::sim
