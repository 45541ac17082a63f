#include "sim/planning/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "core/ties.hpp"
#include "sim/engine/parallel.hpp"
#include "traces/resampler.hpp"
#include "traces/residual_risk.hpp"

namespace coterie::sim {
namespace {

/// What the longest list of all options takes, with start-up costs.
double longest_list(const PlanAnswer& answer) {
  double longest = 0;
  for (const PlanOption& option : answer.options) longest = std::max(longest, last_finish(*option.plan.schedule));
  return longest;
}

/// The spells of the trace, put together where only the risk at the ends of these schedules' chunks matters.
traces::Resampler resampler(const PlanAnswer& answer, const TraceBasis& basis) {
  std::vector<traces::SpellCount> counts = basis.durations.counts();
  if (answer.question.background || basis.stationary) return traces::Resampler(std::move(counts));
  const double rounding = basis.age > 0 ? basis.durations.rounding() / 2 : 0;
  std::vector<double> asked = {std::max(0.0, basis.age - rounding), basis.age, basis.age + rounding};
  for (const PlanOption& option : answer.options) {
    const TaskLists& lists = option.plan.schedule->lists();
    for (std::size_t l = 0; l < lists.size(); ++l)
      if (l == 0 || !lists[l].finish.shares(lists[l - 1].finish))
        for (const double finish : lists[l].finish) asked.push_back(basis.age + finish);
  }
  const auto censoring = basis.kaplan_meier ? traces::Censoring::kCounts : traces::Censoring::kIgnored;
  return traces::Resampler(traces::counts_between(counts, std::move(asked), censoring));
}

/// What each option of the answer is expected to complete if the risk of every worker is changed by `change`.
template <typename Change>
std::vector<double> expectations(const PlanAnswer& answer, const Change& change) {
  constexpr double kAlike = 1e-12;
  std::vector<RiskPtr> risks = answer.question.lives.risks;
  std::map<RiskPtr, RiskPtr> changed;  // machines of one class share a risk
  for (RiskPtr& risk : risks) {
    RiskPtr& other = changed[risk];
    if (!other) other = change(risk);
    risk = other;
  }
  std::vector<double> values(answer.options.size());
  parallel_for(values.size(), thread_count(0), [&](std::size_t s) {
    values[s] = expected_work(*answer.options[s].plan.schedule, risks, answer.question.zones);
    if (values[s] < kAlike) values[s] = 0;
  });
  return values;
}

/// The risk of a worker that does not show up with probability `share`.
RiskPtr absent(const RiskPtr& risk, double share) {
  const auto never = std::make_shared<EmpiricalRisk>(std::vector<double>{0.0}, "never comes");
  return std::make_shared<MixtureRisk>(std::vector<RiskPtr>{risk, never}, std::vector<double>{1 - share, share},
                                       risk->text());
}

}  // namespace

Confidence bootstrap(const PlanAnswer& answer, const TraceBasis& basis, std::size_t resamples) {
  using traces::OpenTail;
  const StreamKey key = StreamKey::derive(answer.question.seed, identity_hash("coterie plan: bootstrap"), Use::kPlan);
  std::vector<OpenTail> tails = {basis.tail};
  if (answer.question.if_gone) tails = {OpenTail::kImmortal, OpenTail::kGone};
  std::vector<std::vector<double>> expected(resamples);  // by tail and option; empty: without an answer
  const double longest = longest_list(answer);
  const traces::Resampler trace = resampler(answer, basis);
  parallel_for(resamples, thread_count(0), [&](std::size_t b) {
    const std::vector<traces::SpellCount> drawn = trace.draw(Stream(key, b, 0));
    std::vector<RiskPtr> risks;
    try {
      for (const OpenTail tail : tails)
        risks.push_back(capacity_law(basis.risk(drawn, tail), answer.question, longest));
    } catch (const InputError&) {  // in this resample no spell reached that age, or none was interrupted
      return;
    }
    for (const RiskPtr& risk : risks)  // one for all workers
      for (const PlanOption& option : answer.options)
        expected[b].push_back(expected_work(*option.plan.schedule, std::span(&risk, 1), answer.question.zones));
  });
  Confidence result;
  const auto tells = [&](const traces::Duration& spell) {
    return (spell.observed || !basis.kaplan_meier) && !(just_after(spell.value) < basis.age);
  };
  result.interruptions =
      static_cast<std::size_t>(std::count_if(basis.durations.values().begin(), basis.durations.values().end(), tells));
  std::vector<std::vector<double>> chosen(tails.size());
  std::vector<std::map<std::string, double>> better(tails.size());  // in how many resamples
  for (const std::vector<double>& of_resample : expected) {
    if (of_resample.empty()) ++result.without_answer;
    for (std::size_t t = 0; t < tails.size() && !of_resample.empty(); ++t) {
      const auto by_option = std::span(of_resample).subspan(t * answer.options.size(), answer.options.size());
      chosen[t].push_back(by_option[answer.chosen]);
      for (std::size_t s = 0; s < by_option.size(); ++s)
        if (s != answer.chosen)
          better[t][answer.options[s].strategy] += by_option[answer.chosen] > by_option[s] ? 1 : 0;
    }
  }
  result.resamples = chosen.front().size();
  result.expected_work = summarise(chosen.front());
  if (result.resamples == 0) return result;
  for (std::vector<double>& values : chosen) std::sort(values.begin(), values.end());
  result.low = quantile_of_sorted(chosen.back(), 0.025);
  result.high = quantile_of_sorted(chosen.front(), 0.975);
  result.least = chosen.back().front();
  result.greatest = chosen.front().back();
  for (std::map<std::string, double>& counts : better)
    for (auto& [strategy, count] : counts) count /= static_cast<double>(result.resamples);
  result.better_than = better.front();
  if (tails.size() > 1) result.better_if_gone = better.back();
  return result;
}

std::vector<Circumstance> circumstances(const PlanAnswer& answer, const std::optional<TraceBasis>& basis,
                                        const std::function<std::string(double)>& length) {
  const auto lived = [&, longest = longest_list(answer)](const RiskPtr& risk) {
    return capacity_law(risk, answer.question, longest);
  };
  std::vector<Circumstance> list = {{"as assumed", {}, "as-thought"}};
  if (answer.question.if_gone) list.push_back({"none stays longer than was seen", {}, "open-leave"});
  for (const PlanOption& option : answer.options) {
    list.front().expected_work.push_back(option.expected_work);
    if (option.if_gone) list.back().expected_work.push_back(option.if_gone->expected_work);
  }
  // A machine is away independently of others, so this is not computed in zones.
  for (const double share : {0.1, 0.25, 0.5})
    if (!answer.question.zones.bind(answer.question.workers))
      list.push_back({fmt::format("each machine away with P = {:.0f} %", 100 * share),
                      expectations(answer, [&](const RiskPtr& risk) { return absent(lived(risk), share); }), "absent",
                      share});
  list.push_back({"machines leave twice as soon",
                  expectations(answer, [&](const RiskPtr& risk) { return lived(hastened(risk, 2)); }), "lives-times",
                  0.5});
  list.push_back({"machines stay twice as long",
                  expectations(answer, [&](const RiskPtr& risk) { return lived(hastened(risk, 0.5)); }), "lives-times",
                  2.0});
  const double median = answer.question.lives.planned->quantile(0.5);
  for (const double age : {0.25 * median, median}) {
    if (!(age > 0) || !std::isfinite(age)) continue;
    try {
      list.push_back({fmt::format("machines started {} earlier", length(age)),
                      expectations(answer, [&](const RiskPtr& risk) { return lived(aged(risk, age)); }), "up-longer",
                      age});
    } catch (const InputError&) {  // no machine was seen to live that long
    }
  }
  if (!basis || basis->stationary) return list;
  TraceBasis met = *basis;
  met.stationary = true;
  try {
    const RiskPtr risk = met.risk(met.durations.counts(), met.tail);
    list.push_back({"seen at a random moment of life", expectations(answer, [&](const auto&) { return lived(risk); }),
                    "stationary"});
  } catch (const InputError&) {  // the mean of the law is not known
  }
  return list;
}

}  // namespace coterie::sim
