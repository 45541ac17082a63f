#include "heuristics/dispatch/planning_runs.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

/// The mean of a - b over instances, in its standard errors, if there were one more instance with difference `unseen`.
double lead(const std::vector<double>& a, const std::vector<double>& b, double unseen = 0) {
  const auto n = static_cast<double>(a.size() + (unseen > 0 ? 1 : 0));
  double sum = unseen;
  double squares = unseen * unseen;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += a[i] - b[i];
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  }
  const double error = std::sqrt(std::max(0.0, squares - sum * sum / n));
  return error > 0 ? sum / error : 0;
}

double total(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

struct Candidate {
  std::size_t place;
  std::unique_ptr<ListeningPolicy> policy;
  DispatchRun run;
  std::vector<double> completed = {};  // by instance
  std::vector<double> soon = {};       // by instance: the negated time when all is done
  std::vector<std::size_t> events = {};

  void run_all(const std::vector<PlanningRuns::Instance>& instances, bool come_back) {
    for (const auto& [lives, spells, last] : instances) {
      const DispatchOutcome outcome = come_back ? run(*policy, spells) : run(*policy, lives);
      completed.push_back(outcome.completed);
      soon.push_back(-std::min(outcome.makespan, last));
      events.push_back(outcome.events);
    }
  }
  void forget_from(std::size_t instance) {
    completed.resize(instance);
    soon.resize(instance);
  }
};

/// Up to rounding.
bool is_same(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(a, b); }

bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), is_same);
}

/// The place in the list of the one that completes most, and of these of the one that is done first.
std::size_t leader_of(const std::vector<Candidate>& candidates) {
  std::size_t leader = 0;
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const double most = total(candidates[leader].completed);
    const double completed = total(candidates[i].completed);
    if (is_same(completed, most) ? total(candidates[i].soon) > total(candidates[leader].soon) : completed > most)
      leader = i;
  }
  return leader;
}

}  // namespace

std::size_t PlanningRuns::affordable(std::size_t instances, std::size_t least) const {
  constexpr double kFew = 25;  // workers: with fewer, more instances
  constexpr double kMost = 16;
  constexpr double kMany = 50;  // with more, fewer
  const auto workers = static_cast<double>(problem_.workers);
  double times = workers < kFew ? std::min(kMost, kFew / workers) : std::min(1.0, kMany / workers);
  if (problem_.startup_cost == 0) times /= 16;  // chunks that cost nothing are many
  return std::max(least, static_cast<std::size_t>(times * static_cast<double>(instances)));
}

PlanningRuns::Instance PlanningRuns::draw(std::uint64_t instance) const {
  Instance drawn;
  drawn.lives.resize(crew_ ? crew_->group_of.size() : problem_.workers);
  std::vector<double>& lives = drawn.lives;
  const bool zones_bind = zones_.bind(lives.size());
  std::vector<double> uniforms(lives.size() + (zones_bind ? zones_.count : 0));
  worker_uniforms(key_, instance, uniforms);
  for (std::size_t w = 0; w < lives.size(); ++w) {
    lives[w] = uniforms[w];
    if (!zones_bind) continue;
    const double zone = uniforms[lives.size() + zones_.of(w, lives.size())];
    const double survival =
        std::max(std::pow(1 - uniforms[w], 1 / (1 - zones_.common)), std::pow(1 - zone, 1 / zones_.common));
    lives[w] = std::clamp(1 - survival, 0x1p-33, 1 - 0x1p-33);  // the least and the greatest uniform
  }
  const auto risks = problem_.risks();
  const auto risk_of = [&](std::size_t w) {
    return crew_ ? crew_->laws[crew_->of(w).first_law] : risks[risks.size() == 1 ? 0 : w];
  };
  for (std::size_t w = 0; w < lives.size(); ++w) lives[w] = risk_of(w)->quantile(lives[w]);
  if (availability_ != nullptr) {
    availability_->draw(key_, instance, lives, drawn.spells);
    drawn.spells.forgive_ties(true);
  }
  for (double& life : lives) life = just_after(life);
  if (crew_) {
    drawn.last = drawn.spells.last_end();
    return drawn;
  }
  drawn.last = std::isfinite(listening_.horizon) ? listening_.horizon : *std::max_element(lives.begin(), lives.end());
  return drawn;
}

DispatchRun PlanningRuns::run() const {
  constexpr const char* kName = "planned for";
  if (crew_) return {kName, crew_, problem_.work, listening_};
  return {kName, problem_.workers, problem_.work, problem_.startup_cost, problem_.risks(), listening_};
}

std::size_t PlanningRuns::best(const std::vector<PolicyMaker>& policies, std::size_t instances, std::size_t least,
                               std::size_t most_events, double unseen) const {
  constexpr std::size_t kMany = 100;  // workers, each of which makes events
  if (problem_.workers > kMany) most_events = most_events * kMany / problem_.workers;
  constexpr std::size_t kRound = 32;
  constexpr double kBehind = -4;
  std::vector<Candidate> left;
  for (std::size_t i = 0; i < policies.size(); ++i) left.push_back({i, policies[i](), run()});
  std::size_t events = 0;
  for (std::size_t run = 0; run < instances && left.size() > 1 && (run < least || events < most_events);) {
    std::size_t count = std::min(kRound - run % kRound, instances - run);
    if (run < least) {
      count = std::min(count, least - run);
    } else if (run > 0) {  // about as many as there are events for
      const double each = static_cast<double>(events) / static_cast<double>(run);
      const double room = std::ceil(static_cast<double>(most_events - events) / each);
      if (room < static_cast<double>(count)) count = static_cast<std::size_t>(std::max(1.0, room));
    }
    std::vector<Instance> drawn(count);
    for (std::size_t i = 0; i < count; ++i) drawn[i] = draw(run + i);
    for_each_(left.size(), [&](std::size_t c) { left[c].run_all(drawn, availability_ != nullptr); });
    for (std::size_t i = 0; i < count; ++i, ++run) {
      if (run >= least && events >= most_events) {
        for (Candidate& one : left) one.forget_from(run);
        return left[leader_of(left)].place;
      }
      for (const Candidate& one : left) events += one.events[run];
    }
    if (run % kRound != 0) continue;
    const std::size_t leader = leader_of(left);
    const std::vector<double> completed = left[leader].completed;
    const std::vector<double> soon = left[leader].soon;
    std::erase_if(left, [&](const Candidate& one) {
      if (are_same(one.completed, completed)) return unseen == 0 && lead(one.soon, soon) < kBehind;
      return lead(one.completed, completed, unseen) < kBehind;
    });
  }
  return left[leader_of(left)].place;
}

}  // namespace coterie::heuristics
