#include "heuristics/heterogeneous/sharing_strategies.hpp"

#include <algorithm>
#include <numeric>

#include "heuristics/heterogeneous/replicated_sharing.hpp"

namespace coterie::heuristics {
namespace {

/// One message of one piece for each worker that has a share; both in the order of service.
MessagePlan one_piece_each(const std::vector<std::size_t>& order, const std::vector<double>& shares) {
  MessagePlan plan;
  plan.messages.reserve(order.size());
  plan.piece_sizes.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (!(shares[i] > 0)) continue;
    plan.messages.push_back({order[i], {static_cast<std::uint32_t>(plan.piece_sizes.size())}});
    plan.piece_sizes.push_back(shares[i]);
  }
  return plan;
}

std::vector<double> in_order(const std::vector<double>& shares, const std::vector<std::size_t>& order) {
  std::vector<double> served;
  served.reserve(order.size());
  for (const std::size_t index : order) served.push_back(shares[index]);
  return served;
}

HeterogeneousSolution solved(const SharingTask& task, SharingMethod method) {
  return share_work({task.workers, task.work, task.deployment, std::nullopt, method});
}

MessagePlan plan_of(const HeterogeneousSolution& solution) {
  return one_piece_each(solution.order, in_order(solution.shares, solution.order));
}

MessagePlan optimal(const SharingTask& task) { return plan_of(task.optimum()); }
MessagePlan printed_theorem_4(const SharingTask& task) {
  return plan_of(solved(task, SharingMethod::kPrintedTheorem4));
}

/// Given proportions of the work; if some may be held back, of D = 1 / (2f) of it, f the loss of one unit, where
/// D - f D^2 is greatest. That is the expected work if no risk exceeds 1; otherwise more work may be better.
MessagePlan in_proportion(const SharingTask& task, const std::vector<std::size_t>& order, std::vector<double> parts) {
  const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
  for (double& part : parts) part /= sum;
  double deployed = task.work;
  if (task.deployment == Deployment::kOptional) {
    std::vector<LinearWorker> platform;
    for (const std::size_t index : order) platform.push_back(task.workers[index]);
    deployed = std::min(deployed, 1 / (2 * expected_loss(platform, parts)));
  }
  for (double& part : parts) part *= deployed;
  return one_piece_each(order, parts);
}

/// The optimal shares, each worker keeping its own, served in another order.
template <double LinearWorker::*property>
MessagePlan reordered(const SharingTask& task) {
  const std::vector<std::size_t> order = descending(task.workers, property);
  return one_piece_each(order, in_order(task.optimum().shares, order));
}

MessagePlan equal_shares(const SharingTask& task) {
  return in_proportion(task, best_order(task.workers), std::vector<double>(task.workers.size(), 1.0));
}

MessagePlan speed_proportional(const SharingTask& task) {
  const std::vector<std::size_t> order = best_order(task.workers);
  std::vector<double> parts;
  for (const std::size_t index : order) parts.push_back(task.workers[index].speed);
  return in_proportion(task, order, std::move(parts));
}

/// All workers stop together: w_{i+1} (c_{i+1} + d_{i+1}) = w_i d_i, fastest link first.
MessagePlan equal_finish(const SharingTask& task) {
  const std::vector<std::size_t> order = descending(task.workers, &LinearWorker::bandwidth);
  std::vector<double> parts = {1};
  for (std::size_t i = 1; i < order.size(); ++i) {
    const LinearWorker& next = task.workers[order[i]];
    parts.push_back(parts.back() * task.workers[order[i - 1]].compute() / (next.receive() + next.compute()));
  }
  return in_proportion(task, order, std::move(parts));
}

MessagePlan replicated(const SharingTask& task) {
  return replicate_work(
             {under_linear_risk(task.workers), task.work, task.startup, task.deployment, task.rounds, task.piece_size})
      .plan;
}

}  // namespace

const HeterogeneousSolution& SharingTask::optimum() const {
  if (!known_optimum) known_optimum = solved(*this, SharingMethod::kOptimal);
  return *known_optimum;
}

const std::vector<SharingStrategy>& sharing_strategies() {
  static const std::vector<SharingStrategy> table = {
      {"optimal", "best order and shares, one piece per worker",
       "heterogeneous-2011, Section 5.4 (Conjecture 1, proved)", false, optimal},
      {"printed-theorem-4", "shares as printed for workers that differ only in bandwidth",
       "heterogeneous-2011, Theorem 4 (errata A14)", true, printed_theorem_4},
      {"replicated", "pieces with copies on several workers, each where the exact expected work grows most",
       "beyond heterogeneous-2011, Section 7", false, replicated},
      {"equal-shares", "equal shares, best order", "beyond heterogeneous-2011", false, equal_shares},
      {"speed-proportional", "shares proportional to speeds, best order", "beyond heterogeneous-2011", false,
       speed_proportional},
      {"equal-finish", "classical divisible load: all workers stop together, fastest link first",
       "heterogeneous-2011, Section 1", false, equal_finish},
      {"order-by-bandwidth", "the optimal shares, fastest link first", "beyond heterogeneous-2011", false,
       reordered<&LinearWorker::bandwidth>},
      {"order-by-risk", "the optimal shares, greatest kappa first", "beyond heterogeneous-2011", false,
       reordered<&LinearWorker::risk_rate>},
      {"order-by-speed", "the optimal shares, fastest worker first", "beyond heterogeneous-2011", false,
       reordered<&LinearWorker::speed>},
  };
  return table;
}

}  // namespace coterie::heuristics
