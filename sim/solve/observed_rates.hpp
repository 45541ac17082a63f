#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "heuristics/background/rate_estimation.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {

/// One rate from a file of observations.
struct ObservedRate {
  std::size_t samples = 0;            ///< intervals within the window
  heuristics::RateEstimate estimate;  ///< of the rate, as published and corrected
  double expected_factor = 0;         ///< E[estimate.rate] / true rate; infinite for one sample
  double used = 0;                    ///< the one for planning: corrected unless the file says otherwise
};

/// The rates of background jobs, estimated with fading memory of the observations: [Wu, Cao, Robertazzi 2019], (10) and
/// (11).
struct ObservedRates {
  ObservedRate arrival;
  ObservedRate service;
  std::string weights;  ///< as the file names them
  bool fades = false;   ///< whether weights fade so that only the last observations count, however many there are
  bool corrected = true;
  Place arrival_place;
  Place service_place;

  double load() const { return arrival.used / service.used; }
};

/// Reads a file of observations; all lists have the oldest first:
/// - arrival_times (increasing; with `now`, when our job comes, the open time since the last arrival counts as one more
///   interval: looking back it is exponential too), or inter_arrivals;
/// - services: service requirements, never stays (heuristics/background/rate_estimation.hpp says what goes wrong with
/// those);
/// - weights = "linear" (default), "equal" or "geometric" with ratio; window: use only so many of the newest samples of
/// each
///   (default all); correction = false: rates as published, which are too high on average.
/// Throws InputError, at its place, for a list that gives no rate.
ObservedRates read_observed_rates(TomlTable& file);

/// As `coterie solve --estimate` prints them: both rates, their reliability, and cautions.
nlohmann::ordered_json describe(const ObservedRates& rates);

}  // namespace coterie::sim
