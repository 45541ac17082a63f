#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/dispatch/listening_strategy.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {

/// What another program knows beside coterie's own strategies and risks.
struct Extension {
  std::string program = "coterie";               ///< its name, in messages and results
  std::string version;                           ///< of what it adds; results of another version are not resumed
  std::vector<heuristics::Strategy> strategies;  ///< of the models worksharing and dispatch
  RiskKinds risks;                               ///< that campaigns, problems and options may name
  std::vector<heuristics::ListeningStrategy> policies = {};  ///< of the model dispatch
};

/// All that a program looks up by name: models, the strategies of worksharing, parametric risks. Built once, by the
/// main program, and handed on; whatever refers to it must not outlive it.
class Catalogue {
 public:
  /// coterie's own rows and those of the extension behind them. Throws InputError where a name exists already or
  /// cannot be written in a campaign, or where an extension does not say its program and version.
  explicit Catalogue(Extension extension = {});
  Catalogue(const Catalogue&) = delete;
  Catalogue& operator=(const Catalogue&) = delete;

  /// That of coterie itself.
  static const Catalogue& own();

  const std::string& program() const { return extension_.program; }
  /// "0.1.0", or "0.1.0, my-coterie 3": what must be the same for results to go on.
  std::string version() const;
  /// What `--version` begins with.
  std::string version_text() const;

  const std::vector<heuristics::Strategy>& strategies() const { return strategies_; }
  const RiskKinds& risks() const { return risks_; }
  const std::vector<const Model*>& models() const { return models_; }
  /// These throw InputError at `place` for a name that is not there.
  const heuristics::Strategy& strategy(const std::string& name, const Place& place = {}) const;
  const Model& model(const std::string& name, const Place& place = {}) const;
  /// The plan of any strategy, one of the table or of a user's file, which is placed already. Throws InputError.
  /// `placement`: of the others in zones, or null.
  heuristics::Plan plan(const std::string& strategy, ScheduleLibrary& schedules,
                        const heuristics::WorksharingProblem& problem, const heuristics::Granularity& granularity,
                        const std::shared_ptr<const heuristics::ZonePlacement>& placement = nullptr) const;

 private:
  Extension extension_;
  std::vector<heuristics::Strategy> strategies_;
  RiskKinds risks_;
  std::unique_ptr<const Model> worksharing_;
  std::unique_ptr<const Model> dispatch_;
  std::vector<const Model*> models_;
};

}  // namespace coterie::sim
