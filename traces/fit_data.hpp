#pragma once

#include <string>
#include <utility>
#include <vector>

#include "traces/durations.hpp"
#include "traces/fit.hpp"

namespace coterie::traces {

/// Equal times counted once. Values are divided by the longest, so that powers of them stay in range.
struct FitSample {
  double value;
  double log_value;
  double observed = 0;  ///< how many ended with an interruption
  double censored = 0;  ///< how many did not
  double entered = 0;   ///< how many came under observation at that age: each is given that it lasts longer
  double tails() const { return censored - entered; }  ///< weight of the logarithm of P(T > value)
  double count() const { return observed + tails(); }
};

/// What a law is fitted to.
struct FitData {
  std::vector<FitSample> samples;
  double scale = 1;  ///< the longest duration
  double observed = 0;
  double count = 0;  ///< of spells
};

/// `durations`: positive, at least one.
FitData fit_data(const Durations& durations);

/// Sum over the samples of term(sample).
template <typename Term>
double sum(const FitData& data, Term term) {
  double total = 0;
  for (const FitSample& sample : data.samples) total += term(sample);
  return total;
}

/// A law with its risk as text; `parameters` are named as in the risk.
FittedLaw fitted_law(const std::string& name, std::vector<std::pair<std::string, double>> parameters,
                     double log_likelihood);
/// A law that cannot be fitted, and why.
FittedLaw unfitted_law(const std::string& name, const std::string& problem);

}  // namespace coterie::traces
