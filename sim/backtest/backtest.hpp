#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/campaign/catalogue.hpp"
#include "sim/planning/question.hpp"

namespace coterie::sim {

/// Plans that are made from the beginning of a recording and held against what followed.
struct BacktestQuestion {
  Question question;         ///< its machines are those of one recording, or are never interrupted
  double first_part = 0.5;   ///< share of the recording that the first plan sees
  std::size_t plans = 10;    ///< each sees all that was recorded before the windows that it is held against
  std::size_t windows = 40;  ///< at most so many for each plan
};

/// Promises beside what happened, as fields; times in seconds. `tell`: is told what is being done. Throws InputError
/// for a question that the recording cannot decide, RuntimeError.
nlohmann::ordered_json backtest(const BacktestQuestion& asked, const Catalogue& catalogue,
                                const std::function<void(const std::string& stage)>& tell);

}  // namespace coterie::sim
