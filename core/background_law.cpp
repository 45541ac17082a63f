#include "core/background_law.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <numbers>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie {

void BackgroundLaw::validate() const {
  constexpr std::int64_t kMostJobs = 1'000'000'000'000;
  if (!(arrival >= 0 && std::isfinite(arrival)))
    throw InputError(fmt::format("arrival must be a finite rate of at least 0, not {}", to_text(arrival)));
  if (!(service > 0 && std::isfinite(service)))
    throw InputError(fmt::format("service must be a positive, finite rate, not {}", to_text(service)));
  if (initial < 0 || initial > kMostJobs)
    throw InputError(fmt::format("initial must be a number of jobs from 0 to {}, not {}", kMostJobs, initial));
}

BackgroundLaw::Change BackgroundLaw::change(std::int64_t jobs) const {
  const auto n = static_cast<double>(jobs);
  const double shared = departures == Departures::kShared ? n / (n + 1) : 1;
  const double rate = jobs > 0 ? arrival + service * shared : arrival;
  const double share = jobs > 0 && rate > 0 ? arrival / rate : 1;
  return {1 / rate, static_cast<std::uint64_t>(share * 0x1p32 + 0.5)};
}

double BackgroundLaw::equilibrium_mean() const {
  if (!(load() < 1))
    throw InputError(
        fmt::format("arrival {} is not below service {} (rho = {}): background jobs have no equilibrium then; write "
                    "arrival < service",
                    to_text(arrival), to_text(service), to_text(load())));
  return (departures == Departures::kShared ? 2 : 1) * load() / (1 - load());
}

double to_exponential(std::uint32_t word) {
  // u = odd / 2^33 = m 2^(power - 33), m in [sqrt(1/2), sqrt(2)).
  constexpr auto kRootHalf = std::bit_cast<std::uint64_t>(std::numbers::sqrt2 / 2);
  const auto odd = std::bit_cast<std::uint64_t>(2 * static_cast<double>(word) + 1);
  const std::uint64_t power = (odd - kRootHalf) >> 52;
  const auto m = std::bit_cast<double>(odd - (power << 52));
  // ln m = 2 artanh s = 2 s (1 + s^2/3 + s^4/5 + ...), s = (m - 1) / (m + 1), |s| < 0.172; what is left out
  // is below s^16/17 < 4e-14 of it, and far below the spacing of u.
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 1.0 / 15;
  for (int term = 13; term >= 1; term -= 2) series = series * square + 1.0 / term;
  return (33 - static_cast<double>(power)) * std::numbers::ln2 - 2 * s * series;
}

void refuse_long_path(std::size_t changes, double time) {
  throw RuntimeError(
      fmt::format("background jobs change more than {} times before time {}: the workload cannot be followed to its "
                  "end (lower arrival, or raise service)",
                  changes, to_text(time)));
}

}  // namespace coterie
