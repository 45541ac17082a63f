#include "heuristics/return_messages/risk_aware_orders.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "heuristics/now/now_closed_forms.hpp"
#include "heuristics/return_messages/closed_forms.hpp"
#include "heuristics/return_messages/interrupted_returns.hpp"
#include "heuristics/return_messages/scenario_program.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

std::vector<std::size_t> ascending(std::size_t workers) {
  std::vector<std::size_t> order(workers);
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

class OrderMaximiser {
 public:
  OrderMaximiser(std::size_t workers, Enrolment enrolment, const std::function<double(const Scenario&)>& value)
      : workers_(workers), enrolment_(enrolment), value_(value), random_(kSeed) {}

  OrderChoice all_orders() {
    const unsigned subsets = 1U << workers_;
    for (unsigned subset = enrolment_ == Enrolment::kEveryone ? subsets - 1 : 1; subset < subsets; ++subset) {
      Scenario scenario;
      for (std::size_t i = 0; i < workers_; ++i)
        if ((subset >> i & 1U) != 0) scenario.send_order.push_back(i);
      do {
        scenario.return_order = scenario.send_order;
        std::sort(scenario.return_order.begin(), scenario.return_order.end());
        do record(scenario, value_(scenario));
        while (std::next_permutation(scenario.return_order.begin(), scenario.return_order.end()));
      } while (std::next_permutation(scenario.send_order.begin(), scenario.send_order.end()));
    }
    best_.proven = true;
    return best_;
  }

  OrderChoice search(const std::vector<Scenario>& starts) {
    for (const Scenario& start : starts) record(start, value_(start));
    for (const Scenario& start : starts) improve(start);
    for (int k = 0; k < kMostStarts && can_go_on(); ++k) {
      const std::vector<std::size_t> sent = shuffled();
      improve({sent, k % 3 == 0 ? sent : shuffled()});
    }
    return best_;
  }

 private:
  static constexpr double kBetter = 1e-12;     // least relative gain that counts as one
  static constexpr double kEffort = 4e8;       // multiplications spent at most, an evaluation taken for a linear system
  static constexpr int kMostStarts = 60;       // random ones
  static constexpr unsigned kSeed = 20050118;  // of the random starts; any number does

  bool can_go_on() const { return spent_ < kEffort; }

  void record(const Scenario& scenario, double value) {
    cancellation_point();
    if (value > best_.value || best_.scenario.send_order.empty()) {
      best_.scenario = scenario;
      best_.value = value;
    }
  }

  std::vector<std::size_t> shuffled() {
    std::vector<std::size_t> order = ascending(workers_);
    for (std::size_t k = order.size(); k > 1; --k)
      std::swap(order[k - 1], order[boost::random::uniform_int_distribution<std::size_t>(0, k - 1)(random_)]);
    return order;
  }

  bool take(const Scenario& changed) {
    cancellation_point();
    const auto size = static_cast<double>(changed.send_order.size());
    spent_ += size * size * (size + 8);
    const double found = value_(changed);
    const bool better =
        current_value_ == kNever ? found > kNever : found > current_value_ + kBetter * std::abs(current_value_);
    if (!better) return false;
    current_ = changed;
    current_value_ = found;
    return true;
  }

  static void move(std::vector<std::size_t>& order, std::size_t from, std::size_t to) {
    const std::size_t worker = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), worker);
  }

  /// Swaps and moves of one order (0: send, 1: return, 2: both alike).
  bool rearrange(int which) {
    bool gained = false;
    for (std::size_t from = 0; from < current_.send_order.size(); ++from)
      for (std::size_t to = 0; to < current_.send_order.size() && can_go_on(); ++to) {
        if (from == to) continue;
        Scenario moved = current_;
        if (which != 1) move(moved.send_order, from, to);
        if (which != 0) move(moved.return_order, from, to);
        gained |= take(moved);
        if (to <= from) continue;
        Scenario swapped = current_;
        if (which != 1) std::swap(swapped.send_order[from], swapped.send_order[to]);
        if (which != 0) std::swap(swapped.return_order[from], swapped.return_order[to]);
        gained |= take(swapped);
      }
    return gained;
  }

  bool leave_out() {
    bool gained = false;
    for (std::size_t worker = 0; worker < workers_ && current_.send_order.size() > 1 && can_go_on(); ++worker) {
      Scenario without = current_;
      if (std::erase(without.send_order, worker) == 0) continue;
      std::erase(without.return_order, worker);
      gained |= take(without);
    }
    return gained;
  }

  bool take_in() {
    bool gained = false;
    for (std::size_t worker = 0; worker < workers_; ++worker) {
      const auto& sent = current_.send_order;
      if (std::find(sent.begin(), sent.end(), worker) != sent.end()) continue;
      const std::size_t places = sent.size() + 1;
      for (std::size_t k = 0; k < places * places && can_go_on(); ++k) {
        Scenario with = current_;
        with.send_order.insert(with.send_order.begin() + static_cast<std::ptrdiff_t>(k / places), worker);
        with.return_order.insert(with.return_order.begin() + static_cast<std::ptrdiff_t>(k % places), worker);
        if (!take(with)) continue;
        gained = true;
        break;
      }
    }
    return gained;
  }

  void improve(const Scenario& start) {
    current_ = start;
    current_value_ = kNever;
    bool gained = take(start);
    while (gained && can_go_on()) {
      gained = rearrange(2);
      gained |= rearrange(0);
      gained |= rearrange(1);
      if (enrolment_ == Enrolment::kEveryone) continue;
      gained |= leave_out();
      gained |= take_in();
    }
    record(current_, current_value_);
  }

  std::size_t workers_;
  Enrolment enrolment_;
  const std::function<double(const Scenario&)>& value_;
  boost::random::mt19937_64 random_;
  double spent_ = 0;
  Scenario current_;
  double current_value_ = kNever;
  OrderChoice best_{{}, kNever, false};
};

