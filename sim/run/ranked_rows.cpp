#include "sim/run/ranked_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coterie::sim {
namespace {

constexpr std::uint64_t kUnitInstances = 8 * kBlockInstances;

/// Pieces of the gaps, the units of the shared counter.
std::vector<MissingRows> units_of(const std::vector<MissingRows>& gaps) {
  std::vector<MissingRows> units;
  for (const MissingRows& gap : gaps)
    for (std::uint64_t done = 0; done < gap.instances; done += kUnitInstances) {
      units.push_back(gap);
      units.back().first_instance += done;
      units.back().instances = std::min(kUnitInstances, gap.instances - done);
    }
  return units;
}

/// Units [first, last), those that follow one another in a gap as one, so that its trial is prepared once.
std::vector<MissingRows> joined(const std::vector<MissingRows>& units, std::size_t first, std::size_t last) {
  std::vector<MissingRows> gaps;
  for (std::size_t i = first; i < last; ++i) {
    const MissingRows& unit = units[i];
    MissingRows* before = gaps.empty() ? nullptr : &gaps.back();
    if (before != nullptr && before->configuration == unit.configuration &&
        before->first_instance + before->instances == unit.first_instance && before->strategies == unit.strategies &&
        before->reference == unit.reference)
      before->instances += unit.instances;
    else
      gaps.push_back(unit);
  }
  return gaps;
}

}  // namespace

std::vector<MissingRows> broadcast_gaps(const Ranks& ranks, const std::vector<MissingRows>& gaps) {
  std::vector<std::uint64_t> numbers;
  for (const MissingRows& gap : gaps) {
    numbers.insert(numbers.end(), {gap.configuration, gap.first_instance, gap.instances,
                                   static_cast<std::uint64_t>(gap.reference), gap.strategies.size()});
    numbers.insert(numbers.end(), gap.strategies.begin(), gap.strategies.end());
  }
  numbers = ranks.broadcast(std::move(numbers));
  std::vector<MissingRows> told;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const auto strategies = static_cast<std::ptrdiff_t>(at[4]);
    told.push_back({at[0], at[1], at[2], {at + 5, at + 5 + strategies}, at[3] != 0});
    at += 5 + strategies;
  }
  return told;
}

RankOutcome compute_rows_on_ranks(const Ranks& ranks, const Campaign& campaign, const std::vector<MissingRows>& gaps,
                                  const RunControl& control, Progress& progress,
                                  const std::function<void(const std::string&)>& warn) {
  const std::vector<MissingRows> units = units_of(gaps);
  SharedCounter counter(ranks);
  RankOutcome outcome = RankOutcome::kDone;
  std::uint64_t seen = 0;
  try {
    for (;;) {
      if (control.stop()) outcome = RankOutcome::kStopped;
      if (outcome != RankOutcome::kDone) break;
      const std::uint64_t left = units.size() - std::min<std::uint64_t>(seen, units.size());
      // Where the network cannot reach into rank 0's memory by itself, the others wait until rank 0 asks, too: so it
      // comes back sooner.
      const std::uint64_t part = (ranks.leads() ? 16 : 4) * static_cast<std::uint64_t>(ranks.size());
      const std::uint64_t amount = std::max<std::uint64_t>(1, left / part);
      const std::uint64_t first = counter.take(amount);
      seen = first + amount;
      if (first >= units.size()) break;
      const std::vector<MissingRows> mine = joined(units, first, std::min<std::uint64_t>(seen, units.size()));
      progress.update(progress.done_before() + first * kUnitInstances);
      Progress quiet(1, 1, 0);
      if (!compute_rows(campaign, mine, control, quiet)) outcome = RankOutcome::kStopped;
    }
  } catch (const std::exception& error) {
    warn(fmt::format("rank {}: {}", ranks.rank(), error.what()));
    outcome = RankOutcome::kFailed;
  }
  if (outcome == RankOutcome::kFailed) counter.take(units.size());
  progress.finish();
  return outcome;
}

RankParts::RankParts(const Ranks& ranks, const Campaign& campaign, const PartFolder& folder, double save_seconds)
    : campaign_(campaign),
      folder_(folder),
      lane_{static_cast<unsigned long>(ranks.rank()), static_cast<unsigned long>(ranks.size())},
      unsaved_(save_seconds) {}

void RankParts::add(std::vector<ResultRow> rows) {
  unsaved_.add(std::move(rows));
  if (unsaved_.due()) save();
}

void RankParts::save() {
  if (!unsaved_.rows().spans().empty()) folder_.write(campaign_, unsaved_.rows(), lane_);
  unsaved_.saved();
}

}  // namespace coterie::sim
