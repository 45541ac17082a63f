#include "sim/statistics/order_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

constexpr int kPartBits = 16;
constexpr std::size_t kLeastSample = 16;
constexpr double kDeviations = 5;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// Ascends with the value; both zeros have the same.
constexpr std::uint64_t code_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double value_of(std::uint64_t code) { return std::bit_cast<double>((code & kSign) != 0 ? code & ~kSign : ~code); }

constexpr std::uint64_t kFirstCode = code_of(-kInfinity);
constexpr std::uint64_t kLastCode = code_of(kInfinity);

void make_ascending(std::vector<std::uint64_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Between which places of a sorted sample the value at a position lies; -1 and `sample`: before and behind all.
std::pair<std::int64_t, std::int64_t> places_around(std::uint64_t position, std::uint64_t count, std::size_t sample) {
  const auto size = static_cast<double>(sample);
  const double share = (static_cast<double>(position) + 0.5) / static_cast<double>(count);
  const double reach = kDeviations * std::sqrt(size * share * (1 - share)) + kDeviations;
  return {static_cast<std::int64_t>(std::max(-1.0, std::floor(size * share - reach))),
          static_cast<std::int64_t>(std::min(size, std::ceil(size * share + reach)))};
}

}  // namespace

void OrderStatistics::take(std::span<const double> values) {
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (first_pass_) {
      draw(value);
      continue;
    }
    const std::uint64_t code = code_of(value);
    const auto behind = std::upper_bound(ranges_.begin(), ranges_.end(), code,
                                         [](std::uint64_t one, const Range& range) { return one < range.first; });
    if (behind != ranges_.begin() && code <= std::prev(behind)->last) take(*std::prev(behind), code, value);
  }
}

void OrderStatistics::draw(double value) {
  ++count_;
  const auto heads = [this](int coins) { return coins == 0 || coins_() >> (64 - coins) == 0; };
  if (most_held_ < kLeastSample && count_ > most_held_) {
    sample_.clear();
    return;
  }
  if (!heads(halvings_)) return;
  while (sample_.size() >= most_held_) {
    ++halvings_;
    std::erase_if(sample_, [&](double) { return !heads(1); });
    if (!heads(1)) return;
  }
  sample_.push_back(value);
}

void OrderStatistics::seek(std::vector<std::uint64_t> positions) {
  COTERIE_REQUIRE(first_pass_);
  first_pass_ = false;
  make_ascending(positions);
  COTERIE_REQUIRE(!positions.empty() && positions.back() < count_);
  if (sample_.size() == count_) {
    sort_at(sample_, positions);
    for (const std::uint64_t position : positions) values_.emplace_back(position, sample_[position]);
  } else {
    partition(positions);
    to_deal_ = std::move(positions);
  }
  sample_ = {};
}

/// All values into ranges: those around positions are held, between them, and at the ends of them, they are counted.
void OrderStatistics::partition(const Positions& positions) {
  std::vector<std::pair<std::int64_t, std::int64_t>> around;
  for (const std::uint64_t position : positions) {
    const auto places = places_around(position, count_, sample_.size());
    if (!around.empty() && places.first <= around.back().second)
      around.back().second = std::max(around.back().second, places.second);
    else
      around.push_back(places);
  }
  const auto last = static_cast<std::int64_t>(sample_.size());
  Positions places;
  for (const auto& ends : around)
    for (const std::int64_t place : {ends.first, ends.second})
      if (place >= 0 && place < last) places.push_back(static_cast<std::uint64_t>(place));
  make_ascending(places);
  sort_at(sample_, places);
  const auto code_at = [&](std::int64_t place) {
    return place < 0 ? kFirstCode : place >= last ? kLastCode : code_of(sample_[static_cast<std::size_t>(place)]);
  };
  std::uint64_t next = kFirstCode;  // code that is in no range yet
  const auto add = [&](std::uint64_t to, Range::Mode mode) {
    if (next > to) return;
    ranges_.push_back({next, to, mode});
    next = to + 1;
  };
  for (const auto& ends : around) {
    const std::uint64_t from = code_at(ends.first);
    const std::uint64_t to = code_at(ends.second);
    add(from - 1, Range::Mode::kCount);
    add(from, Range::Mode::kCount);
    add(to - 1, Range::Mode::kHold);
    add(to, Range::Mode::kCount);
  }
  add(kLastCode, Range::Mode::kCount);
}

