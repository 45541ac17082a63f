#include "sim/run/ranked_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace coterie::sim {
namespace {

constexpr std::uint64_t kPieceBlocks = 8;
constexpr std::uint64_t kMostPieces = 1'000'000;  // where rows are long
constexpr double kSecondsAtOnce = 10;  // of work that a rank takes, as far as it can be foreseen, unless trials take
                                       // long to prepare

/// How long a piece is: at least kPieceBlocks.
std::uint64_t piece_instances(const std::vector<MissingRows>& missing) {
  std::uint64_t instances = 0;
  for (const MissingRows& rows : missing) instances += rows.instances;
  return std::max(kPieceBlocks, instances / kBlockInstances / kMostPieces) * kBlockInstances;
}

/// What the shared counter counts: the missing rows in pieces.
std::vector<MissingRows> pieces_of(const std::vector<MissingRows>& missing, std::uint64_t length) {
  std::vector<MissingRows> pieces;
  for (const MissingRows& rows : missing)
    for (std::uint64_t done = 0; done < rows.instances; done += length) {
      pieces.push_back(rows);
      pieces.back().first_instance += done;
      pieces.back().instances = std::min(length, rows.instances - done);
    }
  return pieces;
}

/// Pieces [first, last), those that follow one another as one, so that its trial is prepared once.
std::vector<MissingRows> joined(const std::vector<MissingRows>& pieces, std::size_t first, std::size_t last) {
  std::vector<MissingRows> missing;
  for (std::size_t i = first; i < last; ++i) {
    const MissingRows& piece = pieces[i];
    MissingRows* before = missing.empty() ? nullptr : &missing.back();
    if (before != nullptr && before->configuration == piece.configuration &&
        before->first_instance + before->instances == piece.first_instance && before->strategies == piece.strategies &&
        before->reference == piece.reference)
      before->instances += piece.instances;
    else
      missing.push_back(piece);
  }
  return missing;
}

}  // namespace

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

RankOutcome compute_rows_on_ranks(const Ranks& ranks, const Campaign& campaign, const std::vector<MissingRows>& missing,
                                  const RunControl& control, Progress& progress,
                                  const std::function<void(const std::string&)>& warn) {
  const std::uint64_t length = piece_instances(missing);
  const std::vector<MissingRows> pieces = pieces_of(missing, length);
  std::vector<std::uint64_t> before = {0};  // by piece: the instances of those before it
  for (const MissingRows& piece : pieces) before.push_back(before.back() + piece.instances);
  SharedCounter counter(ranks);
  RankOutcome outcome = RankOutcome::kDone;
  std::uint64_t seen = 0;
  double a_second = 0;              // pieces of the last ones
  double preparing = 0;             // at most what that takes in the configuration of the last ones
  std::optional<std::size_t> last;  // that configuration
  try {
    for (;;) {
      if (control.stop()) outcome = RankOutcome::kStopped;
      if (outcome != RankOutcome::kDone) break;
      const std::uint64_t left = pieces.size() - std::min<std::uint64_t>(seen, pieces.size());
      // If the network cannot access rank 0's memory by itself, the others wait until rank 0 calls MPI, too; this makes
      // it return sooner.
      const std::uint64_t part = (ranks.leads() ? 16 : 4) * static_cast<std::uint64_t>(ranks.size());
      const double seconds = std::max(kSecondsAtOnce, 10 * preparing);
      const auto foreseen = static_cast<std::uint64_t>(std::min(seconds * a_second, 1.0 * kMostPieces));
      const std::uint64_t amount = std::max<std::uint64_t>(1, std::min(left / part, foreseen));
      const std::uint64_t first = counter.take(amount);
      seen = first + amount;
      if (first >= pieces.size()) break;
      const std::vector<MissingRows> mine = joined(pieces, first, std::min<std::uint64_t>(seen, pieces.size()));
      progress.update(progress.done_before() + before[first]);
      Progress quiet(1, 1, 0);
      const auto begun = std::chrono::steady_clock::now();
      if (!compute_rows(campaign, mine, control, quiet)) outcome = RankOutcome::kStopped;
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
      a_second = static_cast<double>(amount) / std::max(taken.count(), 1e-6);
      preparing = last == mine.back().configuration ? std::min(preparing, taken.count()) : taken.count();
      last = mine.back().configuration;
    }
  } catch (const std::exception& error) {
    warn(fmt::format("rank {}: {}", ranks.rank(), error.what()));
    outcome = RankOutcome::kFailed;
  }
  if (outcome != RankOutcome::kDone) counter.take(pieces.size());  // the others then find nothing left
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
