#include "sim/run/ranked_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>

namespace coterie::sim {
namespace {

constexpr std::uint64_t kPieceBlocks = 8;
constexpr std::uint64_t kMostPieces = 1'000'000;  // where rows are long
constexpr double kSecondsAtOnce = 10;
constexpr double kPreparingsAtOnce = 10;

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

std::uint64_t PiecesAtOnce::next(std::uint64_t most) const {
  const double seconds = std::max(kSecondsAtOnce, kPreparingsAtOnce * preparing_);
  const auto foreseen = static_cast<std::uint64_t>(std::min(seconds * a_second_, 1.0 * kMostPieces));
  return std::max<std::uint64_t>(1, std::min(most, foreseen));
}

void PiecesAtOnce::took(std::uint64_t pieces, double seconds, std::optional<double> preparing) {
  a_second_ = static_cast<double>(pieces) / std::max(seconds, 1e-6);
  if (preparing) preparing_ = *preparing;
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
  PiecesAtOnce at_once;
  try {
    for (;;) {
      if (control.stop()) outcome = RankOutcome::kStopped;
      if (outcome != RankOutcome::kDone) break;
      const std::uint64_t left = pieces.size() - std::min<std::uint64_t>(seen, pieces.size());
      // If the network cannot access rank 0's memory by itself, the others wait until rank 0 calls MPI, too; this makes
      // it return sooner.
      const std::uint64_t part = (ranks.leads() ? 16 : 4) * static_cast<std::uint64_t>(ranks.size());
      const std::uint64_t amount = at_once.next(left / part);
      const std::uint64_t first = counter.take(amount);
      seen = first + amount;
      if (first >= pieces.size()) break;
      const std::vector<MissingRows> mine = joined(pieces, first, std::min<std::uint64_t>(seen, pieces.size()));
      progress.update(progress.done_before() + before[first]);
      const auto begun = std::chrono::steady_clock::now();
      const auto passed = [begun] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
      };
      std::optional<double> first_block;
      Progress blocks(1, 1, 0, [&](const ProgressState&) {
        if (!first_block) first_block = passed();
      });
      if (!compute_rows(campaign, mine, control, blocks)) outcome = RankOutcome::kStopped;
      at_once.took(amount, passed(), first_block);
    }
  } catch (const std::exception& error) {
    warn(fmt::format("rank {}: {}", ranks.rank(), error.what()));
    outcome = RankOutcome::kFailed;
  }
  if (outcome != RankOutcome::kDone) counter.take(pieces.size());  // the others then find nothing left
  progress.finish();
  return outcome;
}

RankParts::RankParts(const Ranks& ranks, const Campaign& campaign, const Shard& shard, const PartFolder& folder,
                     double save_seconds)
    : campaign_(campaign),
      provenance_(Provenance::of(campaign, shard).text()),
      folder_(folder),
      lane_{static_cast<unsigned long>(ranks.rank()), static_cast<unsigned long>(ranks.size())},
      unsaved_(save_seconds) {}

void RankParts::add(std::vector<ResultRow> rows) {
  unsaved_.add(std::move(rows));
  if (unsaved_.due()) save();
}

void RankParts::save() {
  if (!unsaved_.rows().spans().empty()) folder_.write(campaign_, provenance_, unsaved_.rows(), lane_);
  unsaved_.saved();
}

}  // namespace coterie::sim
