#pragma once

#include "sim/plan_verb/plan_question.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/stage_line.hpp"

namespace coterie::sim {

void refuse_what_prices_do_not_know(const Options& options, const PlanView& view);

/// Fills in `view.prices`: which mixes of spot machines and machines on demand are worth the prices of --price.
void ask_prices(const Options& options, const Machines& machines, StageLine& stage, PlanView& view);

}  // namespace coterie::sim
