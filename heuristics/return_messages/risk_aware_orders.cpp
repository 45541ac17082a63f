#include "heuristics/return_messages/risk_aware_orders.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "heuristics/now/now_closed_forms.hpp"
#include "heuristics/return_messages/closed_forms.hpp"
#include "heuristics/return_messages/interrupted_returns.hpp"
#include "heuristics/return_messages/packing_program.hpp"
#include "heuristics/return_messages/scenario_program.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kNever = -kInfinity;

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

/// The two sharings of given orders that best_expected_sharing looks at, in memory that serves one after the other.
class ExpectedOfOrders {
 public:
  ExpectedOfOrders(const StarPlatform<double>& platform, Ports ports, double lifespan, std::span<const RiskPtr> risks)
      : platform_(platform), ports_(ports), lifespan_(lifespan), risks_(risks) {}

  /// What the better of the two is expected to return.
  double value(const Scenario& scenario) {
    const std::size_t size = scenario.send_order.size();
    const std::vector<double>& rows = rows_.of(platform_, scenario, ports_);
    solver_.maximise(rows, rows.size() / size, size);
    better_.assign(platform_.size(), 0.0);
    for (std::size_t k = 0; k < size; ++k) better_[scenario.send_order[k]] = solver_.solution()[k];
    const double value = expected(scenario, better_);
    if (!leave_nobody_idle(scenario, rows)) return value;
    const double other = expected(scenario, busy_);
    if (other > value) std::swap(better_, busy_);
    return std::max(value, other);
  }

  StarSharing<double> sharing(const Scenario& scenario) {
    value(scenario);
    return {without_idle_workers(scenario, better_), better_, std::accumulate(better_.begin(), better_.end(), 0.0)};
  }

 private:
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  /// The shares with which every enrolled worker is busy from its first message to its last; with one port, where they
  /// overfill it, all shrink by the same factor. False where one would be negative, or no such shares exist.
  bool leave_nobody_idle(const Scenario& scenario, const std::vector<double>& rows) {
    const auto size = static_cast<Eigen::Index>(scenario.send_order.size());
    factors_.compute(Eigen::Map<const Matrix>(rows.data(), size, size));
    solution_ = factors_.solve(Eigen::VectorXd::Ones(size));
    if (!solution_.allFinite() || solution_.minCoeff() < 0) return false;
    busy_.assign(platform_.size(), 0.0);
    double load = 0;
    for (Eigen::Index k = 0; k < size; ++k) {
      const std::size_t i = scenario.send_order[static_cast<std::size_t>(k)];
      busy_[i] = solution_[k];
      load += (platform_[i].send_time + platform_[i].return_time) * solution_[k];
    }
    if (ports_ == Ports::kOne && load > 1)
      for (double& share : busy_) share /= load;
    return true;
  }

  /// expected_returned_work, term by term.
  double expected(const Scenario& scenario, const std::vector<double>& shares) {
    times_.resize(platform_.size());
    double end = 1;
    for (auto i = scenario.return_order.rbegin(); i != scenario.return_order.rend(); ++i) {
      times_[*i] = end * lifespan_;
      end -= platform_[*i].return_time * shares[*i];
    }
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (const double work = shares[i] * lifespan_; work > 0) sum += work * risks_[i]->survival(times_[i]);
    return sum;
  }

  const StarPlatform<double>& platform_;
  Ports ports_;
  double lifespan_;
  std::span<const RiskPtr> risks_;
  ScenarioRows<double> rows_;
  PackingSolver<double> solver_;
  Eigen::PartialPivLU<Matrix> factors_;
  Eigen::VectorXd solution_;
  std::vector<double> better_;
  std::vector<double> busy_;
  std::vector<double> times_;
};

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
  const StarSharing<double> lifo = optimal_lifo(platform);
  expected_returned_work(platform, lifo, lifespan, risks);  // says what is wrong with the lifespan or the risks
  std::vector<Scenario> starts = {lifo.scenario};
  if (return_ratio(platform) != ReturnRatio::kNone) starts.push_back(optimal_fifo(platform, ports).scenario);
  for (const auto& order : {order_by_send_time(platform), order_by_compute_time(platform)})
    starts.push_back({order, order});
  ExpectedOfOrders expected(platform, ports, lifespan, risks);
  const auto found = choose_orders(platform.size(), Enrolment::kAny, starts,
                                   [&](const Scenario& scenario) { return expected.value(scenario); });
  RiskAwareSharing best{expected.sharing(found->scenario), found->value, found->proven};
  // Orders may have several sharings of greatest throughput: the paper's need not be the one tried.
  const auto compare = [&](StarSharing<double> sharing) {
    const double value = expected_returned_work(platform, sharing, lifespan, risks);
    if (value > best.expected) best = {std::move(sharing), value, best.proven};
  };
  compare(lifo);
  if (return_ratio(platform) != ReturnRatio::kNone) compare(optimal_fifo(platform, ports));
  return best;
}

std::optional<RiskAwareProtocol> best_expected_protocol(const Now<double>& now, double lifespan,
                                                        std::span<const RiskPtr> risks) {
  const std::size_t workers = now.workers.size();
  std::vector<Scenario> starts;
  for (const NowOrders& orders : {now_fifo(workers), now_lifo(workers)})
    starts.push_back({orders.start, orders.finish});
  const auto choose = [&](bool one_at_a_time) {
    return choose_orders(workers, Enrolment::kEveryone, starts, [&](const Scenario& scenario) {
      const NowOrders orders{scenario.send_order, scenario.return_order};
      const NowProtocol<double> protocol = any_now_protocol(now, orders);
      if (!(one_at_a_time ? protocol.fits(lifespan) : protocol.feasible(lifespan))) return kNever;
      return return_plan(now, orders, protocol, lifespan).expected(risks);
    });
  };
  auto found = choose(true);
  if (!found) found = choose(false);
  if (!found) return std::nullopt;
  return RiskAwareProtocol{{found->scenario.send_order, found->scenario.return_order}, found->value, found->proven};
}

}  // namespace coterie::heuristics
