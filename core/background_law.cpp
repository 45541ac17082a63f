#include "core/background_law.hpp"

#include <fmt/format.h>

#include <cmath>

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

double BackgroundLaw::equilibrium_mean() const {
  if (!(load() < 1))
    throw InputError(
        fmt::format("arrival {} is not below service {} (rho = {}): background jobs have no equilibrium then; write "
                    "arrival < service",
                    to_text(arrival), to_text(service), to_text(load())));
  return (departures == Departures::kShared ? 2 : 1) * load() / (1 - load());
}

void refuse_long_path(std::size_t changes, double time) {
  throw RuntimeError(
      fmt::format("background jobs change more than {} times before time {}: the load cannot be followed "
                  "to its end (lower arrival, or raise service)",
                  changes, to_text(time)));
}

}  // namespace coterie
