#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/length.hpp"
#include "sim/drawing/schedule_view.hpp"
#include "sim/planning/listening.hpp"
#include "sim/planning/machine_count.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/prices.hpp"
#include "sim/planning/sensitivity.hpp"

namespace coterie::sim {

/// An answer as it is shown, with the question in the user's words.
struct PlanView {
  PlanAnswer answer;
  double work = 1;        ///< seconds, or bare numbers
  bool has_unit = true;   ///< whether they are seconds
  std::string work_text;  ///< as the user wrote it
  std::string machines;   ///< "machines that stay as long as those in lab.csv (1125 spells, median 19 min)"
  nlohmann::ordered_json machine_facts;  ///< the same as fields
  std::vector<std::string> class_texts;  ///< for classes: the trace of each, with its median
  std::vector<std::size_t> class_of_machine;
  std::string background = "none";
  nlohmann::ordered_json jobs;           ///< background jobs: every, last; null: none
  std::optional<Confidence> confidence;  ///< if the risk comes from a trace
  ListeningQuestion listening_question;
  std::string availability = "once";         ///< as the user wrote it
  std::string coming_back;                   ///< if they do: "machines leave ... and come back as new, ..."
  std::optional<ListeningAnswer> listening;  ///< nothing if no_listening() gives a reason
  std::optional<CountAnswer> count;          ///< if numbers of machines were compared,
  std::uint64_t count_runs = 0;              ///< and on how many fresh runs
  std::optional<PriceAnswer> prices;         ///< if there are prices
  std::vector<Circumstance> circumstances;
  std::vector<std::string> warnings;
  std::vector<std::string> doubts;  ///< of traces: why machines may not go on as recorded
  std::string exported;             ///< file of the schedule, if one is written

  /// The outcome of a static schedule if machines come back; null if they do not, or if it is not known.
  const ListeningOption* with_returns(const PlanOption& option) const;
  LengthFormat lengths() const;            ///< the unit in which the work is written, or that suits it
  std::string length(double share) const;  ///< a length in the question's unit, shown in that unit
  std::string alone(double share) const;   ///< the same, shown in the unit that suits it
};

/// A text wrapped to 80 columns, with a line end after the last line.
std::string paragraph(const std::string& text);
/// "4.67 %"
std::string percent_text(double share);
/// The whole answer in plain words, for 80 columns.
std::string plan_text(const PlanView& view);
/// The chosen schedule in seconds (or bare numbers), for a dispatcher or a picture.
ScheduleView chosen_schedule(const PlanView& view);

}  // namespace coterie::sim
