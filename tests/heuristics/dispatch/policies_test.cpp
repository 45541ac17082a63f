#include "heuristics/dispatch/policies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "core/infinity.hpp"
#include "core/table.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/worksharing/best_plan.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

struct Means {
  std::vector<double> ratio;                   // by policy
  std::vector<std::vector<double>> instances;  // by policy
};

/// On the instances 0, 1, ... of a stream that nobody plans with.
Means means(const WorksharingProblem& problem, const Listening& listening, const std::vector<PolicyMaker>& makers,
            std::size_t instances) {
  const StreamKey key = StreamKey::derive(2013, 7, Use::kInterruption);
  Means result;
  std::vector<double> lives(problem.workers);
  for (const PolicyMaker& maker : makers) {
    const auto policy = maker();
    DispatchRun run("tested", problem.workers, problem.work, problem.startup_cost, problem.risks(), listening);
    auto& ratios = result.instances.emplace_back();
    double sum = 0;
    for (std::size_t i = 0; i < instances; ++i) {
      worker_uniforms(key, i, lives);
      double reference = 0;
      for (double& life : lives) {
        life = problem.risk->quantile(life);
        reference += std::max(0.0, life - problem.startup_cost);
        life = just_after(life);
      }
      reference = std::min(reference, problem.work);
      ratios.push_back(reference > 0 ? run(*policy, lives).completed / reference : 1);
      sum += ratios.back();
    }
    result.ratio.push_back(sum / static_cast<double>(instances));
  }
  return result;
}

double z(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  double squares = 0;
  const auto n = static_cast<double>(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] - b[i];
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  }
  const double error = std::sqrt(std::max(0.0, squares - sum * sum / n));
  return error > 0 ? sum / error : 0;
}

struct Made {
  WorksharingProblem problem;
  Listening listening;
  PlanCache plans{problem, {}};
  DispatchQuestion question{plans, listening, StreamKey::derive(2013, 7, Use::kPlan)};

  PolicyMaker of(const std::string& name) const {
    return find_row(listening_strategies(), name, "policy").prepare(question);
  }
  PolicyMaker skip_best() const { return skipping(question.plans.get(best_plan)); }
};

/// The means on a twentieth of the instances of the campaign, less six standard errors (0.0014 there).
TEST(Policies, ListeningIsWorthManyPoints) {
  const Made made{{25, 10, 0.01, make_linear_risk(1), 1, 0}, {0.01, 0.01, 1, true}};
  const Means got = means(made.problem, made.listening, {made.skip_best(), made.of("help"), made.of("central")}, 2000);
  EXPECT_GT(got.ratio[0], 0.890);
  EXPECT_GT(got.ratio[1], 0.947);
  EXPECT_GT(got.ratio[2], 0.953);
}

TEST(Policies, AdaptiveIsNoWorseThanWhatItChoosesFrom) {
  const double L = 0.02;
  for (const auto& [workers, work, startup] :
       {std::tuple{2u, 0.6, 1 / 30.0}, {5u, 1.0, 0.1}, {5u, 4.0, 0.01}, {12u, 5.0, 0.01}}) {
    const Made made{{workers, work, startup, make_linear_risk(1), 1, 0}, {L, L, 1, true}};
    const Means got = means(made.problem, made.listening,
                            {made.of("adaptive"), made.skip_best(), made.of("help"), made.of("central")}, 1500);
    for (std::size_t other = 1; other < 4; ++other)
      EXPECT_GT(z(got.instances[0], got.instances[other]), -6) << workers << " workers, policy " << other;
  }
}

