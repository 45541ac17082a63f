#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/dispatch/listening_strategy.hpp"
#include "heuristics/restart/restart_policies.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {

/// What another program adds to coterie's own strategies and risks.
struct Extension {
  std::string program = "coterie";               ///< its name, in messages and results
  std::string version;                           ///< of its additions; results of another version are not resumed
  std::vector<heuristics::Strategy> strategies;  ///< of the models worksharing and dispatch
  RiskKinds risks;                               ///< that campaigns, problems and options may name
  std::vector<heuristics::ListeningStrategy> policies = {};        ///< of the model dispatch
  std::vector<heuristics::RestartStrategy> restart_policies = {};  ///< of the model restart
};

/// Everything that a program looks up by name: models, the strategies of worksharing, parametric risks. The main
/// program builds it once and passes it on; it must outlive everything that refers to it.
class Catalogue {
 public:
  /// coterie's own rows, followed by those of the extension. Throws InputError if a name already exists or cannot be
  /// written in a campaign, or if an extension does not give its program and version.
  explicit Catalogue(Extension extension = {});
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  /// That of coterie itself.
  static const Catalogue& own();

  const std::string& program() const { return extension_.program; }
  /// "1.0.0", or "1.0.0, my-coterie 3": must be the same for results to be resumed.
  std::string version() const;
  /// What `--version` begins with.
  std::string version_text() const;

  const std::vector<heuristics::Strategy>& strategies() const { return strategies_; }
  const RiskKinds& risks() const { return risks_; }
  const std::vector<const Model*>& models() const { return models_; }
  /// These throw InputError at `place` for an unknown name.
  const heuristics::Strategy& strategy(const std::string& name, const Place& place = {}) const;
  const Model& model(const std::string& name, const Place& place = {}) const;
  /// The plan of any strategy: from the table, or from a user's file, which is already placed. Throws InputError.
  /// `placement`: of the others in zones, or null.
  heuristics::Plan plan(const std::string& strategy, ScheduleLibrary& schedules,
                        const heuristics::WorksharingProblem& problem, const heuristics::Granularity& granularity,
                        const std::shared_ptr<const heuristics::ZonePlacement>& placement = nullptr) const;
  /// The same of the problem of `plans`, which keeps those of the table.
  heuristics::Plan plan(const std::string& strategy, ScheduleLibrary& schedules, heuristics::PlanCache& plans) const;

 private:
  Extension extension_;
  std::vector<heuristics::Strategy> strategies_;
  RiskKinds risks_;
  std::unique_ptr<const Model> worksharing_;
  std::unique_ptr<const Model> dispatch_;
  std::unique_ptr<const Model> restart_;
  std::vector<const Model*> models_;
};

}  // namespace coterie::sim
