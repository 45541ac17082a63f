#include "heuristics/worksharing/zone_placement.hpp"

#include <boost/random/uniform_int_distribution.hpp>
#include <numeric>
#include <utility>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "heuristics/worksharing/random_replication.hpp"

namespace coterie::heuristics {
namespace {

using Order = std::vector<std::uint32_t>;

Order packed(std::size_t workers) {
  Order order(workers);
  std::iota(order.begin(), order.end(), 0u);
  return order;
}

/// The first workers of all zones, then their second ones, and so on.
Order spread(std::size_t workers, const Zones& zones) {
  std::vector<std::uint32_t> first(zones.count + 1, static_cast<std::uint32_t>(workers));
  for (std::size_t w = workers; w-- > 0;) first[zones.of(w, workers)] = static_cast<std::uint32_t>(w);
  Order order;
  for (std::uint32_t i = 0; order.size() < workers; ++i)
    for (std::size_t zone = 0; zone < zones.count; ++zone)
      if (first[zone] + i < first[zone + 1]) order.push_back(first[zone] + i);
  return order;
}

/// [Fisher and Yates; Durstenfeld 1964]
Order dealt(std::size_t workers, const StreamKey& deal) {
  Order order = packed(workers);
  Stream stream(deal, 0, 0);
  for (std::size_t left = workers; left > 1; --left) {
    const std::size_t chosen = boost::random::uniform_int_distribution<std::size_t>(0, left - 1)(stream);
    std::swap(order[left - 1], order[chosen]);
  }
  return order;
}

constexpr std::size_t kMostTasks = 100'000;  // of all schedules that are tried

/// Swaps lists of workers that differ in zone or risk while that is worth something, as often as is quickly tried, with
/// random numbers that are always the same. Nothing is worth more than on independent workers (core/zones.hpp), which
/// bounds all orders where the workers are alike.
void exchange(const Schedule& schedule, std::span<const RiskPtr> risks, const Zones& zones, Order& order,
              double& expected) {
  const double most =
      (risks.size() == 1 ? coterie::expected_work(schedule, risks) : schedule.deployed_work()) * (1 - 1e-9);
  const auto risk_of = [&](std::uint32_t worker) { return risks[risks.size() == 1 ? 0 : worker].get(); };
  const std::size_t tasks = 1 + task_count(schedule);
  Stream stream(StreamKey::derive(0, 0, Use::kDeal), 1, 0);
  boost::random::uniform_int_distribution<std::size_t> any(0, order.size() - 1);
  for (std::size_t left = kMostTasks / tasks; left > 0 && expected < most; --left) {
    cancellation_point();
    const std::size_t i = any(stream);
    const std::size_t j = any(stream);
    if (zones.of(order[i], order.size()) == zones.of(order[j], order.size()) && risk_of(order[i]) == risk_of(order[j]))
      continue;
    std::swap(order[i], order[j]);
    const double swapped = coterie::expected_work(schedule.run_by(order), risks, zones);
    if (swapped > expected) {
      expected = swapped;
    } else {
      std::swap(order[i], order[j]);
    }
  }
}

}  // namespace

const std::vector<std::string>& ZonePlacement::words() {
  static const std::vector<std::string> words = {"known", "packed", "spread", "blind"};
  return words;
}

ZonePlacement::ZonePlacement(const WorksharingProblem& problem, const Zones& zones, Rule rule, const StreamKey& deal)
    : zones_(zones), rule_(rule), workers_(problem.workers), risks_(problem.risks().begin(), problem.risks().end()) {
  COTERIE_REQUIRE(zones.bind(problem.workers));
  const bool all = rule == Rule::kKnown;
  if (all || rule == Rule::kSpread) orders_.push_back(spread(problem.workers, zones));
  if (all || rule == Rule::kPacked) orders_.push_back(packed(problem.workers));
  if (all || rule == Rule::kBlind) orders_.push_back(dealt(problem.workers, deal));
  always_tried_ = orders_.size();
  constexpr std::uint64_t kDeals = 8;  // the same whatever the seed, which should decide little
  if (all)
    for (std::uint64_t i = 1; i <= kDeals; ++i)
      orders_.push_back(dealt(problem.workers, StreamKey::derive(0, i, Use::kDeal)));
}

ZonePlacement::Choice ZonePlacement::best_order(const Schedule& schedule) const {
  Choice best;
  const bool quick = (1 + task_count(schedule)) * orders_.size() <= kMostTasks;
  for (std::size_t i = 0; i < (quick ? orders_.size() : always_tried_); ++i) {
    cancellation_point();
    const double expected = coterie::expected_work(schedule.run_by(orders_[i]), risks_, zones_);
    if (i == 0 || expected > best.expected_work) best = {i, expected};
  }
  return best;
}

double ZonePlacement::expected_work(const Plan& plan) const { return placed(plan).expected_work; }

Plan ZonePlacement::placed(Plan plan) const {
  if (!plan.schedule) {
    plan.expected_work = expected_by_random_replication(*plan.random, risks_, workers_, zones_);
    return plan;
  }
  const Choice choice = best_order(*plan.schedule);
  Order order = orders_[choice.order];
  plan.expected_work = choice.expected_work;
  if (known()) exchange(*plan.schedule, risks_, zones_, order, plan.expected_work);
  if (order == packed(order.size())) return plan;
  plan.schedule = std::make_shared<const Schedule>(plan.schedule->run_by(order));
  plan.coteries.clear();
  return plan;
}

}  // namespace coterie::heuristics
