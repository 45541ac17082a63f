#include "sim/planning/doubts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "sim/models/interruptions.hpp"
#include "traces/residual_risk.hpp"

namespace coterie::sim {
namespace {

traces::Durations resampled(const traces::Durations& durations, Stream stream) {
  boost::random::uniform_int_distribution<std::size_t> any(0, durations.size() - 1);
  std::vector<std::size_t> times_drawn(durations.size(), 0);
  for (std::size_t i = 0; i < durations.size(); ++i) ++times_drawn[any(stream)];
  std::vector<traces::Duration> values;
  values.reserve(durations.size());
  for (std::size_t i = 0; i < durations.size(); ++i) values.insert(values.end(), times_drawn[i], durations.values()[i]);
  return traces::Durations(std::move(values));
}

/// What each option of the answer is worth where every worker has its risk changed by `change`.
template <typename Change>
std::vector<double> worth(const PlanAnswer& answer, const Change& change) {
  std::vector<RiskPtr> risks;
  for (const RiskPtr& risk : answer.question.risks) risks.push_back(change(risk));
  std::vector<double> values;
  for (const PlanOption& option : answer.options) values.push_back(expected_work(*option.plan.schedule, risks));
  return values;
}

/// A worker that does not come with probability `share`.
RiskPtr absent(const RiskPtr& risk, double share) {
  const auto never = std::make_shared<EmpiricalRisk>(std::vector<double>{0.0}, "never comes");
  return std::make_shared<MixtureRisk>(std::vector<RiskPtr>{risk, never}, std::vector<double>{1 - share, share},
                                       risk->text());
}

}  // namespace

RiskPtr TraceBasis::risk(const traces::Durations& of) const {
  traces::StepLaw law = kaplan_meier ? kaplan_meier_law(of) : naive_law(of);
  if (stationary) return std::make_shared<traces::ResidualRisk>(law, "resampled");
  if (age > 0) law = conditional_on_age(law, age);
  return std::make_shared<EmpiricalRisk>(std::move(law.times), std::move(law.weights), "resampled");
}

Confidence bootstrap(const PlanAnswer& answer, const TraceBasis& basis, std::size_t resamples) {
  const StreamKey key = StreamKey::derive(answer.question.seed, identity_hash("coterie plan: bootstrap"), Use::kPlan);
  Confidence result;
  std::vector<double> values;
  std::vector<std::size_t> better(answer.options.size(), 0);
  for (std::size_t b = 0; b < resamples; ++b) {
    RiskPtr risk;
    try {
      risk = capacity_law(basis.risk(resampled(basis.durations, Stream(key, b, 0))), answer.question);
    } catch (const InputError&) {  // nobody of this resample reached that age, or was interrupted
      ++result.without_answer;
      continue;
    }
    const double chosen = expected_work(*answer.choice().plan.schedule, risk);
    values.push_back(chosen);
    for (std::size_t s = 0; s < answer.options.size(); ++s)
      if (s != answer.chosen && chosen > expected_work(*answer.options[s].plan.schedule, risk)) ++better[s];
  }
  result.resamples = values.size();
  result.expected_work = summarise(values);
  if (values.empty()) return result;
  std::sort(values.begin(), values.end());
  result.low = quantile_of_sorted(values, 0.025);
  result.high = quantile_of_sorted(values, 0.975);
  for (std::size_t s = 0; s < answer.options.size(); ++s)
    if (s != answer.chosen)
      result.better_than[answer.options[s].strategy] =
          static_cast<double>(better[s]) / static_cast<double>(values.size());
  return result;
}

std::vector<Circumstance> circumstances(const PlanAnswer& answer, const std::optional<TraceBasis>& basis,
                                        const std::function<std::string(double)>& length) {
  const auto lived = [&](const RiskPtr& risk) { return capacity_law(risk, answer.question); };
  std::vector<Circumstance> list = {{"as thought", worth(answer, lived)}};
  for (const double share : {0.1, 0.25, 0.5})
    list.push_back({fmt::format("{:.0f} % of the machines do not come", 100 * share),
                    worth(answer, [&](const RiskPtr& risk) { return absent(lived(risk), share); })});
  list.push_back(
      {"machines leave twice as soon", worth(answer, [&](const RiskPtr& risk) { return lived(hastened(risk, 2)); })});
  list.push_back(
      {"machines stay twice as long", worth(answer, [&](const RiskPtr& risk) { return lived(hastened(risk, 0.5)); })});
  const double median = answer.question.planned->quantile(0.5);
  for (const double age : {0.25 * median, median}) {
    if (!(age > 0) || !std::isfinite(age)) continue;
    try {
      list.push_back({fmt::format("machines are up {} longer", length(age)), worth(answer, [&](const RiskPtr& risk) {
                        return lived(std::make_shared<AgedRisk>(risk, age, risk->text()));
                      })});
    } catch (const InputError&) {  // nobody has been seen to live so long
    }
  }
  if (!basis || basis->stationary) return list;
  TraceBasis met = *basis;
  met.stationary = true;
  try {
    const RiskPtr risk = met.risk(met.durations);
    list.push_back({"met at a random moment of life", worth(answer, [&](const auto&) { return lived(risk); })});
  } catch (const InputError&) {  // the mean of the law is not known
  }
  return list;
}

}  // namespace coterie::sim
