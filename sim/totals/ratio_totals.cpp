#include "sim/totals/ratio_totals.hpp"

#include <cmath>

#include "core/contract.hpp"
#include "core/errors.hpp"

namespace coterie::sim {

ValueMoments TotalSeries::difference(const BlockTree::Moments& moments, std::size_t a, std::size_t b) const {
  if (a == b) return {moments[ratio(a)].count, 0, 0, 0, 0};
  return a < b ? moments[difference(a, b)] : negated(moments[difference(b, a)]);
}

void RatioTotals::add(const RatioTotals& other) {
  if (histograms_.empty()) histograms_.resize(other.histograms_.size());
  COTERIE_REQUIRE(histograms_.size() == other.histograms_.size());
  tree_.add(other.tree_);
  for (std::size_t s = 0; s < histograms_.size(); ++s) histograms_[s].add(other.histograms_[s]);
}

BlockTree::Moments moments_of_block(std::span<const double> reference, const double* ratios, std::size_t stride,
                                    std::size_t strategies, const LaneLoops& loops) {
  BlockTree::Moments moments;
  moments.reserve(TotalSeries{strategies}.count());
  const auto row = [&](std::size_t s) { return ratios + s * stride; };
  const auto take = [&](const double* values, const double* less) {
    moments.push_back(moments_of({values, less, reference.size()}, loops));
    if (!std::isfinite(moments.back().mean))
      throw RuntimeError(
          "a ratio is not finite: this campaign cannot keep statistics, but it can keep ratios "
          "(output = \"ratios\")");
  };
  take(reference.data(), nullptr);
  for (std::size_t s = 0; s < strategies; ++s) take(row(s), nullptr);
  for (std::size_t a = 0; a < strategies; ++a)
    for (std::size_t b = a + 1; b < strategies; ++b) take(row(a), row(b));
  return moments;
}

}  // namespace coterie::sim
