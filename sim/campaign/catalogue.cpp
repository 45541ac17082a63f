#include "sim/campaign/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/table.hpp"
#include "sim/campaign/version.hpp"
#include "sim/input/schedule_file.hpp"
#include "sim/models/background.hpp"
#include "sim/models/dispatch.hpp"
#include "sim/models/heterogeneous.hpp"
#include "sim/models/now.hpp"
#include "sim/models/restart.hpp"
#include "sim/models/return_messages.hpp"
#include "sim/models/worksharing.hpp"

namespace coterie::sim {
namespace {

/// Words that a campaign may write in place of a risk, or that are no parametric risk.
std::vector<std::string> reserved_risks() {
  std::vector<std::string> names = names_in(composite_risks());
  names.insert(names.end(), {"none", "same", "capacity"});
  return names;
}

void check_name(const std::string& program, const char* what, const std::string& name,
                const std::vector<std::string>& taken) {
  const bool word = !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == name.npos;
  if (!word)
    throw InputError(fmt::format("{}: the name of the {} \"{}\" must consist of lower-case letters, digits and \"-\"",
                                 program, what, name));
  if (std::find(taken.begin(), taken.end(), name) != taken.end())
    throw InputError(fmt::format("{}: a {} \"{}\" already exists; choose another name", program, what, name));
}

template <class Row>
std::vector<Row> joined(std::vector<Row> own, const std::vector<Row>& more, const std::string& program,
                        const char* what, std::vector<std::string> taken) {
  for (std::string& name : names_in(own)) taken.push_back(std::move(name));
  for (const Row& row : more) {
    check_name(program, what, row.name, taken);
    taken.push_back(row.name);
    own.push_back(row);
  }
  return own;
}

/// Of static schedules, with those that are made of files.
std::vector<std::string> names_of_plans(const std::vector<heuristics::Strategy>& strategies) {
  std::vector<std::string> names = names_in(strategies);
  for (std::string& name : names_in(file_strategies())) names.push_back(std::move(name));
  return names;
}

}  // namespace

Catalogue::Catalogue(Extension extension)
    : extension_(std::move(extension)),
      strategies_(joined(heuristics::worksharing_strategies(), extension_.strategies, program(), "strategy",
                         names_in(file_strategies()))),
      risks_(joined(parametric_risks(), extension_.risks, program(), "risk", reserved_risks())),
      worksharing_(make_worksharing_model(strategies_)),
      dispatch_(make_dispatch_model(strategies_, joined(heuristics::listening_strategies(), extension_.policies,
                                                        program(), "policy", names_of_plans(strategies_)))),
      restart_(make_restart_model(
          joined(heuristics::restart_strategies(), extension_.restart_policies, program(), "restart policy", {}))),
      models_({worksharing_.get(), dispatch_.get(), &heterogeneous_model(), &background_model(),
               &return_messages_model(), &now_model(), restart_.get()}) {
  const bool adds = !extension_.strategies.empty() || !extension_.risks.empty() || !extension_.policies.empty() ||
                    !extension_.restart_policies.empty();
  if (program().empty() || (adds && (program() == "coterie" || extension_.version.empty())))
    throw InputError("a program that adds strategies, policies or risks must give its own name and their version");
  for (const heuristics::Strategy& strategy : extension_.strategies)
    check_name(program(), "strategy", strategy.name, {worksharing_->reference()});
  for (const heuristics::ListeningStrategy& policy : extension_.policies)
    check_name(program(), "policy", policy.name, {dispatch_->reference()});
  for (const heuristics::RestartStrategy& policy : extension_.restart_policies)
    check_name(program(), "restart policy", policy.name, {restart_->reference()});
}

const Catalogue& Catalogue::own() {
  static const Catalogue catalogue;
  return catalogue;
}

std::string Catalogue::version() const {
  if (program() == "coterie") return sim::version();
  return fmt::format("{}, {} {}", sim::version(), program(), extension_.version);
}

std::string Catalogue::version_text() const {
  if (program() == "coterie") return sim::version_text();
  return fmt::format("{} {}, made with\n{}", program(), extension_.version, sim::version_text());
}

const heuristics::Strategy& Catalogue::strategy(const std::string& name, const Place& place) const {
  return find_row(strategies_, name, "strategy", place);
}

const Model& Catalogue::model(const std::string& name, const Place& place) const {
  return *find_row(models_, name, "model", place);
}

heuristics::Plan Catalogue::plan(const std::string& name, ScheduleLibrary& schedules,
                                 const heuristics::WorksharingProblem& problem,
                                 const heuristics::Granularity& granularity,
                                 const std::shared_ptr<const heuristics::ZonePlacement>& placement) const {
  heuristics::PlanCache plans(problem, granularity, nullptr, placement);
  return plan(name, schedules, plans);
}

heuristics::Plan Catalogue::plan(const std::string& name, ScheduleLibrary& schedules,
                                 heuristics::PlanCache& plans) const {
  if (ScheduleLibrary::is_file(name)) return schedules.get(name)->plan(plans.problem());
  return plans.placed(strategy(name).builder);
}

}  // namespace coterie::sim
