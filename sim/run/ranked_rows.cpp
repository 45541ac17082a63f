#include "sim/run/ranked_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace coterie::sim {
namespace {

constexpr std::uint64_t kManyRows = 8;  // for each rank: whole ones share the work evenly enough

}  // namespace

std::uint64_t instances_of(const std::vector<MissingRows>& missing) {
  std::uint64_t sum = 0;
  for (const MissingRows& rows : missing) sum += rows.instances;
  return sum;
}

std::vector<MissingRows> broadcast_missing(const Ranks& ranks, const std::vector<MissingRows>& missing) {
  std::vector<std::uint64_t> numbers;
  for (const MissingRows& rows : missing) {
    numbers.insert(numbers.end(), {rows.configuration, rows.first_instance, rows.instances,
                                   static_cast<std::uint64_t>(rows.reference), rows.strategies.size()});
    numbers.insert(numbers.end(), rows.strategies.begin(), rows.strategies.end());
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

std::vector<MissingRows> share_of_rank(const std::vector<MissingRows>& missing, std::uint64_t rank,
                                       std::uint64_t ranks) {
  std::vector<MissingRows> share;
  for (std::uint64_t i = 0; i < missing.size(); ++i) {
    MissingRows rows = missing[i];
    // Rotated from one to the next, so that the same rank does not get all the larger parts.
    const std::uint64_t turn = (rank + i) % ranks;
    if (missing.size() >= kManyRows * ranks) {
      if (turn == 0) share.push_back(std::move(rows));
      continue;
    }
    const std::uint64_t blocks = (rows.instances - 1) / kBlockInstances + 1;
    const std::uint64_t first = blocks * turn / ranks * kBlockInstances;
    const std::uint64_t last = std::min(blocks * (turn + 1) / ranks * kBlockInstances, rows.instances);
    if (first >= last) continue;
    rows.first_instance += first;
    rows.instances = last - first;
    share.push_back(std::move(rows));
  }
  return share;
}

RankOutcome compute_rows_on_ranks(const Ranks& ranks, const Campaign& campaign, const std::vector<MissingRows>& missing,
                                  const RunControl& control, Progress& progress, const std::function<void()>& save,
                                  const std::function<void(const std::string&)>& warn) {
  RankOutcome mine = RankOutcome::kFailed;
  try {
    const auto rank = static_cast<std::uint64_t>(ranks.rank());
    const auto size = static_cast<std::uint64_t>(ranks.size());
    Progress own(1, 1, 0, [&](const ProgressState& state) {  // the others are as far, if all goes well
      progress.update(progress.done_before() + std::min(size * state.done, instances_of(missing)));
    });
    const bool all = compute_rows(campaign, share_of_rank(missing, rank, size), control, own);
    save();
    mine = all ? RankOutcome::kDone : RankOutcome::kStopped;
  } catch (const std::exception& error) {
    warn(fmt::format("rank {}: {}", ranks.rank(), error.what()));
  }
  progress.finish();
  return static_cast<RankOutcome>(ranks.greatest(static_cast<int>(mine)));
}

}  // namespace coterie::sim
