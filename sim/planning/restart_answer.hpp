#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/risk.hpp"
#include "heuristics/restart/market_run.hpp"
#include "traces/durations.hpp"

namespace coterie::sim {

/// What `coterie plan --job restart` asks: one job, or many alike, that go on from their last checkpoint. Times in
/// seconds, or all in one unit of the user's own.
struct RestartAsked {
  heuristics::MarketJob job;  ///< its price is that of on-demand relative to spot
  std::size_t gang = 1;
  std::size_t spares = 0;
  RiskPtr life;                                        ///< of one machine
  std::shared_ptr<const traces::Durations> durations;  ///< from which it was made, in seconds; or null
  RiskPtr down;                                        ///< null: always `down_time`
  double down_time = 0;
  bool has_unit = true;  ///< seconds
  double confidence = 0.95;
  double price = 0;  ///< of a machine on spot for an hour (or a unit); 0: unknown
  std::optional<double> on_demand;
  std::size_t jobs = 1;  ///< many alike, each on machines of its own
  std::uint64_t seed = 1;
  std::uint64_t runs = 4000;
  std::size_t resamples = 100;
  std::vector<std::string> assumptions;
};

/// As JSON, with the keys of other plans: question, chosen, reason, assumptions, doubts, options; an option's policy is
/// optimal, young, ..., its parameters hold `interval` (of a job that has just started), `tries`, `switch_at`.
nlohmann::ordered_json restart_answer(const RestartAsked& asked);

/// The same in plain words, and as KEY=VALUE lines for a job script; from the JSON alone.
std::string restart_text(const nlohmann::ordered_json& answer);
std::string restart_shell(const nlohmann::ordered_json& answer);

}  // namespace coterie::sim