void OrderStatistics::take(Range& range, std::uint64_t code, double value) {
  ++range.count;
  if (range.mode == Range::Mode::kHold) {
    hold(range, value);
  } else if (range.mode == Range::Mode::kCut) {
    ++range.counts[(code - range.first) >> range.shift];
  }
}

void OrderStatistics::hold(Range& range, double value) {
  range.held.push_back(value);
  if (++held_ > most_held_) cut(range);
}

/// There is no room to hold its values: they are counted in parts of it.
void OrderStatistics::cut(Range& range) {
  range.mode = Range::Mode::kCut;
  range.shift = std::max(0, static_cast<int>(std::bit_width(range.last - range.first)) - kPartBits);
  range.counts.assign(((range.last - range.first) >> range.shift) + 1, 0);
  for (const double value : range.held) ++range.counts[(code_of(value) - range.first) >> range.shift];
  held_ -= range.held.size();
  range.held = {};
}

void OrderStatistics::end_pass() {
  deal_positions();
  std::vector<Range> ranges;
  ranges.swap(ranges_);
  held_ = 0;
  for (Range& range : ranges)
    if (!range.positions.empty()) narrow(range);
}

void OrderStatistics::deal_positions() {
  std::uint64_t below = 0;
  auto position = to_deal_.begin();
  for (Range& range : ranges_) {
    if (to_deal_.empty()) return;
    range.below = below;
    below += range.count;
    for (; position != to_deal_.end() && *position < below; ++position) range.positions.push_back(*position);
  }
  COTERIE_REQUIRE(position == to_deal_.end());
  to_deal_.clear();
}

/// The value is known where only one is left.
void OrderStatistics::look_again(std::uint64_t first, std::uint64_t last, std::uint64_t below, Positions positions) {
  if (first == last) {
    for (const std::uint64_t position : positions) values_.emplace_back(position, value_of(first));
    return;
  }
  ranges_.push_back({first, last, Range::Mode::kHold, below, 0, std::move(positions)});
}

void OrderStatistics::narrow(Range& range) {
  if (range.mode == Range::Mode::kCut) return narrow_to_parts(range);
  if (range.mode == Range::Mode::kCount) return look_again(range.first, range.last, range.below, range.positions);
  Positions places = range.positions;
  for (std::uint64_t& place : places) place -= range.below;
  sort_at(range.held, places);
  for (const std::uint64_t place : places) values_.emplace_back(range.below + place, range.held[place]);
}

void OrderStatistics::narrow_to_parts(const Range& range) {
  std::uint64_t below = range.below;
  auto position = range.positions.begin();
  for (std::size_t part = 0; part < range.counts.size() && position != range.positions.end(); ++part) {
    const auto others = std::find_if(position, range.positions.end(),
                                     [&](std::uint64_t at) { return at >= below + range.counts[part]; });
    if (others != position) {
      const std::uint64_t first = range.first + (std::uint64_t{part} << range.shift);
      const std::uint64_t span = (std::uint64_t{1} << range.shift) - 1;
      look_again(first, std::min(range.last, first + span), below, {position, others});
    }
    below += range.counts[part];
    position = others;
  }
  COTERIE_REQUIRE(position == range.positions.end());
}

double OrderStatistics::at(std::uint64_t position) const {
  const auto found =
      std::find_if(values_.begin(), values_.end(), [&](const auto& value) { return value.first == position; });
  COTERIE_REQUIRE(known() && found != values_.end());
  return found->second;
}

}  // namespace coterie::sim
