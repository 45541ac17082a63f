#include "heuristics/return_messages/star_strategies.hpp"

#include <fmt/format.h>

#include "heuristics/return_messages/closed_forms.hpp"
#include "heuristics/return_messages/order_search.hpp"
#include "heuristics/return_messages/scenario_program.hpp"

namespace coterie::heuristics {
namespace {

constexpr const char* kPaper = "return-messages-2005, Section 5";

const char* ports_text(Ports ports) { return ports == Ports::kOne ? ", one port" : ""; }

template <class Number>
StarAnswer<Number> best_of_sorted(const StarPlatform<Number>& platform, OrderKind kind, Ports ports) {
  StarAnswer<Number> answer;
  if (return_ratio(platform) != ReturnRatio::kNone) {
    answer.sharing = optimal_fifo(platform, ports);
  } else {
    std::vector<std::size_t> order = order_by_send_time(platform);
    std::erase_if(order, [&](std::size_t i) { return platform[i].send_time == 0 && platform[i].compute_time == 0; });
    answer.sharing = fifo_with_everyone(platform, order, ports);
    for (std::size_t i = 0; i < platform.size(); ++i) {  // those left out, each alone
      if (platform[i].send_time != 0 || platform[i].compute_time != 0) continue;
      const Number alone = Number(1) / platform[i].return_time;
      if (!(alone > answer.sharing.throughput)) continue;
      answer.sharing = {{{i}, {i}}, std::vector<Number>(platform.size(), Number(0)), alone};
      answer.sharing.shares[i] = alone;
    }
  }
  answer.method = fmt::format("FIFO by send time (more than {} workers: orders not searched){}", kSearchedWorkers,
                              ports_text(ports));
  if (kind == OrderKind::kFifo) return answer;
  if (StarSharing<Number> lifo = optimal_lifo(platform); lifo.throughput > answer.sharing.throughput)
    answer.sharing = std::move(lifo);
  answer.method = fmt::format("better of FIFO by send time and LIFO (more than {} workers: orders not searched){}",
                              kSearchedWorkers, ports_text(ports));
  return answer;
}

std::string shrunk_text(Ports ports) {
  return ports == Ports::kOne ? ", or where that overfills the one port all shares shrunk alike" : "";
}

template <class Number>
StarAnswer<Number> best_over_orders(const StarPlatform<Number>& platform, OrderKind kind, Ports ports) {
  require_valid(platform);
  if (platform.size() > kSearchedWorkers) return best_of_sorted(platform, kind, ports);
  OrderSearchResult<Number> found = best_orders(platform, kind, ports);
  const char* what = kind == OrderKind::kFifo ? "FIFO orders" : "pairs of orders";
  return {std::move(found.sharing),
          found.proven ? fmt::format("branch and bound over all {}{}", what, ports_text(ports))
                       : fmt::format("local search over {} within a fixed effort, not proven optimal{}", what,
                                     ports_text(ports)),
          found.proven};
}

template <class Number>
StarAnswer<Number> opt_fifo(const StarPlatform<Number>& platform, Ports ports) {
  require_valid(platform);
  if (return_ratio(platform) == ReturnRatio::kNone) {
    StarAnswer<Number> answer = best_over_orders(platform, OrderKind::kFifo, ports);
    answer.method += "; return times are not proportional to send times, so Theorem 2 does not apply";
    return answer;
  }
  return {optimal_fifo(platform, ports),
          fmt::format("return-messages-2005 Theorem 2, corrected recurrence of Proposition 2{}", ports_text(ports)),
          true};
}

template <class Number>
StarAnswer<Number> opt_lifo(const StarPlatform<Number>& platform, Ports) {
  return {optimal_lifo(platform), "return-messages-2005 Theorem 1, corrected recurrence of Proposition 1", true};
}

template <class Number>
StarAnswer<Number> fifo_inc_c(const StarPlatform<Number>& platform, Ports ports) {
  require_valid(platform);
  return {fifo_with_everyone(platform, order_by_send_time(platform), ports),
          fmt::format("FIFO-INC-C (return-messages-2005 Section 5): everyone, by send time, no idle time{}",
                      shrunk_text(ports)),
          true};
}

template <class Number>
StarAnswer<Number> fifo_inc_w(const StarPlatform<Number>& platform, Ports ports) {
  require_valid(platform);
  return {fifo_with_everyone(platform, order_by_compute_time(platform), ports),
          fmt::format("FIFO-INC-W (return-messages-2005 Section 5): everyone, by compute time, no idle time{}",
                      shrunk_text(ports)),
          true};
}

template <class Number>
StarAnswer<Number> best_pair(const StarPlatform<Number>& platform, Ports ports) {
  return best_over_orders(platform, OrderKind::kPair, ports);
}

using Exact = std::optional<StarAnswer<Rational>>;

template <StarAnswer<Rational> (*solve)(const StarPlatform<Rational>&, Ports)>
Exact up_to_closed_form_limit(const StarPlatform<Rational>& platform, Ports ports) {
  if (platform.size() > kExactClosedFormWorkers) return std::nullopt;
  return solve(platform, ports);
}

Exact exact_best_pair(const StarPlatform<Rational>& platform, Ports ports) {
  if (platform.size() > kExactScenarioWorkers) return std::nullopt;
  return best_pair(platform, ports);
}

/// Times rounded to doubles (d = 0.8 c written with 17 digits) are proportional only nearly: beyond the proven searches
/// the closed form in doubles is then the better answer.
Exact exact_opt_fifo(const StarPlatform<Rational>& platform, Ports ports) {
  if (platform.size() > kExactClosedFormWorkers) return std::nullopt;
  if (return_ratio(platform) == ReturnRatio::kNone && platform.size() > kProvenFifoWorkers &&
      (platform.size() > kExactScenarioWorkers || return_ratio(to_doubles(platform)) != ReturnRatio::kNone))
    return std::nullopt;
  return opt_fifo(platform, ports);
}

}  // namespace

const std::vector<StarStrategy>& star_strategies() {
  static const std::vector<StarStrategy> table = {
      {"opt-fifo", "the best FIFO scenario", kPaper, opt_fifo<double>, exact_opt_fifo},
      {"opt-lifo", "the best LIFO scenario", kPaper, opt_lifo<double>, up_to_closed_form_limit<opt_lifo<Rational>>},
      {"fifo-inc-c", "FIFO, everyone enrolled, by non-decreasing send time", kPaper, fifo_inc_c<double>,
       up_to_closed_form_limit<fifo_inc_c<Rational>>},
      {"fifo-inc-w", "FIFO, everyone enrolled, by non-decreasing compute time", kPaper, fifo_inc_w<double>,
       up_to_closed_form_limit<fifo_inc_w<Rational>>},
      {"best-pair", "the best pair of send and return orders", "return-messages-2005, Section 7", best_pair<double>,
       exact_best_pair},
  };
  return table;
}

}  // namespace coterie::heuristics
