#pragma once

#include <string>
#include <utility>
#include <vector>

#include "traces/durations.hpp"

namespace coterie::traces {

/// A law fitted to durations by maximum likelihood.
struct FittedLaw {
  std::string name;                                        ///< as core's table of risks has it
  std::vector<std::pair<std::string, double>> parameters;  ///< by the names that the risk takes; times as in the data
  double log_likelihood = 0;
  double ks = 0;        ///< sup |Kaplan-Meier - law|; without censoring the Kolmogorov-Smirnov distance
  std::string risk;     ///< to paste into a campaign; "" where the law cannot be fitted
  std::string problem;  ///< why it cannot, "" where it can
};

/// Fits exponential, Weibull, lognormal and two-phase hyperexponential laws, in this order. An observed duration counts
/// with its density, a censored one with its probability of lasting longer. Durations of zero have no likelihood under
/// Weibull and lognormal and an infinite one under a mixture, so all laws are fitted to the positive ones; the
/// likelihoods can then be compared. Throws InputError where no positive duration is observed.
std::vector<FittedLaw> fit_laws(const Durations& durations);

}  // namespace coterie::traces