/// The shares with which every enrolled worker is busy from its first message to its last; with one port, where they
/// overfill it, all shrink by the same factor. Nothing where one would be negative, or no such shares exist.
std::optional<StarSharing<double>> sharing_without_idle_time(const StarPlatform<double>& platform,
                                                             const Scenario& scenario, Ports ports) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto size = static_cast<Eigen::Index>(scenario.send_order.size());
  const std::vector<double> rows = scenario_rows(platform, scenario, Ports::kTwo);
  const Eigen::VectorXd solution =
      Eigen::Map<const Matrix>(rows.data(), size, size).partialPivLu().solve(Eigen::VectorXd::Ones(size));
  if (!solution.allFinite() || solution.minCoeff() < 0) return std::nullopt;
  StarSharing<double> sharing{scenario, std::vector<double>(platform.size(), 0.0), 0};
  double load = 0;
  for (Eigen::Index k = 0; k < size; ++k) {
    const std::size_t i = scenario.send_order[static_cast<std::size_t>(k)];
    sharing.shares[i] = solution[k];
    load += (platform[i].send_time + platform[i].return_time) * solution[k];
  }
  for (double& share : sharing.shares) {
    if (ports == Ports::kOne && load > 1) share /= load;
    sharing.throughput += share;
  }
  return sharing;
}

}  // namespace

std::optional<OrderChoice> choose_orders(std::size_t workers, Enrolment enrolment, const std::vector<Scenario>& starts,
                                         const std::function<double(const Scenario&)>& value) {
  if (workers == 0) throw InputError("there must be at least one worker");
  if (workers > kRiskAwareWorkers)
    throw InputError(
        fmt::format("orders are chosen by expectation for at most {} workers, not {}", kRiskAwareWorkers, workers));
  OrderMaximiser maximiser(workers, enrolment, value);
  OrderChoice found = workers <= kEnumeratedOrderWorkers ? maximiser.all_orders() : maximiser.search(starts);
  if (found.value == kNever) return std::nullopt;
  return found;
}

RiskAwareSharing best_expected_sharing(const StarPlatform<double>& platform, Ports ports, double lifespan,
                                       std::span<const RiskPtr> risks) {
  require_valid(platform);
  std::vector<Scenario> starts = {optimal_lifo(platform).scenario};
  if (return_ratio(platform) != ReturnRatio::kNone) starts.push_back(optimal_fifo(platform, ports).scenario);
  for (const auto& order : {order_by_send_time(platform), order_by_compute_time(platform)})
    starts.push_back({order, order});
  const auto better_of = [&](const Scenario& scenario) {
    StarSharing<double> sharing = solve_scenario(platform, scenario, ports);
    double value = expected_returned_work(platform, sharing, lifespan, risks);
    if (auto busy = sharing_without_idle_time(platform, scenario, ports)) {
      const double other = expected_returned_work(platform, *busy, lifespan, risks);
      if (other > value) {
        sharing = *std::move(busy);
        value = other;
      }
    }
    return std::pair(std::move(sharing), value);
  };
  const auto found = choose_orders(platform.size(), Enrolment::kAny, starts,
                                   [&](const Scenario& scenario) { return better_of(scenario).second; });
  return {better_of(found->scenario).first, found->value, found->proven};
}

std::optional<RiskAwareProtocol> best_expected_protocol(const Now<double>& now, double lifespan,
                                                        std::span<const RiskPtr> risks) {
  const std::size_t workers = now.workers.size();
  std::vector<Scenario> starts;
  for (const NowOrders& orders : {now_fifo(workers), now_lifo(workers)})
    starts.push_back({orders.start, orders.finish});
  const auto found = choose_orders(workers, Enrolment::kEveryone, starts, [&](const Scenario& scenario) {
    const NowOrders orders{scenario.send_order, scenario.return_order};
    const NowProtocol<double> protocol = any_now_protocol(now, orders);
    return protocol.feasible(lifespan) ? return_plan(now, orders, protocol, lifespan).expected(risks) : kNever;
  });
  if (!found) return std::nullopt;
  return RiskAwareProtocol{{found->scenario.send_order, found->scenario.return_order}, found->value, found->proven};
}

}  // namespace coterie::heuristics
