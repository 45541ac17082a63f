#pragma once

#include "sim/plan_verb/plan_question.hpp"
#include "sim/planning/listening.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// The question about listening, whether it can be answered or not.
ListeningQuestion listening_question(const Options& options, const Scale& scale, const PlanQuestion& plan);

/// Chooses by simulation where machines come back or there is a deadline, and fills in `view.listening` where that can
/// be answered. Throws InputError for options that need it where it can't.
void ask_what_listening_is_worth(const Options& options, PlanView& view);

}  // namespace coterie::sim
