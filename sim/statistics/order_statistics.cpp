#include "sim/statistics/order_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/contract.hpp"

namespace coterie::sim {
namespace {

constexpr int kPartBits = 16;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// Ascends with the value; both zeros have the same.
std::uint64_t code_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double value_of(std::uint64_t code) { return std::bit_cast<double>((code & kSign) != 0 ? code & ~kSign : ~code); }

}  // namespace

OrderStatistics::OrderStatistics(std::vector<std::uint64_t> positions, std::uint64_t count, double least,
                                 double greatest, std::size_t most_held)
    : most_held_(most_held) {
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  COTERIE_REQUIRE(!positions.empty() && positions.back() < count && least <= greatest);
  add({code_of(least), code_of(greatest), 0, count, std::move(positions)});
  open();
}

/// The value is known where only one is left.
void OrderStatistics::add(Range range) {
  if (range.first < range.last) {
    ranges_.push_back(std::move(range));
    return;
  }
  for (const std::uint64_t position : range.positions) values_.emplace_back(position, value_of(range.first));
}

void OrderStatistics::open() {
  for (Range& range : ranges_) {
    range.holds = range.count <= most_held_ / ranges_.size();
    if (range.holds) {
      range.held.reserve(range.count);
      continue;
    }
    range.shift = std::max(0, static_cast<int>(std::bit_width(range.last - range.first)) - kPartBits);
    range.counts.assign(((range.last - range.first) >> range.shift) + 1, 0);
  }
}

void OrderStatistics::take(std::span<const double> values) {
  for (const double value : values) {
    if (std::isnan(value)) continue;
    const std::uint64_t code = code_of(value);
    for (Range& range : ranges_) {
      if (code < range.first) break;
      if (code > range.last) continue;
      if (range.holds)
        range.held.push_back(value);
      else
        ++range.counts[(code - range.first) >> range.shift];
      break;
    }
  }
}

void OrderStatistics::end_pass() {
  const std::vector<Range> ranges = std::exchange(ranges_, {});
  for (const Range& range : ranges) narrow(range);
  open();
}

void OrderStatistics::narrow(const Range& range) {
  if (range.holds) {
    std::vector<double> sorted = range.held;
    COTERIE_REQUIRE(sorted.size() == range.count);
    std::sort(sorted.begin(), sorted.end());
    for (const std::uint64_t position : range.positions) values_.emplace_back(position, sorted[position - range.below]);
    return;
  }
  std::uint64_t below = range.below;
  auto position = range.positions.begin();
  for (std::size_t part = 0; part < range.counts.size() && position != range.positions.end(); ++part) {
    const auto others = std::find_if(position, range.positions.end(),
                                     [&](std::uint64_t at) { return at >= below + range.counts[part]; });
    if (others != position) {
      const std::uint64_t first = range.first + (std::uint64_t{part} << range.shift);
      const std::uint64_t span = (std::uint64_t{1} << range.shift) - 1;
      add({first, std::min(range.last, first + span), below, range.counts[part], {position, others}});
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
