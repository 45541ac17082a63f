#include "sim/statistics/long_row.hpp"

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
  order_.seek(quantile_positions(moments_.count()));
}

Summary LongRow::summary() const {
  COTERIE_REQUIRE(!wants_pass());
  Summary summary = summary_of(moments_.moments());
  for (std::size_t i = 0; moments_.count() > 0 && i < kProbabilities.size(); ++i)
    summary.quantiles[i] =
        quantile_of(moments_.count(), kProbabilities[i], [&](std::uint64_t position) { return order_.at(position); });
  return summary;
}

}  // namespace coterie::sim
