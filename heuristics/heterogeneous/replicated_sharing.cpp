#include "heuristics/heterogeneous/replicated_sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "heuristics/heterogeneous/plan_builder.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kFinerGain = 1e-3;       ///< relative: what halving the pieces has to gain to go on
constexpr std::size_t kAutoCopies = 150;  ///< the same, beyond which auto does not cut finer

/// DISTRIB's optimal shares, each cut into equal pieces no greater than `piece_size`; what is handed out only
/// because it has to be stays one piece.
MessagePlan cut(const HeterogeneousSolution& distrib, double piece_size) {
  MessagePlan plan;
  for (const std::size_t worker : distrib.order) {
    const double share = distrib.shares[worker];
    if (!(share > 0)) continue;
    const double pieces = std::ceil(share / piece_size - 1e-9);
    const double count = distrib.sacrificed == worker ? 1 : std::clamp(pieces, 1.0, double{kMostCopies});
    Message message{worker, {}};
    for (double i = 0; i < count; ++i) {
      message.pieces.push_back(static_cast<std::uint32_t>(plan.piece_sizes.size()));
      plan.piece_sizes.push_back(share / count);
    }
    plan.messages.push_back(std::move(message));
  }
  return plan;
}

std::optional<HeterogeneousSolution> distrib_optimum(const ReplicationProblem& problem) {
  HeterogeneousProblem distrib{{}, problem.work, problem.deployment, std::nullopt, SharingMethod::kOptimal};
  for (const RiskyWorker& worker : problem.workers) {
    const auto kappa = worker.risk->linear_rate();
    if (!kappa) return std::nullopt;
    distrib.workers.push_back({worker.speed, worker.bandwidth, *kappa});
  }
  return share_work(distrib);
}

/// Plans for one size of pieces after another, and the best of them.
class Search {
 public:
  explicit Search(const ReplicationProblem& problem) : problem_(problem), distrib_(distrib_optimum(problem)) {}

  ReplicatedPlan best() {
    const double whole = kInfinity;
    if (distrib_) {
      const MessagePlan start = cut(*distrib_, whole);
      best_.distrib_expected_work = MessagePlanValue(problem_.workers, problem_.startup)(start);
      consider(whole, start, true);
      if (*best_.distrib_expected_work > best_.expected_work * (1 + 1e-12))
        best_ = {start, *best_.distrib_expected_work, true, best_.distrib_expected_work};
    }
    if (problem_.rounds == Rounds::kSeveral) upon_one_round();
    if (problem_.piece_size) {
      with_pieces_of(std::min(*problem_.piece_size, problem_.work));
      return best_;
    }
    double size = coarsest();
    const double fair = std::min(size, problem_.work / static_cast<double>(problem_.workers.size()));
    double best_size = size;
    double best = -1;
    const auto try_size = [&](double one) {
      const Outcome outcome = with_pieces_of(one);
      if (outcome.value > best) {
        best = outcome.value;
        best_size = one;
      }
      return outcome;
    };
    for (int disappointments = 0; disappointments < 2; size /= 2) {
      const double before = best;
      const Outcome outcome = try_size(size);
      if (size <= fair) disappointments = outcome.value > before * (1 + kFinerGain) ? 0 : disappointments + 1;
      if (outcome.copies > kAutoCopies) break;
    }
    const double of_halves = best_size;
    for (const double factor : {0.6, 0.8, 1.25, 1.6}) try_size(std::min(of_halves * factor, problem_.work));
    // A rest of the work that is smaller than the other pieces keeps copies from changing places with theirs.
    const double pieces = std::ceil(problem_.work / best_size);
    if (pieces <= double{kAutoCopies})
      for (const double count : {pieces - 1, pieces, pieces + 1})
        if (count >= 1) try_size(problem_.work / count);
    return best_;
  }

 private:
  double coarsest() const {
    double size = 0;
    for (const RiskyWorker& worker : problem_.workers) {
      const double half_life = worker.risk->quantile(0.5);
      size = std::max(size, worker.speed * (half_life > 0 ? half_life : worker.risk->effective_horizon()));
    }
    size = std::min(size, problem_.work);
    if (!std::isfinite(size))
      throw InputError("\"work\" must be finite under a risk that never interrupts half of the workers");
    return size;
  }

  struct Outcome {
    double value;
    std::size_t copies;
  };

  Outcome with_pieces_of(double size) {
    Outcome outcome = consider(size, {}, false);
    if (!distrib_) return outcome;
    const Outcome upon = consider(size, cut(*distrib_, size), true);
    return {std::max(outcome.value, upon.value), std::max(outcome.copies, upon.copies)};
  }

  Outcome consider(double size, MessagePlan start, bool from_distrib) {
    PlanBuilder builder(problem_, size, std::move(start));
    builder.build();
    if (problem_.deployment == Deployment::kForced) builder.deploy_all();
    builder.polish_sizes();
    if (builder.value() > best_.expected_work) {
      best_.plan = builder.plan();
      best_.expected_work = builder.value();
      best_.from_distrib = from_distrib;
    }
    return {builder.value(), builder.copies()};
  }

  /// One message per worker is allowed if several are.
  void upon_one_round() {
    ReplicationProblem one = problem_;
    one.rounds = Rounds::kOne;
    ReplicatedPlan plan = Search(one).best();
    if (plan.plan.piece_sizes.empty()) return;
    const double size = *std::max_element(plan.plan.piece_sizes.begin(), plan.plan.piece_sizes.end());
    consider(size, std::move(plan.plan), plan.from_distrib);
  }

  const ReplicationProblem& problem_;
  std::optional<HeterogeneousSolution> distrib_;
  ReplicatedPlan best_{{}, -1, false, {}};
};

void check(const ReplicationProblem& problem) {
  if (problem.workers.empty()) throw InputError("at least one [[worker]] is needed");
  for (std::size_t i = 0; i < problem.workers.size(); ++i) {
    const RiskyWorker& worker = problem.workers[i];
    if (!(worker.speed > 0) || std::isinf(worker.speed))
      throw InputError(fmt::format("worker {}: the speed must be finite and greater than 0", i + 1));
    if (!(worker.bandwidth > 0))
      throw InputError(fmt::format("worker {}: the bandwidth must be greater than 0", i + 1));
  }
  if (!(problem.work >= 0)) throw InputError("\"work\" must not be negative");
  if (std::isinf(problem.work) && (problem.deployment == Deployment::kForced || problem.piece_size))
    throw InputError("\"work\" must be finite if all of it is deployed, or if the size of chunks is given");
  if (!(problem.startup >= 0) || std::isinf(problem.startup))
    throw InputError("\"startup\" must be finite and not negative");
  if (problem.piece_size && !(*problem.piece_size > 0)) throw InputError("the size of a chunk must be greater than 0");
  if (problem.piece_size && problem.work / *problem.piece_size > double{kMostPieces} + 0.5)
    throw InputError(fmt::format("replicated work is cut into at most {} chunks, not {:.0f}", kMostPieces,
                                 problem.work / *problem.piece_size));
  if (problem.workers.size() > kMostReplicatingWorkers)
    throw InputError(fmt::format("replicated work is for at most {} workers, not {}", kMostReplicatingWorkers,
                                 problem.workers.size()));
}

}  // namespace

ReplicatedPlan replicate_work(const ReplicationProblem& problem) {
  check(problem);
  if (problem.work == 0) return {};
  return Search(problem).best();
}

}  // namespace coterie::heuristics
