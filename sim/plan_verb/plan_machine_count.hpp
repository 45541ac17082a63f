#pragma once

#include <cstddef>
#include <string>

#include "sim/plan_verb/plan_question.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/stage_line.hpp"

namespace coterie::sim {

inline constexpr std::size_t kMostWorkers = 10'000;

/// The number in `text`, which is a part of the option --machines, `whole`. Throws InputError.
std::size_t number_of_machines(const std::string& text, const std::string& whole);

/// Whether --machines asks for a number rather than gives one.
bool asks_how_many(const Options& options);

/// If --machines asks how many machines meet the deadline: fills in `view.count`, and the question for the number that
/// was found. Throws InputError.
void ask_how_many_machines(const Options& options, const Scale& scale, const Machines& machines, StageLine& stage,
                           PlanView& view);

}  // namespace coterie::sim
