#include "sim/statistics/long_row.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/contract.hpp"

namespace coterie::sim {

void LongRow::take(std::span<const double> values) {
  if (pass_ == 0)
    for (const double value : values) moments_.sum(value);
  if (pass_ == 1)
    for (const double value : values) moments_.deviate(value);
  if (pass_ == 0 || !order_.known()) order_.take(values);
}

void LongRow::end_pass() {
  if (pass_++ > 0) {
    if (!order_.known()) order_.end_pass();
    return;
  }
  moments_.end_of_sum();
  if (moments_.count() == 0) return;
  const std::uint64_t last = moments_.count() - 1;
  std::vector<std::uint64_t> positions;
  for (const double probability : kProbabilities) {
    positions.push_back(static_cast<std::uint64_t>(probability * static_cast<double>(last)));
    positions.push_back(std::min(positions.back() + 1, last));
  }
  order_.seek(std::move(positions));
}

Summary LongRow::summary() const {
  COTERIE_REQUIRE(!wants_pass());
  Summary summary = summary_of(moments_.moments());
  for (std::size_t i = 0; moments_.count() > 0 && i < kProbabilities.size(); ++i) {
    const double at = kProbabilities[i] * static_cast<double>(moments_.count() - 1);
    const auto below = static_cast<std::uint64_t>(at);
    summary.quantiles[i] = below + 1 >= moments_.count()
                               ? order_.at(below)
                               : between(order_.at(below), order_.at(below + 1), at - static_cast<double>(below));
  }
  return summary;
}

}  // namespace coterie::sim
