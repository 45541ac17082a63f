#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/drawing/schedule_view.hpp"
#include "sim/planning/listening.hpp"
#include "sim/planning/machine_count.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/prices.hpp"
#include "sim/planning/sensitivity.hpp"

namespace coterie::sim {

/// An answer as it is shown, with all that was asked in the user's words.
struct PlanView {
  PlanAnswer answer;
  double work = 1;       ///< seconds, or bare numbers
  bool has_unit = true;  ///< whether they are seconds
  std::string machines;  ///< "machines that stay as long as those of lab.csv (1125 spells, median 19 min)"
  nlohmann::ordered_json machine_facts;  ///< the same as fields
  std::vector<std::string> class_texts;  ///< of classes of machines, what these stay as
  std::vector<std::size_t> class_of_machine;
  std::string background = "none";
  nlohmann::ordered_json jobs;           ///< background jobs: every, last; null: none
  std::optional<Confidence> confidence;  ///< where the risk comes from a trace
  ListeningQuestion listening_question;
  std::string availability = "once";         ///< as it is asked
  std::string coming_back;                   ///< of machines that do: "come back as new after 30 min (median)"
  std::optional<ListeningAnswer> listening;  ///< nothing where no_listening() says why
  std::optional<CountAnswer> count;          ///< where numbers of machines were compared,
  std::uint64_t count_runs = 0;              ///< on so many fresh runs
  std::optional<PriceAnswer> prices;         ///< where there are prices
  std::vector<Circumstance> circumstances;
  std::vector<std::string> warnings;
  std::vector<std::string> doubts;  ///< of traces: why what they show may not go on
  std::string exported;             ///< file of the schedule, if it is written

  /// What comes of the chosen plan where machines come back; null where they do not.
  const ListeningOption* with_returns() const;
  std::string length(double share) const;  ///< a length in the unit of the question, in the unit that suits the work
  std::string alone(double share) const;   ///< the same in the unit that suits itself
};

/// A text in lines for 80 columns, the last one ended.
std::string paragraph(const std::string& text);
/// "4.67 %"
std::string percent_text(double share);
/// In plain words, for 80 columns.
std::string plan_text(const PlanView& view);
/// The chosen schedule in seconds (or bare numbers), for a dispatcher or a picture.
ScheduleView chosen_schedule(const PlanView& view);

}  // namespace coterie::sim
