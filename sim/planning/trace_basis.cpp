#include "sim/planning/trace_basis.hpp"

#include <algorithm>

#include "core/empirical_risk.hpp"
#include "core/tabulated_risk.hpp"
#include "traces/residual_risk.hpp"

namespace coterie::sim {

RiskPtr TraceBasis::risk(std::span<const traces::SpellCount> of, traces::OpenTail completion) const {
  StepLaw law =
      kaplan_meier ? completed(traces::kaplan_meier_law(of), completion, of.back().value) : traces::naive_law(of);
  if (stationary) return std::make_shared<traces::ResidualRisk>(law, "trace");
  law.rounding = durations.rounding();
  if (age > 0) law = traces::conditional_on_age(law, age);
  return std::make_shared<EmpiricalRisk>(std::move(law), "trace");
}

RiskPtr TraceBasis::new_risk(std::span<const traces::SpellCount> of, traces::OpenTail completion) const {
  TraceBasis fresh = *this;
  fresh.age = 0;
  fresh.stationary = false;
  return fresh.risk(of, completion);
}

bool TraceBasis::is_open() const {
  return kaplan_meier && traces::kaplan_meier_law(durations.counts()).mass() < kWholeLaw;
}

RiskPtr smoothed(const RiskPtr& risk) {
  const EmpiricalRisk* steps = risk->steps();
  if (steps == nullptr) return risk;
  std::vector<double> times, probabilities;
  for (std::size_t i = 0; i < steps->jumps().size(); ++i) {
    if (!(steps->jumps()[i] > 0)) continue;  // as likely as those up to the next one
    times.push_back(steps->jumps()[i]);
    probabilities.push_back(std::min(1.0, steps->cumulative()[i]));
  }
  if (times.empty()) return risk;
  return std::make_shared<TabulatedRisk>(std::move(times), std::move(probabilities), risk->text());
}

}  // namespace coterie::sim
