#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/now/now_protocol.hpp"
#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// Up to how many workers all orders are looked at, and up to how many they are searched.
inline constexpr std::size_t kEnumeratedOrderWorkers = 5;
inline constexpr std::size_t kRiskAwareWorkers = 40;

/// Whether workers may be left out.
enum class Enrolment { kAny, kEveryone };

/// The orders of greatest value. `proven`: all were looked at.
struct OrderChoice {
  Scenario scenario;
  double value = 0;
  bool proven = false;
};

/// Maximises `value` over pairs of orders (and over who is enrolled). At most kEnumeratedOrderWorkers workers: all of
/// them. More: local search (swap two, move one, in either order or in both; leave one out, take one in) from `starts`
/// and from random orders, deterministic, never below the best start. `value` may be negative infinity for orders that
/// cannot be used; nothing is returned where all are.
/// Throws InputError for more than kRiskAwareWorkers workers.
std::optional<OrderChoice> choose_orders(std::size_t workers, Enrolment enrolment, const std::vector<Scenario>& starts,
                                         const std::function<double(const Scenario&)>& value);

/// The sharing with the greatest expected returned work (interrupted_returns) in a schedule of length `lifespan`, over
/// orders and enrolled workers. For each of these two sharings are looked at: that of greatest throughput
/// (scenario_program), and that in which nobody is idle, which may return more where it serves those at risk less: the
/// strategies of [return-messages-2005, Section 5] are among them. Other shares are not looked at.
struct RiskAwareSharing {
  StarSharing<double> sharing;
  double expected = 0;
  bool proven = false;
};
RiskAwareSharing best_expected_sharing(const StarPlatform<double>& platform, Ports ports, double lifespan,
                                       std::span<const RiskPtr> risks);

/// The same for the orders of a network's protocol in `lifespan`, everyone enrolled; nothing where no protocol that was
/// looked at is feasible.
struct RiskAwareProtocol {
  NowOrders orders;
  double expected = 0;
  bool proven = false;
};
std::optional<RiskAwareProtocol> best_expected_protocol(const Now<double>& now, double lifespan,
                                                        std::span<const RiskPtr> risks);

}  // namespace coterie::heuristics
