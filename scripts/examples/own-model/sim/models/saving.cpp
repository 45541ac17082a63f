#include "sim/models/saving.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/model_interface/axis_readers.hpp"
#include "sim/sampling/interruptions.hpp"

namespace coterie::sim {
namespace {

class SavingTrial final : public Trial {
 public:
  explicit SavingTrial(const TrialRequest& request)
      : work_(positive_axis(request.configuration, "work")),
        risks_{risk_axis(request.configuration, request.risks)},
        interruptions_(StreamKey::derive(request.seed, request.configuration.identity, Use::kInterruption)),
        strategies_(request.strategies) {
    for (const std::string& name : strategies_) pieces_.push_back(name == "never" ? 1 : 10);
  }

  std::vector<StrategyFacts> facts() const override { return std::vector<StrategyFacts>(pieces_.size()); }

  void run(const Block& block) const override {
    for (std::size_t i = 0; i < block.instances; ++i) {
      const double end = interruption_times(interruptions_, block.first_instance + i, risks_).front();
      block.reference[i] = std::min(end, work_);  // of a worker that saves all the time
      for (std::size_t s = 0; s < pieces_.size(); ++s)
        block.ratio[s * block.stride + i] = saved(s, end) / block.reference[i];
    }
  }

  nlohmann::ordered_json replay(std::uint64_t instance) const override {
    const double end = interruption_times(interruptions_, instance, risks_).front();
    const double reference = std::min(end, work_);
    nlohmann::ordered_json json = {{"reference", reference}, {"interruption", end}};
    for (std::size_t s = 0; s < pieces_.size(); ++s)
      json["strategies"].push_back(
          {{"name", strategies_[s]}, {"ratio", saved(s, end) / reference}, {"work", saved(s, end)}});
    return json;
  }

 private:
  double saved(std::size_t strategy, double end) const {
    const double piece = work_ / pieces_[strategy];
    return piece * std::floor(std::min(end, work_) / piece);
  }

  double work_;
  std::vector<RiskPtr> risks_;
  StreamKey interruptions_;
  std::vector<std::string> strategies_;
  std::vector<double> pieces_;  // by strategy
};

class SavingModel final : public Model {
 public:
  SavingModel()
      : Model({.name = "saving",
               .summary = "a worker that saves its work never or ten times",
               .source = "an example",
               .metric = "work saved",
               .metric_unit = "work",
               .reference = "always-saved"}) {}
  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {
        {"work", Axis::Kind::kNumber, "work", "workload", "", "> 0"},
        {"risk", Axis::Kind::kText, "", "risk function", "linear(kappa=1)", "see coterie list risks"},
    };
    return table;
  }
  std::vector<StrategyText> strategies() const override {
    return {{"never", "one piece", ""}, {"ten-times", "ten pieces", ""}};
  }
  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    positive_axis(configuration, "work");
    require_axis(configuration, "risk", risk_axis(configuration, risks) != nullptr, "a risk of interruptions");
    make_risk_canonical(configuration, risks);
  }
  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<SavingTrial>(request);
  }
};

}  // namespace

const Model& saving_model() {
  static const SavingModel model;
  return model;
}

}  // namespace coterie::sim
