#pragma once

#include <utility>

#include "heuristics/now/now_protocol.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {

/// Small networks of short fractions, any two orders, and the same rounded.

inline Now<Rational> random_now(RandomStars& random, int workers) {
  Now<Rational> now{Rational(random.whole(0, 20), 100),
                    Rational(random.whole(1, 20), 50),
                    Rational(random.whole(0, 10), 50),
                    Rational(random.whole(0, 8), 4),
                    {}};
  for (int i = 0; i < workers; ++i) {
    NowWorker<Rational> worker;
    worker.work_time = Rational(random.whole(1, 12), 4);
    worker.packaging = Rational(random.whole(0, 5), 20);
    worker.unpackaging = Rational(random.whole(0, 5), 20);
    worker.setup_to = Rational(random.whole(0, 5), 10);
    worker.setup_from = Rational(random.whole(0, 5), 10);
    now.workers.push_back(worker);
  }
  return now;
}

inline NowOrders random_orders(RandomStars& random, std::size_t workers) {
  NowOrders orders = now_fifo(workers);
  for (auto* order : {&orders.start, &orders.finish})
    for (std::size_t k = 1; k < workers; ++k)
      std::swap((*order)[k], (*order)[static_cast<std::size_t>(random.whole(0, static_cast<int>(k)))]);
  return orders;
}

inline Now<double> to_doubles(const Now<Rational>& now) {
  Now<double> result{
      to_double(now.packaging), to_double(now.latency), to_double(now.transit), to_double(now.delta), {}};
  for (const auto& worker : now.workers)
    result.workers.push_back({to_double(worker.work_time), to_double(worker.packaging), to_double(worker.unpackaging),
                              to_double(worker.setup_to), to_double(worker.setup_from)});
  return result;
}

}  // namespace coterie::heuristics
