#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/mixture_risk.hpp"
#include "heuristics/chunks/worksharing_problem.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::heuristics {

/// A problem, how finely it is cut, and words for it.
struct RandomCase {
  WorksharingProblem problem;
  Granularity granularity;
  std::string text;
};

/// Problems of all kinds: risks with and without a density, with open tails, mixtures, workers of some age; one worker
/// to sixty; incomplete groups; chunks given and chosen; coteries forced.
class RandomWorksharing {
 public:
  explicit RandomWorksharing(std::string_view name) : dice_(name) {}

  /// All workers have one risk.
  RandomCase alike() { return of(law(dice_.whole(0, 8)), {}); }

  /// Workers of two or three classes, or of one law and an age each.
  RandomCase unlike() {
    const std::size_t workers = any_number_of_workers();
    std::vector<RiskPtr> classes;
    if (dice_.whole(0, 3) == 0) {
      const RiskPtr fresh = law(dice_.whole(1, 6));
      for (std::size_t w = 0; w < workers; ++w) classes.push_back(aged(fresh));
    } else {
      for (std::size_t k = dice_.whole(2, 3); k > 0; --k) classes.push_back(law(dice_.whole(0, 8)));
    }
    std::vector<RiskPtr> risks;
    for (std::size_t w = 0; w < workers; ++w) risks.push_back(classes[w % classes.size()]);
    return of(std::make_shared<MixtureRisk>(risks, std::vector<double>(workers, 1.0), "mixture"), risks);
  }

 private:
  std::size_t any_number_of_workers() { return dice_.coin() ? dice_.whole(1, 12) : dice_.whole(1, 60); }

  RandomCase of(const RiskPtr& risk, const std::vector<RiskPtr>& risks) {
    using Kind = Granularity::Kind;
    const std::size_t workers = risks.empty() ? any_number_of_workers() : risks.size();
    const double median = risk->quantile(0.5);
    const double life = std::isfinite(median) && median > 0 ? 2 * median : 1;
    const double share = dice_.real(0.05, 1.2) * life;
    RandomCase one{{workers, share * static_cast<double>(workers), life * std::exp(dice_.real(-6, -1)), risk,
                    dice_.whole(0, 3) == 0 ? dice_.real(0.4, 1) : 1.0,
                    dice_.whole(0, 3) == 0 ? dice_.whole(1, workers) : 0, risks},
                   {},
                   ""};
    switch (dice_.whole(0, 3)) {
      case 0:
        one.granularity = {Kind::kPerSlice, dice_.whole(1, 50)};
        break;
      case 1:
        one.granularity = {Kind::kPerUnit, 1 + static_cast<std::size_t>(dice_.real(1, 25) / share)};
        break;
      default:
        one.granularity = {Kind::kAuto, 0};
    }
    const WorksharingProblem& problem = one.problem;
    one.text = fmt::format("{} workers, work {}, startup {}, lambda {}, {} coteries, chunks {} ({}), {}",
                           problem.workers, problem.work, problem.startup_cost, problem.lambda, problem.coteries,
                           one.granularity.count, static_cast<int>(one.granularity.kind), risk->text());
    for (std::size_t w = 0; w < std::min<std::size_t>(3, risks.size()); ++w) one.text += "; " + risks[w]->text();
    return one;
  }

  RiskPtr parametric(const std::string& text) { return make_parametric_risk(Expression::parse(text)); }

  RiskPtr law(std::size_t kind) {
    switch (kind) {
      case 0:
        return parametric(fmt::format("linear(kappa={})", dice_.real(0.3, 3)));
      case 1:
        return parametric(fmt::format("exponential(rate={})", dice_.real(0.3, 4)));
      case 2:
        return parametric(fmt::format("weibull(shape={}, scale={})", dice_.real(0.4, 3), dice_.real(0.3, 2)));
      case 3:
        return parametric(fmt::format("lognormal(median={}, sigma={})", dice_.real(0.3, 1.5), dice_.real(0.3, 1.5)));
      case 4: {
        const double often = dice_.real(0.1, 0.9), fast = dice_.real(1, 12), slow = dice_.real(0.2, 2);
        return parametric(fmt::format("hyperexponential(p={}, rate1={}, rate2={})", often, fast, slow));
      }
      case 5:
      case 6:
        return trace(kind == 5 ? 1 : dice_.real(0.6, 0.95));
      case 7: {
        const std::vector<RiskPtr> two = {law(dice_.whole(0, 6)), law(dice_.whole(0, 6))};
        return std::make_shared<MixtureRisk>(two, std::vector{dice_.real(0.2, 1), dice_.real(0.2, 1)},
                                             fmt::format("mix({}, {})", two[0]->text(), two[1]->text()));
      }
      default:
        return aged(law(dice_.whole(1, 6)));
    }
  }

  /// Jumps at some random times; as Kaplan-Meier has it where `total` is below 1.
  RiskPtr trace(double total) {
    const RiskPtr lives = law(2);
    std::vector<double> times(dice_.whole(1, 60));
    for (double& time : times) time = lives->quantile(dice_.real(0.001, 0.999));
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    const std::vector<double> weights(times.size(), total / static_cast<double>(times.size()));
    const std::string text = fmt::format("{} jumps to {} as {}", times.size(), total, lives->text());
    return std::make_shared<EmpiricalRisk>(StepLaw{std::move(times), weights}, text);
  }

  RiskPtr aged(const RiskPtr& fresh) {
    const double age = fresh->quantile(dice_.real(0, 0.4)) * 0.999;
    return std::make_shared<AgedRisk>(fresh, age, fmt::format("{} at age {}", fresh->text(), age));
  }

  sim::Dice dice_;
};

}  // namespace coterie::heuristics
