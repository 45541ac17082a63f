#pragma once

#include <algorithm>
#include <numeric>

#include "heuristics/return_messages/order_proof.hpp"
#include "heuristics/return_messages/scenario_program.hpp"

namespace coterie::heuristics {

/// The greatest exact throughput over all permutations of all workers (a share of 0 leaves a worker out).
struct BruteForce {
  Rational fifo = 0;
  Rational lifo = 0;
  Rational pair = 0;
};

inline BruteForce brute_force(const StarPlatform<Rational>& platform, Ports ports, OrderKind kind = OrderKind::kPair) {
  BruteForce best;
  std::vector<std::size_t> sent(platform.size());
  std::iota(sent.begin(), sent.end(), std::size_t{0});
  do {
    const auto value = [&](const std::vector<std::size_t>& returned) {
      return solve_scenario(platform, {sent, returned}, ports).throughput;
    };
    best.fifo = std::max(best.fifo, value(sent));
    best.lifo = std::max(best.lifo, value({sent.rbegin(), sent.rend()}));
    if (kind == OrderKind::kFifo) continue;
    std::vector<std::size_t> returned(platform.size());
    std::iota(returned.begin(), returned.end(), std::size_t{0});
    do best.pair = std::max(best.pair, value(returned));
    while (std::next_permutation(returned.begin(), returned.end()));
  } while (std::next_permutation(sent.begin(), sent.end()));
  return best;
}

/// Plays the schedule from the shares alone: messages out one after another from 0, messages back one after another
/// until 1, each worker computing in between. True where everything fits.
inline bool fits(const StarPlatform<Rational>& platform, const StarSharing<Rational>& sharing, Ports ports) {
  std::vector<Rational> received(platform.size());
  Rational now = 0;
  for (const std::size_t i : sharing.scenario.send_order) {
    now += platform[i].send_time * sharing.shares[i];
    received[i] = now;
  }
  const Rational all_sent = now;
  now = 1;
  for (auto i = sharing.scenario.return_order.rbegin(); i != sharing.scenario.return_order.rend(); ++i) {
    now -= platform[*i].return_time * sharing.shares[*i];
    if (received[*i] + platform[*i].compute_time * sharing.shares[*i] > now) return false;
  }
  Rational total = 0;
  for (const Rational& share : sharing.shares) {
    if (share < 0) return false;
    total += share;
  }
  return total == sharing.throughput && (ports == Ports::kTwo || all_sent <= now);
}

}  // namespace coterie::heuristics
