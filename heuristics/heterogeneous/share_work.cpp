#include "heuristics/heterogeneous/share_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "heuristics/heterogeneous/face_enumeration.hpp"
#include "heuristics/heterogeneous/loss_allocation.hpp"
#include "heuristics/heterogeneous/loss_formulas.hpp"

namespace coterie::heuristics {
namespace {

struct NamedAllocation {
  Allocation allocation;
  std::string method;
  bool exact = true;
};

template <class Value>
bool all_equal(Platform platform, Value value) {
  return std::all_of(platform.begin(), platform.end(),
                     [&](const LinearWorker& worker) { return value(worker) == value(platform.front()); });
}

bool equal_speeds(Platform platform) {
  return all_equal(platform, [](const LinearWorker& w) { return w.speed; });
}
bool equal_links(Platform platform) {
  return all_equal(platform, [](const LinearWorker& w) { return w.bandwidth; });
}
bool equal_risks(Platform platform) {
  return all_equal(platform, [](const LinearWorker& w) { return w.risk_rate; });
}

/// Best shares of a platform in its best order, by the theorem for it if there is one.
NamedAllocation best_shares(Platform platform) {
  const bool speeds = equal_speeds(platform);
  const bool links = equal_links(platform);
  const bool risks = equal_risks(platform);
  if (links && std::isinf(platform.front().bandwidth))
    return {free_communication(platform),
            risks ? "heterogeneous-2011 Theorem 1" : "heterogeneous-2011 Theorem 1, with different risks"};
  if (speeds && links && risks) return {identical_workers(platform), "heterogeneous-2011 Theorem 2"};
  if (links && risks) return {different_speeds(platform), "heterogeneous-2011 Theorem 3, stable form"};
  if (speeds && risks) return {different_bandwidths(platform), "heterogeneous-2011 Theorem 4, corrected (errata A14)"};
  if (speeds && links) return {different_risks(platform), "heterogeneous-2011 Theorem 5, stable form"};
  return {optimal_allocation(platform), "heterogeneous-2011 general case: Conjecture 1 (proved), active set"};
}

NamedAllocation shares_in_order(Platform platform) {
  if (in_best_order(platform)) {
    NamedAllocation named = best_shares(platform);
    named.method += "; the imposed order is a best one";
    return named;
  }
  if (platform.size() == 2)
    return {two_workers_in_order(platform), "heterogeneous-2011 Section 5.4, corrected (errata A15), imposed order"};
  return {allocation_by_faces(platform), "imposed order: global optimum by enumeration of faces"};
}

NamedAllocation printed_shares(Platform platform) {
  if (!equal_speeds(platform) || !equal_risks(platform))
    throw InputError(
        "method = \"printed-theorem-4\" is for workers that differ only in bandwidth: give equal speeds and risks");
  const auto but_last = platform.first(platform.size() - 1);
  const bool optimal = platform.size() <= 2 || equal_links(but_last);
  return {printed_different_bandwidths(platform),
          optimal ? "heterogeneous-2011 Theorem 4 as printed (optimal on this platform)"
                  : "heterogeneous-2011 Theorem 4 as printed (suboptimal: 3 or more bandwidths, errata A14)",
          optimal};
}

void check(const HeterogeneousProblem& problem) {
  if (problem.workers.empty()) throw InputError("at least one [[worker]] is needed");
  for (std::size_t i = 0; i < problem.workers.size(); ++i) {
    const LinearWorker& worker = problem.workers[i];
    const auto refuse = [&](const char* what) {
      throw InputError(fmt::format("worker {}: {} must be greater than 0", i + 1, what));
    };
    if (!(worker.speed > 0) || std::isinf(worker.speed)) refuse("the speed must be finite and");
    if (!(worker.bandwidth > 0)) refuse("the bandwidth");
    if (!(worker.risk_rate > 0) || std::isinf(worker.risk_rate)) refuse("the risk rate kappa must be finite and");
  }
  if (!(problem.work >= 0)) throw InputError("\"work\" must not be negative");
  if (std::isinf(problem.work) && problem.deployment == Deployment::kForced)
    throw InputError("\"work\" must be finite if all of it has to be deployed (deployment = \"forced\")");
  if (!problem.order) return;
  std::vector<std::size_t> sorted = *problem.order;
  std::sort(sorted.begin(), sorted.end());
  bool each_once = sorted.size() == problem.workers.size();
  for (std::size_t i = 0; each_once && i < sorted.size(); ++i) each_once = sorted[i] == i;
  if (!each_once)
    throw InputError(fmt::format("\"order\" must name each of the {} workers once", problem.workers.size()));
}

double optional_value(double work, double loss_factor) {
  const double deployed = std::min(work, 1 / (2 * loss_factor));
  return deployed * (1 - loss_factor * deployed);
}

/// What is shared out in one order of service.
class Sharing {
 public:
  Sharing(const HeterogeneousProblem& problem, std::vector<std::size_t> order)
      : problem_(problem), order_(std::move(order)) {
    for (const std::size_t index : order_) platform_.push_back(problem.workers[index]);
  }

  HeterogeneousSolution solve() {
    const bool printed = problem_.method == SharingMethod::kPrintedTheorem4;
    named_ = printed ? printed_shares(platform_) : problem_.order ? shares_in_order(platform_) : best_shares(platform_);
    const double work = problem_.work;
    const double f = named_.allocation.loss_factor;
    const bool held_back_gains = work > 1 / (2 * f);
    if (problem_.deployment == Deployment::kOptional || !held_back_gains)
      return whole(std::min(work, 1 / (2 * f)), optional_value(work, f));
    std::vector<double> shares = named_.allocation.shares;
    for (double& share : shares) share *= work;
    HeterogeneousSolution all = whole(work, coterie::heuristics::expected_work(platform_, shares));
    if (printed) {
      all.exact = false;
      all.method += "; work beyond 1/(2f)";
      return all;
    }
    return problem_.order ? sacrifice_in_order(all) : sacrifice(all);
  }

