#include "sim/planning/sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/empirical_risk.hpp"
#include "core/expression.hpp"

namespace coterie::sim {
namespace {

PlanAnswer answer_for(const RiskPtr& risk, std::size_t workers) {
  PlanQuestion question;
  question.workers = workers;
  question.startup_cost = 0.02;
  question.lives.planned = risk;
  question.lives.risks = {risk};
  question.instances = 50;
  return answer(question);
}

TraceBasis basis_of(const std::vector<double>& values) {
  std::vector<traces::Duration> durations;
  for (const double value : values) durations.push_back({value, true});
  return {traces::Durations(std::move(durations)), true, 0, false};
}

const std::vector<double>& under(const std::vector<Circumstance>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  if (found == list.end()) throw std::runtime_error("no circumstance " + name);
  return found->expected_work;
}

std::string as_number(double length) { return std::to_string(length); }

TEST(Doubts, AsThoughtIsTheExactExpectation) {
  const PlanAnswer found = answer_for(make_linear_risk(1), 3);

  const auto list = circumstances(found, std::nullopt, as_number);

  for (std::size_t s = 0; s < found.options.size(); ++s)
    EXPECT_DOUBLE_EQ(under(list, "as assumed")[s], found.options[s].expected_work);
}

TEST(Doubts, AbsentMachinesAreAnAverageOverWhoComes) {
  const PlanAnswer found = answer_for(make_linear_risk(1), 3);

  const auto list = circumstances(found, std::nullopt, as_number);

  const RiskPtr gone = std::make_shared<EmpiricalRisk>(std::vector<double>{0.0}, "gone");
  for (std::size_t s = 0; s < found.options.size(); ++s) {
    double mean = 0;
    for (unsigned who = 0; who < 8; ++who) {
      std::vector<RiskPtr> risks;
      double probability = 1;
      for (unsigned w = 0; w < 3; ++w) {
        const bool comes = (who >> w & 1) != 0;
        risks.push_back(comes ? found.question.lives.planned : gone);
        probability *= comes ? 0.75 : 0.25;
      }
      mean += probability * expected_work(*found.options[s].plan.schedule, risks);
    }
    EXPECT_NEAR(under(list, "each machine away with P = 25 %")[s], mean, 1e-12) << found.options[s].strategy;
  }
}

TEST(Doubts, LeavingSoonerIsALinearRiskOfTwiceTheRate) {
  const PlanAnswer found = answer_for(make_linear_risk(1), 3);

  const auto list = circumstances(found, std::nullopt, as_number);

  EXPECT_NEAR(under(list, "machines leave twice as soon")[found.chosen],
              expected_work(*found.choice().plan.schedule, make_linear_risk(2)), 1e-12);
}

TEST(Doubts, AgeIsNothingToTheExponential) {
  const PlanAnswer found = answer_for(make_parametric_risk(Expression::parse("exponential(rate=2)")), 3);

  std::size_t ages = 0;
  for (const Circumstance& one : circumstances(found, std::nullopt, as_number)) {
    if (one.kind != "up-longer") continue;
    ++ages;
    EXPECT_NEAR(one.expected_work[found.chosen], found.choice().expected_work, 1e-9) << one.name;
  }
  EXPECT_EQ(ages, 2u);
}

// Half of the machines leave after 1.2, half after 2.4, and the plan is one chunk that ends at 1.2. All are up at 1.2,
// half of them until just then.
TEST(Doubts, MachinesOfAnAgeAreThoseThatReachIt) {
  PlanQuestion question;
  question.startup_cost = 0.2;
  question.lives.planned = std::make_shared<EmpiricalRisk>(std::vector{1.2, 1.2, 2.4, 2.4}, "two ages");
  question.lives.risks = {question.lives.planned};
  question.instances = 50;
  question.granularity = {heuristics::Granularity::Kind::kPerSlice, 1};
  PlanAnswer found = answer(question);
  found.chosen = 0;  // no-replication
  ASSERT_EQ(found.choice().expected_work, 1);
  bool seen = false;
  for (const Circumstance& one : circumstances(found, std::nullopt, as_number)) {
    if (one.kind != "up-longer" || *one.value != 1.2) continue;
    seen = true;
    EXPECT_EQ(one.expected_work[found.chosen], 0.5);
  }
  EXPECT_TRUE(seen);
}

TEST(Bootstrap, IsCertainOfATraceWithOneValue) {
  const TraceBasis basis = basis_of({0.7, 0.7, 0.7});
  const PlanAnswer found = answer_for(basis.risk(basis.durations.counts()), 2);

  const Confidence sure = bootstrap(found, basis, 20);

  EXPECT_EQ(sure.resamples, 20u);
  EXPECT_DOUBLE_EQ(sure.low, found.choice().expected_work);
  EXPECT_DOUBLE_EQ(sure.high, found.choice().expected_work);
}

TEST(Bootstrap, MeetsTheBinomialLawOfTwoValues) {
  // One worker, one chunk: what it is worth is the share of long spells in the resample, K / n with K ~ Bin(n, 1/2).
  constexpr std::size_t kSpells = 400;
  std::vector<double> values(kSpells, 0.1);
  std::fill(values.begin() + kSpells / 2, values.end(), 5.0);
  const TraceBasis basis = basis_of(values);
  PlanQuestion question;
  question.startup_cost = 0.02;
  question.lives.planned = basis.risk(basis.durations.counts());
  question.lives.risks = {question.lives.planned};
  question.granularity = {heuristics::Granularity::Kind::kPerSlice, 1};
  question.instances = 50;
  PlanAnswer found = answer(question);
  found.chosen = 0;  // no-replication

  const Confidence sure = bootstrap(found, basis, 2000);

  // Standard deviation 1/2/sqrt(400) = 0.025; 2000 resamples tell it within 10 % and the mean within 6 of its errors,
  // but for a chance of 1e-8.
  EXPECT_NEAR(sure.expected_work.mean, 0.5, 6 * 0.025 / std::sqrt(2000));
  EXPECT_NEAR(sure.expected_work.stddev, 0.025, 0.0025);
  EXPECT_NEAR(sure.high - sure.low, 2 * 1.96 * 0.025, 0.02);
}

TEST(Bootstrap, HangsOnTheSeedAlone) {
  const TraceBasis basis = basis_of({0.2, 0.5, 0.9, 1.4, 3});
  PlanAnswer found = answer_for(basis.risk(basis.durations.counts()), 2);
  const double low = bootstrap(found, basis, 50).low;
  const double mean = bootstrap(found, basis, 50).expected_work.mean;

  EXPECT_EQ(bootstrap(found, basis, 50).low, low);
  found.question.seed = 99;
  EXPECT_NE(bootstrap(found, basis, 50).expected_work.mean, mean);
}

TEST(Bootstrap, CountsTheInterruptionsThatTheAgeLeaves) {
  TraceBasis basis = basis_of({0.1, 0.1, 0.1, 1, 2, 3});
  const PlanAnswer found = answer_for(basis.risk(basis.durations.counts()), 2);
  EXPECT_EQ(bootstrap(found, basis, 20).interruptions, 6u);
  basis.age = 1;
  EXPECT_EQ(bootstrap(found, basis, 20).interruptions, 3u);
}

TEST(Bootstrap, CountsResamplesThatSayNothing) {
  TraceBasis basis = basis_of({0.1, 0.1, 0.1, 2});
  basis.age = 1;
  const PlanAnswer found = answer_for(basis.risk(basis.durations.counts()), 2);

  const Confidence sure = bootstrap(found, basis, 200);

  // A resample misses the one long spell with probability (3/4)^4 = 0.32.
  EXPECT_EQ(sure.resamples + sure.without_answer, 200u);
  EXPECT_GT(sure.without_answer, 20u);
  EXPECT_LT(sure.without_answer, 120u);
}

}  // namespace
}  // namespace coterie::sim
