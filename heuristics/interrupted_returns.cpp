#include "heuristics/interrupted_returns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "core/errors.hpp"

namespace coterie::heuristics {

std::vector<double> return_times(const StarPlatform<double>& platform, const StarSharing<double>& sharing,
                                 double lifespan) {
  std::vector<double> times(platform.size(), 0.0);
  double end = 1;
  for (auto i = sharing.scenario.return_order.rbegin(); i != sharing.scenario.return_order.rend(); ++i) {
    times[*i] = end * lifespan;
    end -= platform[*i].return_time * sharing.shares[*i];
  }
  return times;
}

double expected_returned_work(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan,
                              std::span<const RiskPtr> risks) {
  if (risks.size() != platform.size())
    throw InputError(fmt::format("there are {} workers, but {} risks", platform.size(), risks.size()));
  if (!std::isfinite(lifespan) || lifespan < 0) throw InputError("the lifespan must be finite and zero or more");
  const std::vector<double> times = return_times(platform, sharing, lifespan);
  double expected = 0;
  for (const std::size_t i : sharing.scenario.return_order)
    expected += lifespan * sharing.shares[i] * (1 - risks[i]->probability(times[i]));
  return expected;
}

double best_lifespan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double longest,
                     int steps, std::span<const RiskPtr> risks) {
  if (steps < 1) throw InputError("the number of steps must be at least 1");
  const auto loss = [&](double lifespan) { return -expected_returned_work(platform, sharing, lifespan, risks); };
  const double step = longest / steps;
  double best = longest;
  for (int k = steps - 1; k > 0; --k)
    if (loss(k * step) < loss(best)) best = k * step;
  constexpr int kBits = 26;  // half of a double's: a minimum is no sharper than that
  const auto [refined, value] =
      boost::math::tools::brent_find_minima(loss, std::max(0.0, best - step), std::min(longest, best + step), kBits);
  return value < loss(best) ? refined : best;
}

}  // namespace coterie::heuristics
