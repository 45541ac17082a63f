#include "sim/planning/resampling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/words.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kRunsOfRanges = 0x2000000;  // the first of the runs that are made for them

/// The number that is told of an option, and how it is told.
class Headline {
 public:
  Headline(const Situation& situation, const Outcomes& chosen)
      : situation_(situation), deadline_(std::isfinite(situation.deadline)), ends_(std::isfinite(chosen.q95)) {}
  double operator()(const Outcomes& outcomes) const {
    return deadline_ ? outcomes.in_time.share : ends_ ? outcomes.q95 : outcomes.work_done;
  }
  const char* what() const {
    return deadline_ ? "all is done in time in" : ends_ ? "95 % of the runs are done by" : "the work done is";
  }
  std::string text(double value) const {
    if (deadline_ || !ends_) return share_text(value);
    return std::isfinite(value) ? situation_.length(value) : "never";
  }

 private:
  const Situation& situation_;
  bool deadline_;
  bool ends_;
};

Outcomes outcomes_on(const Situation& situation, const Contender& chosen, const LivesAsked& lives, std::size_t runs) {
  return outcomes_of(run_fleet(fleet_of(situation, chosen.counts, lives), *chosen.policy, situation.question.seed,
                               kRunsOfRanges, runs),
                     situation.deadline, situation.question.confidence);
}

}  // namespace

std::string open_text(const Situation& situation, const Contender& chosen, const Contest& contest) {
  const std::size_t runs = contest.full_runs(chosen.counts);
  const Headline headline(situation, chosen.proof);
  const std::string stay =
      headline.text(headline(outcomes_on(situation, chosen, {.tail = traces::OpenTail::kImmortal}, runs)));
  if (stay == headline.text(headline(chosen.proof))) return "";
  return fmt::format(
      "some machines were never seen to leave; assumed is that they leave at the last time seen. If they "
      "never leave ({} immortal), {} {}",
      situation.question.called("tail"), headline.what(), stay);
}

std::string range_text(const Situation& situation, const Contender& chosen, const Contest& contest) {
  constexpr std::size_t kResamples = 50, kLeast = 20, kMost = 200, kParts = 25;
  std::size_t fewest = kFewInterruptions;
  for (std::size_t g = 0; g < situation.machines.size(); ++g)
    if (situation.machines[g].basis && situation.question.machines[g].trace && chosen.counts[g] > 0)
      fewest = std::min(fewest, situation.machines[g].interruptions);
  const std::size_t resamples = std::min(kResamples, situation.question.resamples);
  if (fewest >= kFewInterruptions || resamples < 2 || situation.replay) return "";
  contest.tell("resampling");
  const std::size_t runs = std::clamp(contest.full_runs(chosen.counts) / kParts, kLeast, kMost);
  const StreamKey key =
      StreamKey::derive(situation.question.seed, identity_hash("coterie plan: resamples"), Use::kPlan);
  const Headline headline(situation, chosen.proof);
  std::vector<double> values;
  for (std::uint64_t b = 0; b < resamples; ++b) {
    const Stream stream(key, b, 0);
    try {
      values.push_back(headline(outcomes_on(situation, chosen, {.resample = &stream}, runs)));
    } catch (const InputError&) {  // no interruption in this resample
    }
  }
  if (values.size() < 2)
    return fmt::format("only {} were seen: too few to say how sure this is", counted(fewest, "interruption"));
  std::sort(values.begin(), values.end());
  return fmt::format("only {} were seen: over resamples of the trace, {} {} to {} in 95 % of the cases",
                     counted(fewest, "interruption"), headline.what(), headline.text(time_for_share(values, 0.025)),
                     headline.text(time_for_share(values, 0.975)));
}

}  // namespace coterie::sim
