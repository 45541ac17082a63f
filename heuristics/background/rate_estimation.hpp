#pragma once

#include <vector>

namespace coterie::heuristics {

/// An estimate of an exponential rate from weighted intervals.
struct RateEstimate {
  double rate = 0;            ///< sum of weights / sum of weights * intervals: (10) and (11)
  double corrected = 0;       ///< rate * (1 - 1 / effective_size)
  double effective_size = 0;  ///< n_eff = 1 / sum w_i^2, w_i the normalised weights
};

/// Weighted maximum likelihood of the rate of independent exponential intervals, the oldest first.
/// [Wu, Cao, Robertazzi 2019], (8)-(11); weights as time-varying-2019, section 9 describes them.
///
/// Requirements on the intervals:
/// - for arrivals: complete times between arrivals before our job comes. The open time since the last arrival is
///   exponential too, looking back, and may be added as the newest.
/// - for departures: SERVICE requirements, or busy time per departure - not the time that a job stays. Stays estimate
///   service - arrival in a queue of one server, and depend on the discipline and on our own job, which slows the
///   others under equal sharing. Jobs still unfinished must not be dropped: long ones are missing more often
///   (censoring), which makes the rate too high.
/// The estimate is always too high on average: by n / (n - 1) for n equal weights, by about 1 + 1 / n_eff in general,
/// and has no mean for n = 1. `corrected` is unbiased for equal weights, nearly so for many linear ones, and too low
/// where weights fade fast: on average 0.92 times the true rate for a ratio of 0.5, 0.47 times for 0.1. The rate tends
/// to the true rate only if n_eff grows without bound: it does for linear weights (about 3 n / 4), it does not for
/// geometric ones with g < 1 (n_eff -> (1 + g) / (1 - g)). If the estimates give arrival >= service, the queue has no
/// equilibrium; methods that need one reject it.
///
/// Throws InputError if there are no intervals, if there are not as many weights, if intervals are negative, not finite
/// or all 0, and if weights are not positive, finite and ascending.
RateEstimate estimate_rate(const std::vector<double>& intervals, const std::vector<double>& weights);

/// E[rate] / true rate for these weights, by quadrature of E[1 / sum w_i X_i] = integral over u >= 0 of prod 1 / (1 + u
/// w_i); infinity for one weight.
double expected_factor(const std::vector<double>& weights);

std::vector<double> equal_weights(std::size_t count);
/// 1, 2, ..., count
std::vector<double> linear_weights(std::size_t count);
/// ratio^(count - 1), ..., ratio, 1 with 0 < ratio <= 1; throws InputError otherwise.
std::vector<double> geometric_weights(std::size_t count, double ratio);

}  // namespace coterie::heuristics
