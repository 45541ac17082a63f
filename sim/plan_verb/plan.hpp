#pragma once

#include "sim/terminal/options.hpp"
#include "sim/terminal/verb.hpp"

namespace coterie::sim {

/// The options that say a question, all but its answer.
void declare_question(Options& options, const Catalogue& catalogue);

int plan_verb(const Call& call);

}  // namespace coterie::sim
