#include "traces/change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/infinity.hpp"

namespace coterie::traces {
namespace {

constexpr std::size_t kHalfOfBlocks = Change::kBlocks / 2;
constexpr std::size_t kPairs = kHalfOfBlocks * kHalfOfBlocks;
using ByBlock = std::array<double, Change::kBlocks>;

struct SeenSpell {
  double start;
  double end;
  bool observed;
};

/// The cumulative hazard by age, of all spells together.
class HazardByAge {
 public:
  explicit HazardByAge(const std::vector<SeenSpell>& spells) {
    std::vector<std::pair<double, bool>> lengths;
    for (const SeenSpell& spell : spells) lengths.emplace_back(spell.end - spell.start, spell.observed);
    std::sort(lengths.begin(), lengths.end());
    double sum = 0;
    for (std::size_t i = 0; i < lengths.size();) {
      const std::size_t first = i;
      double ended = 0;
      for (; i < lengths.size() && lengths[i].first == lengths[first].first; ++i) ended += lengths[i].second ? 1 : 0;
      if (ended == 0) continue;
      sum += ended / static_cast<double>(lengths.size() - first);
      ages_.push_back(lengths[first].first);
      sums_.push_back(sum);
    }
  }
  double up_to(double age) const {
    const auto after = std::upper_bound(ages_.begin(), ages_.end(), age) - ages_.begin();
    return after == 0 ? 0 : sums_[static_cast<std::size_t>(after - 1)];
  }

 private:
  std::vector<double> ages_;
  std::vector<double> sums_;
};

/// The boundaries between blocks of equal up time; the last one is infinity.
ByBlock ends_of_blocks(const std::vector<SeenSpell>& spells) {
  std::vector<std::pair<double, double>> changes;
  double whole = 0;
  for (const SeenSpell& spell : spells) {
    changes.emplace_back(spell.start, 1);
    changes.emplace_back(spell.end, -1);
    whole += spell.end - spell.start;
  }
  std::sort(changes.begin(), changes.end());
  ByBlock ends;
  ends.fill(kInfinity);
  double sum = 0;
  double up = 0;
  std::size_t block = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    up += changes[i].second;
    const double more = up * (changes[i + 1].first - changes[i].first);
    while (block + 1 < Change::kBlocks) {
      const double wanted = whole * static_cast<double>(block + 1) / static_cast<double>(Change::kBlocks);
      if (!(up > 0) || sum + more < wanted) break;
      ends[block++] = changes[i].first + (wanted - sum) / up;
    }
    sum += more;
  }
  return ends;
}

/// Interruptions by block.
struct Interruptions {
  ByBlock seen = {};
  ByBlock expected = {};

  /// The rate of one block; half an interruption is added to both counts, for blocks without any.
  double rate(std::size_t block) const { return (seen[block] + 0.5) / (expected[block] + 0.5); }
  /// The rate of the half that begins with block `first`.
  double rate_of_half(std::size_t first) const {
    double all_seen = 0;
    double all_expected = 0;
    for (std::size_t b = first; b < first + kHalfOfBlocks; ++b) {
      all_seen += seen[b];
      all_expected += expected[b];
    }
    return (all_seen + 0.5) / (all_expected + 0.5);
  }
};

Interruptions interruptions_by_block(const std::vector<SeenSpell>& spells) {
  const HazardByAge hazard(spells);
  const ByBlock ends = ends_of_blocks(spells);
  Interruptions found;
  for (const SeenSpell& spell : spells) {
    auto block = static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), spell.start) - ends.begin());
    double before = 0;
    for (; block + 1 < Change::kBlocks && ends[block] < spell.end; ++block) {
      const double now = hazard.up_to(ends[block] - spell.start);
      found.expected[block] += now - before;
      before = now;
    }
    found.expected[block] += hazard.up_to(spell.end - spell.start) - before;
    if (spell.observed) found.seen[block] += 1;
  }
  return found;
}

/// P(U <= u) for u = 0, 1, ..., kPairs: the share of all rankings of the blocks in which at most u pairs (earlier,
/// later) are in the given order.
std::vector<double> law_of_pairs() {
  // ways[k][u]: of k later blocks among those ranked so far
  std::vector<std::vector<double>> ways(kHalfOfBlocks + 1, std::vector<double>(kPairs + 1, 0.0));
  ways[0][0] = 1;
  for (std::size_t ranked = 0; ranked < Change::kBlocks; ++ranked)
    for (std::size_t k = std::min(ranked, kHalfOfBlocks - 1) + 1; k-- > 0;)
      for (std::size_t u = 0; u + (ranked - k) <= kPairs; ++u)
        if (ranked - k <= kHalfOfBlocks) ways[k + 1][u + ranked - k] += ways[k][u];
  std::vector<double> law = ways[kHalfOfBlocks];
  for (std::size_t u = 1; u < law.size(); ++u) law[u] += law[u - 1];
  const double all = law.back();
  for (double& value : law) value /= all;
  return law;
}

}  // namespace

Change change(const AvailabilityTrace& trace) {
  Change found;
  std::vector<SeenSpell> spells;
  std::size_t interruptions = 0;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.start) {
      found.problem = "the format does not say when each host was up";
      return found;
    }
    const SeenSpell spell{*record.start, *record.start + record.duration, record.observed};
    if (record.left_truncated || !(spell.end > spell.start)) continue;
    spells.push_back(spell);
    interruptions += spell.observed ? 1 : 0;
  }
  if (interruptions < Change::kLeast) {
    found.problem = fmt::format("only {} interruptions of hosts that were seen to come up; {} are needed",
                                interruptions, Change::kLeast);
    return found;
  }
  const Interruptions blocks = interruptions_by_block(spells);
  double higher = 0;  // number of pairs whose later block has the higher rate
  for (std::size_t earlier = 0; earlier < kHalfOfBlocks; ++earlier)
    for (std::size_t later = kHalfOfBlocks; later < Change::kBlocks; ++later) {
      const double difference = blocks.rate(later) - blocks.rate(earlier);
      higher += difference > 0 ? 1 : difference < 0 ? 0 : 0.5;
    }
  const double fewer = std::min(higher, static_cast<double>(kPairs) - higher);
  found.p = std::min(1.0, 2 * law_of_pairs()[static_cast<std::size_t>(std::ceil(fewer))]);
  found.factor = blocks.rate_of_half(kHalfOfBlocks) / blocks.rate_of_half(0);
  return found;
}

std::string doubt(const Change& change, const std::string& file) {
  if (!change.factor || change.p >= Change::kDoubtful) return "";
  return fmt::format(
      "{}: the hosts seem to have changed: at equal age, {:.3g} times as many interruptions in the second half as in "
      "the first (p = {:.2g}); forecasts made from it may not hold",
      file, *change.factor, change.p);
}

}  // namespace coterie::traces
