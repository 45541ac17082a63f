#pragma once

#include "sim/command_line/options.hpp"
#include "sim/command_line/plan_question.hpp"
#include "sim/command_line/stage_line.hpp"

namespace coterie::sim {

void refuse_what_prices_do_not_know(const Options& options, const PlanView& view);

/// Fills in `view.prices`: which mixes of spot machines and machines on demand are worth the prices of --price.
void ask_prices(const Options& options, const Machines& machines, StageLine& stage, PlanView& view);

}  // namespace coterie::sim
