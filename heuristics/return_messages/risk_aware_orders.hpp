#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/now/now_protocol.hpp"
#include "heuristics/return_messages/star_platform.hpp"

namespace coterie::heuristics {

/// The most workers for which all orders are tried, and for which orders are searched at all.
inline constexpr std::size_t kEnumeratedOrderWorkers = 5;
inline constexpr std::size_t kRiskAwareWorkers = 40;

/// Whether workers may be left out.
enum class Enrolment { kAny, kEveryone };

/// The orders of greatest value. `proven`: all were tried.
struct OrderChoice {
  Scenario scenario;
  double value = 0;
  bool proven = false;
};

/// Maximises `value` over pairs of orders (and over who is enrolled). With at most kEnumeratedOrderWorkers workers,
/// tries all. With more, a local search (swap two, move one, in either order or both; leave one out, take one in) from
/// `starts` and from random orders; deterministic, never below the best start. `value` may be negative infinity for
/// orders that cannot be used; nothing is returned if all are unusable.
/// Throws InputError for more than kRiskAwareWorkers workers.
std::optional<OrderChoice> choose_orders(std::size_t workers, Enrolment enrolment, const std::vector<Scenario>& starts,
                                         const std::function<double(const Scenario&)>& value);

/// The sharing with the greatest expected returned work (interrupted_returns) in a schedule of length `lifespan`, over
/// orders and enrolled workers. For each of these two sharings are tried: one of greatest throughput
/// (scenario_program), and that in which nobody is idle, which may return more if it gives less work to workers at
/// risk. The strategies of [return-messages-2005, Section 5] are among them (opt-fifo if return times are proportional
/// to send times). Other shares are not tried. `proven`: all orders were.
struct RiskAwareSharing {
  StarSharing<double> sharing;
  double expected = 0;
  bool proven = false;
};
RiskAwareSharing best_expected_sharing(const StarPlatform<double>& platform, Ports ports, double lifespan,
                                       std::span<const RiskPtr> risks);

/// The same for the orders of a network's protocol in `lifespan`, everyone enrolled, among those that fit, or
/// among all feasible ones if none tried fits; nothing if no protocol tried is feasible.
struct RiskAwareProtocol {
  NowOrders orders;
  double expected = 0;
  bool proven = false;
};
std::optional<RiskAwareProtocol> best_expected_protocol(const Now<double>& now, double lifespan,
                                                        std::span<const RiskPtr> risks);

}  // namespace coterie::heuristics
