#pragma once

#include <string>
#include <utility>
#include <vector>

#include "traces/durations.hpp"

namespace coterie::traces {

/// A law fitted to durations by maximum likelihood.
struct FittedLaw {
  std::string name;                                        ///< as in core's table of risks
  std::vector<std::pair<std::string, double>> parameters;  ///< named as in the risk; times in the unit of the data
  double log_likelihood = 0;
  double ks = 0;        ///< sup |Kaplan-Meier - law|; without censoring, the Kolmogorov-Smirnov distance
  std::string risk;     ///< to paste into a campaign; "" if the law cannot be fitted
  std::string problem;  ///< why it cannot be fitted; "" if it can
};

/// Fits exponential, Weibull, lognormal and two-phase hyperexponential laws, in this order. An observed duration
/// contributes its density, a censored one the probability of lasting longer. Durations of zero have no likelihood
/// under Weibull and lognormal laws and an infinite one under a mixture, so all laws are fitted to the positive
/// durations; their likelihoods can then be compared. Throws InputError if no positive duration is observed.
std::vector<FittedLaw> fit_laws(const Durations& durations);

}  // namespace coterie::traces
