#include "sim/sampling/interruptions.hpp"

#include "sim/model_interface/axis_readers.hpp"

namespace coterie::sim {

RiskPtr risk_axis(const Configuration& configuration, RiskLibrary& risks) {
  const std::string& text = configuration.text("risk");
  if (text == "none") return nullptr;
  const auto risk = risks.resolve(text, configuration.place("risk"));
  require_axis(configuration, "risk", risk->alike(),
               "one risk for all workers (mix, age=each and age=drawn are for worksharing and dispatch)");
  return risk->planned();
}

void require_survival(const Configuration& configuration, const Risk& risk, double lifespan) {
  require_axis(configuration, "risk", risk.survival(lifespan) >= 1e-300,
               "a risk that every worker may survive for the lifespan, with a probability of at least 1e-300");
}

void make_risk_canonical(Configuration& configuration, RiskLibrary& risks) {
  if (configuration.text("risk") == "none") return;
  configuration.values.set_canonical(
      "risk", risks.resolve(configuration.text("risk"), configuration.place("risk"))->canonical());
}

std::vector<double> interruption_times(const StreamKey& key, std::uint64_t instance,
                                       const std::vector<RiskPtr>& risks) {
  std::vector<double> times(risks.size());
  worker_uniforms(key, instance, times);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] = risks[i]->quantile(times[i]);
  return times;
}

}  // namespace coterie::sim
