#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/campaign/catalogue.hpp"
#include "sim/planning/contest.hpp"
#include "sim/planning/question.hpp"

namespace coterie::sim {

/// What `coterie plan` answers.
struct Answer {
  nlohmann::ordered_json json;  ///< everything that is said, as fields; times in seconds or in bare numbers
  std::shared_ptr<const Situation> situation;
  std::vector<Contender> options;  ///< the best first
};

/// Answers a question: finds the numbers of machines that are open, compares all policies by simulation, and chooses by
/// the rules of sim/PLAN.md. `tell`: is told what is being done. Throws InputError, RuntimeError.
Answer answer(
    const Question& question, const Catalogue& catalogue,
    const std::function<void(const std::string& stage)>& tell = [](const std::string&) {});

}  // namespace coterie::sim