 private:
  HeterogeneousSolution whole(double deployed, double value) const {
    HeterogeneousSolution solution;
    solution.order = order_;
    solution.shares.assign(order_.size(), 0);
    for (std::size_t i = 0; i < order_.size(); ++i) solution.shares[order_[i]] = named_.allocation.shares[i] * deployed;
    solution.deployed_work = deployed;
    solution.expected_work = value;
    solution.loss_factor = named_.allocation.loss_factor;
    solution.method = named_.method;
    solution.exact = named_.exact;
    return solution;
  }

  std::vector<LinearWorker> platform_without(std::size_t position) const {
    std::vector<LinearWorker> others = platform_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(position));
    return others;
  }

  /// The worker at `position` takes the work that the others would better not get; served last unless the order is
  /// imposed.
  HeterogeneousSolution sacrificed(std::size_t position, const Allocation& others, bool last) const {
    const double deployed = std::min(problem_.work, 1 / (2 * others.loss_factor));
    HeterogeneousSolution solution;
    solution.order = order_;
    solution.shares.assign(order_.size(), 0);
    for (std::size_t i = 0, k = 0; i < order_.size(); ++i)
      if (i != position) solution.shares[order_[i]] = others.shares[k++] * deployed;
    solution.shares[order_[position]] = problem_.work - deployed;
    if (last)
      std::rotate(solution.order.begin() + static_cast<std::ptrdiff_t>(position),
                  solution.order.begin() + static_cast<std::ptrdiff_t>(position) + 1, solution.order.end());
    solution.deployed_work = problem_.work;
    solution.expected_work = optional_value(problem_.work, others.loss_factor);
    solution.loss_factor = named_.allocation.loss_factor;
    solution.sacrificed = order_[position];
    solution.method = fmt::format("{}; forced beyond 1/(2f): worker {} takes the rest (errata A16)", named_.method,
                                  order_[position] + 1);
    solution.exact = true;
    return solution;
  }

  HeterogeneousSolution sacrifice(const HeterogeneousSolution& all) const {
    HeterogeneousSolution best = all;
    const std::size_t p = platform_.size();
    if (p == 1) return best;
    const std::vector<double>& shares = named_.allocation.shares;
    const auto idle = std::find(shares.rbegin(), shares.rend(), 0.0);
    if (idle != shares.rend()) {
      // Nothing is lost: a worker without work takes the rest.
      const auto position = static_cast<std::size_t>(shares.rend() - idle) - 1;
      Allocation others = named_.allocation;
      others.shares.erase(others.shares.begin() + static_cast<std::ptrdiff_t>(position));
      return sacrificed(position, others, true);
    }
    const std::vector<double> bounds = loss_factors_without(platform_, named_.allocation);
    std::vector<std::size_t> positions(p);
    std::iota(positions.begin(), positions.end(), std::size_t{0});
    std::sort(positions.begin(), positions.end(), [&](auto a, auto b) { return bounds[a] < bounds[b]; });
    for (const std::size_t position : positions) {
      cancellation_point();
      if (optional_value(problem_.work, bounds[position]) <= best.expected_work * (1 + 1e-12)) break;
      const Allocation others = optimal_allocation(platform_without(position));
      if (optional_value(problem_.work, others.loss_factor) > best.expected_work)
        best = sacrificed(position, others, true);
    }
    return best;
  }

  /// In an imposed order those after the sacrificed worker wait for it too: tried, and compared with the bound of the
  /// schedules in which they would not.
  HeterogeneousSolution sacrifice_in_order(const HeterogeneousSolution& all) const {
    HeterogeneousSolution best = all;
    const double f = named_.allocation.loss_factor;
    double bound = problem_.work * (1 - f * problem_.work);
    for (std::size_t position = 0; position < platform_.size() && platform_.size() > 1; ++position) {
      cancellation_point();
      const std::vector<LinearWorker> others = platform_without(position);
      const Allocation allocation = shares_in_order(others).allocation;
      bound = std::max(bound, optional_value(problem_.work, allocation.loss_factor));
      HeterogeneousSolution solution = sacrificed(position, allocation, false);
      std::vector<double> shares;
      for (const std::size_t index : order_) shares.push_back(solution.shares[index]);
      solution.expected_work = coterie::heuristics::expected_work(platform_, shares);
      if (solution.expected_work > best.expected_work) best = std::move(solution);
    }
    best.exact = best.expected_work >= bound * (1 - 1e-12);
    if (!best.exact) best.method += "; a heuristic, since the order is imposed";
    return best;
  }

  const HeterogeneousProblem& problem_;
  std::vector<std::size_t> order_;
  std::vector<LinearWorker> platform_;
  NamedAllocation named_;
};

}  // namespace

HeterogeneousSolution share_work(const HeterogeneousProblem& problem) {
  check(problem);
  HeterogeneousSolution solution =
      Sharing(problem, problem.order ? *problem.order : best_order(problem.workers)).solve();
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!finite(solution.expected_work) || !finite(solution.deployed_work) || !finite(solution.loss_factor) ||
      !std::all_of(solution.shares.begin(), solution.shares.end(), finite))
    throw InputError("speeds, bandwidths, risks or work are so large or small that the answer overflows a double");
  return solution;
}

}  // namespace coterie::heuristics
