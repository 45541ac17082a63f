#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stream.hpp"
#include "traces/durations.hpp"

namespace coterie::traces {

/// Whether an estimator tells interrupted spells from those whose end was not seen.
enum class Censoring { kCounts, kIgnored };

/// Fewer counts from which the estimator gets the same probabilities at the times `asked` >= 0, up to rounding: spells
/// between which no time is asked and, if censoring counts, no censored spell is followed by an interrupted one. Such
/// spells are together in every resample, too. `counts`: increasing in value, as Durations::counts() gives them.
std::vector<SpellCount> counts_between(std::span<const SpellCount> counts, std::vector<double> asked,
                                       Censoring censoring);

/// Resamples of a trace: as many spells as it has, drawn from them with replacement. [Efron 1979]
class Resampler {
 public:
  /// `counts`: at least one spell, at most 2^32 - 1 in all.
  explicit Resampler(std::vector<SpellCount> counts);

  /// The counts of one resample, those above zero, in the same order. The stream decides alone.
  std::vector<SpellCount> draw(Stream stream) const;

 private:
  /// Neighbouring kinds of spells: how many of them are drawn is drawn first, then which.
  struct Block {
    std::uint32_t first_kind;
    std::uint32_t kinds;
    std::uint32_t first_spell;
    std::uint32_t spells;
  };

  std::vector<SpellCount> counts_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> kind_;  // by spell: 2 i for the interrupted ones of counts_[i], 2 i + 1 for the others
};

}  // namespace coterie::traces
