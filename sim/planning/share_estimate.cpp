#include "sim/planning/share_estimate.hpp"

#include <boost/math/distributions/binomial.hpp>

#include "core/contract.hpp"

namespace coterie::sim {

ShareEstimate estimate_share(std::size_t hits, std::size_t runs, double level) {
  COTERIE_REQUIRE(runs > 0 && hits <= runs && level > 0 && level < 1);
  using Binomial = boost::math::binomial_distribution<>;
  const auto n = static_cast<double>(runs);
  const auto k = static_cast<double>(hits);
  const double tail = (1 - level) / 2;
  return {k / n, hits == 0 ? 0 : Binomial::find_lower_bound_on_p(n, k, tail),
          hits == runs ? 1 : Binomial::find_upper_bound_on_p(n, k, tail)};
}

}  // namespace coterie::sim
