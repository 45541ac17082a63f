#pragma once

#include "traces/fit_data.hpp"

namespace coterie::traces {

/// The mixture of two exponential phases by maximum likelihood: expectation-maximisation, accelerated.
FittedLaw fit_hyperexponential(const FitData& data);

}  // namespace coterie::traces
