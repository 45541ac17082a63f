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
  if (order_ && !order_->known()) order_->take(values);
}

void LongRow::end_pass() {
  if (order_ && !order_->known()) order_->end_pass();
  if (pass_++ > 0) return;
  moments_.end_of_sum();
  if (moments_.count() == 0) return;
  const std::uint64_t last = moments_.count() - 1;
  std::vector<std::uint64_t> positions;
  for (const double probability : kProbabilities) {
    positions.push_back(static_cast<std::uint64_t>(probability * static_cast<double>(last)));
    positions.push_back(std::min(positions.back() + 1, last));
  }
  order_.emplace(std::move(positions), moments_.count(), moments_.moments().least, moments_.moments().greatest,
                 most_held_);
}

Summary LongRow::summary() const {
  COTERIE_REQUIRE(!wants_pass());
  Summary summary = summary_of(moments_, range_);
  for (std::size_t i = 0; order_ && i < kProbabilities.size(); ++i) {
    const double at = kProbabilities[i] * static_cast<double>(moments_.count() - 1);
    const auto below = static_cast<std::uint64_t>(at);
    summary.quantiles[i] = below + 1 >= moments_.count()
                               ? order_->at(below)
                               : between(order_->at(below), order_->at(below + 1), at - static_cast<double>(below));
  }
  return summary;
}

}  // namespace coterie::sim
