#include "heuristics/return_messages/order_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "heuristics/return_messages/closed_forms.hpp"
#include "heuristics/return_messages/packing_program.hpp"
#include "heuristics/return_messages/scenario_program.hpp"

namespace coterie::heuristics {
namespace {

class LocalSearch {
 public:
  LocalSearch(const StarPlatform<double>& platform, OrderKind kind, Ports ports)
      : platform_(platform), kind_(kind), ports_(ports), random_(kSeed) {
    const double size = static_cast<double>(platform.size());
    cost_ = size * size * (size + 4);  // about one simplex: as many pivots as workers
  }

  /// From the sorted orders, and from random ones too unless a proof follows, which needs no more than a good start.
  Scenario run(bool is_proven_next) {
    for (const Scenario& start : sorted_starts()) improve(start);
    const int random_starts = is_proven_next ? 0 : kMostStarts;
    for (int k = 0; k < random_starts && spent_ < kEffort; ++k) improve(random_start());
    return best_;
  }

 private:
  static constexpr int kMostStarts = 300;
  static constexpr double kBetter = 1e-12;     // least relative gain that counts as one
  static constexpr double kEffort = 1e9;       // multiplications spent at most, whatever the machine
  static constexpr unsigned kSeed = 20050118;  // of the random starts; any number does

  std::vector<Scenario> sorted_starts() const {
    std::vector<Scenario> starts;
    for (std::vector<std::size_t> order : {order_by_send_time(platform_), order_by_communication(platform_),
                                           order_by_send_time(reversed_in_time(platform_))}) {
      const std::vector<std::size_t> flipped(order.rbegin(), order.rend());
      starts.push_back({order, order});
      starts.push_back({flipped, flipped});
      if (kind_ == OrderKind::kPair) starts.push_back({order, flipped});
    }
    return starts;
  }

  std::vector<std::size_t> shuffled() {
    std::vector<std::size_t> order(platform_.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t at = boost::random::uniform_int_distribution<std::size_t>(0, k)(random_);
      order[k] = order[at];
      order[at] = k;
    }
    return order;
  }

  Scenario random_start() {
    const std::vector<std::size_t> sent = shuffled();
    if (kind_ == OrderKind::kFifo) return {sent, sent};
    return {sent, shuffled()};
  }

  double value(const Scenario& scenario) {
    cancellation_point();
    spent_ += cost_;
    const std::size_t size = platform_.size();
    const std::vector<double>& rows = rows_.of(platform_, scenario, ports_);
    return solver_.maximise(rows, rows.size() / size, size);
  }

  /// Takes the changed scenario if it is better.
  bool take(const Scenario& changed) {
    const double found = value(changed);
    if (found <= current_value_ * (1 + kBetter)) return false;
    current_ = changed;
    current_value_ = found;
    return true;
  }

  template <class Change>
  bool try_change(int which, const Change& change) {
    changed_ = current_;
    if (which != 1) change(changed_.send_order);
    if (which != 0) change(changed_.return_order);
    return take(changed_);
  }

  /// One pass over all swaps and moves of one order (0: send, 1: return, 2: both at once).
  bool pass(int which) {
    bool gained = false;
    const auto size = static_cast<std::ptrdiff_t>(platform_.size());
    for (std::ptrdiff_t from = 0; from < size; ++from) {
      for (std::ptrdiff_t to = 0; to < size && spent_ < kEffort; ++to) {
        if (from == to) continue;
        if (from < to)
          gained |= try_change(which, [&](auto& order) {
            std::swap(order[static_cast<std::size_t>(from)], order[static_cast<std::size_t>(to)]);
          });
        if (to != from + 1)  // moving one place forth is the swap above
          gained |= try_change(which, [&](auto& order) {
            const auto begin = order.begin();
            if (from < to) {
              std::rotate(begin + from, begin + from + 1, begin + to + 1);
            } else {
              std::rotate(begin + to, begin + from, begin + from + 1);
            }
          });
      }
    }
    return gained;
  }

  void improve(const Scenario& start) {
    current_ = start;
    current_value_ = value(start);
    bool gained = true;
    while (gained && spent_ < kEffort) {
      if (kind_ == OrderKind::kFifo) {
        gained = pass(2);
      } else {
        const bool first = pass(0);
        gained = pass(1) || first;
      }
    }
    if (current_value_ > best_value_ * (1 + kBetter)) {
      best_ = current_;
      best_value_ = current_value_;
    }
  }

  const StarPlatform<double>& platform_;
  OrderKind kind_;
  Ports ports_;
  boost::random::mt19937_64 random_;
  ScenarioRows<double> rows_;
  PackingSolver<double> solver_;
  double cost_ = 0;
  double spent_ = 0;
  Scenario current_;
  Scenario changed_;
  double current_value_ = 0;
  Scenario best_;
  double best_value_ = -1;
};

}  // namespace

template <class Number>
OrderSearchResult<Number> best_orders(const StarPlatform<Number>& platform, OrderKind kind, Ports ports) {
  require_valid(platform);
  if (platform.size() > kSearchedWorkers)
    throw InputError(fmt::format("orders are searched for at most {} workers", kSearchedWorkers));
  const StarPlatform<double> rounded = to_doubles(platform);
  const bool is_proven = platform.size() <= (kind == OrderKind::kFifo ? kProvenFifoWorkers : kProvenPairWorkers);
  const Scenario found = LocalSearch(rounded, kind, ports).run(is_proven);
  if (is_proven) return {prove_orders(platform, kind, ports, found), true};
  return {solve_scenario(platform, found, ports), false};
}

template OrderSearchResult<double> best_orders(const StarPlatform<double>&, OrderKind, Ports);
template OrderSearchResult<Rational> best_orders(const StarPlatform<Rational>&, OrderKind, Ports);

}  // namespace coterie::heuristics