/// Whatever the granularity of static schedules and the tolerated risk of a load are.
TEST(Policies, CentralIsTheOptimumOfOneWorker) {
  for (const auto& [work, startup] : {std::pair{0.3, 0.01}, {0.6, 0.05}, {3.0, 0.1}}) {
    const Made made{{1, work, startup, make_linear_risk(1), 1, 0}, {0.1, kInfinity, 1, true}};
    WorksharingProblem careful = made.problem;
    careful.lambda = 0.5;
    PlanCache coarse(careful, {Granularity::Kind::kPerSlice, 2});
    const DispatchQuestion question{coarse, made.listening, StreamKey::derive(2013, 7, Use::kPlan)};
    const PolicyMaker central = find_row(listening_strategies(), std::string("central"), "policy").prepare(question);
    const Means got = means(made.problem, made.listening, {central, made.skip_best()}, 1000);
    EXPECT_EQ(got.instances[0], got.instances[1]) << work;
  }
}

/// There a list could have any number of chunks.
TEST(Policies, CentralOfOneWorkerNeedsNoStartUpCostWorthMentioning) {
  const Made made{{1, 1, 1e-13, make_linear_risk(1), 1, 0}, {}};
  PlanCache plans(made.problem, {Granularity::Kind::kPerSlice, 100});
  const DispatchQuestion question{plans, made.listening, made.question.planning};
  for (const std::string name : {"central", "adaptive"})
    EXPECT_NO_THROW(find_row(listening_strategies(), name, "policy").prepare(question)) << name;
}

TEST(Policies, AreTheSameWhoeverRunsThePlanningRuns) {
  for (const auto& [workers, work] : {std::pair{5u, 2.0}, {150u, 50.0}}) {
    const Made made{{workers, work, 0.02, make_linear_risk(1), 1, 0}, {0.02, 0.02, 1, true}};
    DispatchQuestion backwards{made.question.plans, made.listening, made.question.planning};
    backwards.for_each = [](std::size_t count, const std::function<void(std::size_t)>& task) {
      while (count-- > 0) task(count);
    };
    for (const std::string name : {"central", "adaptive"}) {
      const PolicyPlan plan = made.of(name)()->plan();
      const PolicyPlan other = find_row(listening_strategies(), name, "policy").prepare(backwards)()->plan();
      EXPECT_EQ(plan.chosen, other.chosen) << workers;
      EXPECT_EQ(plan.parameters, other.parameters) << workers;
    }
  }
}

TEST(Policies, HaveNoListToSkipFromWhereOrdersAreDrawn) {
  const Made made{{5, 1, 0.1, make_linear_risk(1), 1, 0}, {}};
  EXPECT_THROW(skipping(made.question.plans.get(worksharing_strategy("random-replication").builder)), InputError);
}

/// One worker, no start-up cost, one that is never worth paying, work beyond all capacity, risks that never end,
/// nothing ever heard.
TEST(Policies, RunEverywhere) {
  const auto risk = [](const char* text) { return make_parametric_risk(Expression::parse(text)); };
  for (const std::size_t workers : {1u, 4u})
    for (const double work : {0.01, 20.0})
      for (const double startup : {0.0, 0.05, 2.0})
        for (const char* law : {"linear", "weibull(shape=0.5, scale=1)"})
          for (const double latency : {0.0, 0.1, kInfinity}) {
            WorksharingProblem problem{workers, work, startup, risk(law), 1, 0};
            const Granularity granularity{Granularity::Kind::kPerSlice, 5};
            PlanCache plans(problem, granularity);
            const Listening listening{latency, latency, 1, true};
            const DispatchQuestion question{plans, listening, StreamKey::derive(1, 1, Use::kPlan)};
            std::vector<PolicyMaker> makers = {skipping(question.plans.get(worksharing_strategy("greedy").builder))};
            makers.push_back(find_row(listening_strategies(), std::string("help"), "policy").prepare(question));
            if (latency != 0.1 && startup > 0 && workers > 1)
              makers.push_back(find_row(listening_strategies(), std::string("central"), "policy").prepare(question));
            const Means got = means(problem, listening, makers, 3);
            for (const double ratio : got.ratio) {
              EXPECT_GE(ratio, 0) << law;
              EXPECT_LE(ratio, 1 + 1e-9) << law;
            }
          }
}

}  // namespace
}  // namespace coterie::heuristics
