#include "sim/statistics/order_statistics.hpp"

#include <bit>
#include <cmath>
#include <utility>

#include "core/contract.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

constexpr int kBits = 16;
constexpr std::uint64_t kDigits = std::uint64_t{1} << kBits;
constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// Ascends with the value; both zeros have the same.
std::uint64_t code_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

double value_of(std::uint64_t code) { return std::bit_cast<double>((code & kSign) != 0 ? code & ~kSign : ~code); }

}  // namespace

void OrderStatistics::take(std::span<const double> values) {
  for (const double value : values) {
    if (std::isnan(value)) continue;
    if (counts_.empty() && held_.size() < most_held_) {
      held_.push_back(value);
      continue;
    }
    if (counts_.empty()) {
      counts_[0].resize(kDigits);
      for (const double held : std::exchange(held_, {})) count(held);
    }
    count(value);
  }
}

void OrderStatistics::count(double value) {
  const std::uint64_t code = code_of(value);
  const auto found = counts_.find(code >> shift_ >> kBits);
  if (found != counts_.end()) ++found->second[(code >> shift_) % kDigits];
}

void OrderStatistics::seek(const std::vector<std::uint64_t>& positions) {
  for (const std::uint64_t position : positions) wanted_.emplace(position, Wanted{position});
  if (!counts_.empty()) return end_pass();
  std::vector<std::size_t> ascending;
  for (const auto& [position, wanted] : wanted_) ascending.push_back(position);
  COTERIE_REQUIRE(!ascending.empty() && ascending.back() < held_.size());
  sort_at(held_, ascending);
  for (auto& [position, wanted] : wanted_) wanted.code = code_of(held_[position]);
  held_ = {};
}

void OrderStatistics::end_pass() {
  const auto counts = std::exchange(counts_, {});
  for (auto& [position, wanted] : wanted_) {
    const std::vector<std::uint64_t>& of_digit = counts.at(wanted.code);
    std::uint64_t digit = 0;
    while (wanted.place >= of_digit.at(digit)) wanted.place -= of_digit[digit++];
    wanted.code = wanted.code << kBits | digit;
    if (shift_ > 0) counts_.try_emplace(wanted.code, kDigits);
  }
  shift_ -= kBits;
}

double OrderStatistics::at(std::uint64_t position) const {
  COTERIE_REQUIRE(known());
  return value_of(wanted_.at(position).code);
}

}  // namespace coterie::sim
