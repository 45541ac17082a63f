#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "core/stream.hpp"
#include "sim/campaign/catalogue.hpp"
#include "sim/fleet/fleet.hpp"
#include "sim/input/risks.hpp"
#include "sim/planning/question.hpp"
#include "sim/planning/trace_basis.hpp"
#include "sim/sampling/background.hpp"
#include "sim/sampling/recorded_spells.hpp"

namespace coterie::sim {

/// One group of a question with its laws, in units of the work: one machine of speed 1 needs time 1 for all of it.
struct GroupLaws {
  std::optional<TraceBasis> basis;       ///< of a trace,
  std::shared_ptr<const UserRisk> risk;  ///< or of an expression; neither: never interrupted
  double risk_unit = 1;                  ///< units of time of the expression in one unit of the work
  bool is_new = true;                    ///< age 0 at the start
  bool open = false;                     ///< how long some machines stay is not known, and was not assumed
  RiskPtr down;                          ///< null: gone for good
  Zones zones;
  std::size_t interruptions = 0;  ///< seen in the trace
};

/// A question with its laws: everything that is needed to run it, and what is to be said about it.
struct Situation {
  Question question;
  double work = 1;  ///< seconds, or bare numbers; all other times are shares of it
  bool has_unit = true;
  double task = 0;
  double checkpoint = 0;
  double restart = 0;
  double latency = 0;
  double notice = 0;
  double warning = 0;
  double deadline = kInfinity;
  double horizon = kInfinity;  ///< as asked by a window; else by the number of machines
  std::shared_ptr<RiskLibrary> library;
  std::vector<GroupLaws> machines;  ///< by group of the question
  std::shared_ptr<const RecordedSpells> replay;
  std::size_t recorded_machines = kMostMachines;  ///< that a replay has
  std::shared_ptr<const Background> background;
  std::vector<std::string> files;  ///< that were read
  std::vector<std::string> assumptions;
  std::vector<std::string> doubts;
  std::vector<std::string> warnings;  ///< of readers

  /// Whether only fixed lists apply: nothing is ever heard, lists are to be written, or jobs slow machines down.
  bool is_deaf() const;
  bool is_open() const;  ///< whether the answer depends on how long machines stay that outlast the trace
  /// Whether machines are alike, never come back and never stop early: what the exact theory knows.
  bool is_static() const;
  bool finds_count() const;
  /// "40 h", in the unit that suits it.
  std::string length(double share) const;
};

/// Reads all files. Throws InputError with the place, RuntimeError for a file that cannot be read.
Situation resolve(const Question& question, const Catalogue& catalogue);

/// For what lives a fleet is built.
struct LivesAsked {
  traces::OpenTail tail = traces::OpenTail::kGone;  ///< where that is open
  bool smooth = false;  ///< as plans should see a trace of few spells: without the steps of its law
  /// Resamples of all traces, by this stream; null: the traces themselves.
  const Stream* resample = nullptr;
};

/// The fleet with so many machines of each group.
Fleet fleet_of(const Situation& situation, std::span<const std::size_t> counts, const LivesAsked& lives = {});

/// The question as it was resolved, with times in seconds, or in the user's bare numbers.
nlohmann::ordered_json question_json(const Situation& situation);

/// Fewer interruptions than this are few: schedules must not follow them one by one, and resamples of them differ.
inline constexpr std::size_t kFewInterruptions = 100;

}  // namespace coterie::sim
