#include "traces/resampler.hpp"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>
#include <limits>

#include "core/contract.hpp"

namespace coterie::traces {
namespace {

/// A number below `size`, each with the same probability. [Lemire 2019] Boost divides, and resamples take a quarter
/// more time.
std::uint32_t any_below(std::uint32_t size, Stream& stream) {
  std::uint64_t product = std::uint64_t{stream()} * size;
  if (static_cast<std::uint32_t>(product) < size) {
    const std::uint32_t excess = (0 - size) % size;  // of 2^32
    while (static_cast<std::uint32_t>(product) < excess) product = std::uint64_t{stream()} * size;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

}  // namespace

std::vector<SpellCount> counts_between(std::span<const SpellCount> counts, std::vector<double> asked,
                                       Censoring censoring) {
  constexpr double kNear = 1e-11;  // well above kSameTime: where rounding may decide, nothing is put together
  std::sort(asked.begin(), asked.end());
  std::vector<SpellCount> result;
  if (std::any_of(counts.begin(), counts.end(), [](const SpellCount& count) { return count.entry > 0; }))
    return {counts.begin(), counts.end()};  // who is at risk changes between any two of them
  auto next = asked.begin();
  for (const SpellCount& count : counts) {
    if (!result.empty()) {
      SpellCount& last = result.back();
      while (next != asked.end() && *next * (1 + kNear) < last.value) ++next;
      const bool asks = next != asked.end() && *next * (1 - kNear) <= count.value;
      const bool returns = censoring == Censoring::kCounts && last.censored > 0 && count.interrupted > 0;
      if (!asks && !returns) {
        last = {count.value, last.interrupted + count.interrupted, last.censored + count.censored};
        continue;
      }
    }
    result.push_back(count);
  }
  return result;
}

Resampler::Resampler(std::vector<SpellCount> counts) : counts_(std::move(counts)) {
  constexpr std::uint32_t kTogether = 1024;  // spells: their counters stay in the cache
  std::uint64_t spells = 0;
  for (const SpellCount& count : counts_) spells += count.ended();
  COTERIE_REQUIRE(spells > 0 && spells <= std::numeric_limits<std::uint32_t>::max());
  kind_.reserve(spells);
  std::uint32_t kind = 0;
  for (const SpellCount& count : counts_)
    for (const std::size_t size : {count.interrupted, count.censored}) {
      const auto more = static_cast<std::uint32_t>(size);
      if (blocks_.empty() || blocks_.back().spells + std::uint64_t{more} > kTogether)
        blocks_.push_back({kind, 0, static_cast<std::uint32_t>(kind_.size()), 0});
      ++blocks_.back().kinds;
      blocks_.back().spells += more;
      kind_.insert(kind_.end(), size, kind++);
    }
}

std::vector<SpellCount> Resampler::draw(Stream stream) const {
  std::vector<std::uint32_t> drawn(2 * counts_.size(), 0);
  auto rest = static_cast<std::int64_t>(kind_.size());  // of the trace, and of the draws from it
  std::int64_t left = rest;
  for (const Block& block : blocks_) {
    std::int64_t here = left;
    if (block.spells < rest && left > 0)
      here = boost::random::binomial_distribution<std::int64_t>(
          left, static_cast<double>(block.spells) / static_cast<double>(rest))(stream);
    left -= here;
    rest -= block.spells;
    if (block.kinds == 1)
      drawn[block.first_kind] = static_cast<std::uint32_t>(here);
    else
      for (; here > 0; --here) ++drawn[kind_[block.first_spell + any_below(block.spells, stream)]];
  }
  std::vector<SpellCount> result;
  result.reserve(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i)
    if (drawn[2 * i] + drawn[2 * i + 1] > 0)
      result.push_back({counts_[i].value, drawn[2 * i], drawn[2 * i + 1], counts_[i].entry});
  return result;
}

}  // namespace coterie::traces
