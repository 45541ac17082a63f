#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coterie::sim {

/// How many ratios lie in each of kCells equal parts of [0, 1), and how many are 1 or more: counts, so that the sums
/// are the same in any order.
class RatioHistogram {
 public:
  static constexpr std::size_t kCells = 4096;
  static constexpr std::size_t kCounts = kCells + 1;
  static constexpr double kWidth = 1.0 / kCells;

  RatioHistogram() : counts_(kCounts) {}
  explicit RatioHistogram(std::vector<std::uint64_t> counts);

  void add(std::size_t cell, std::uint64_t ratios) { counts_[cell] += ratios; }
  void add(const RatioHistogram& other);
  const std::vector<std::uint64_t>& counts() const { return counts_; }
  std::uint64_t count() const;

  /// The type-7 quantile of all ratios, at most kWidth from that of quantile_of_sorted; exact where it falls on the
  /// least or the greatest ratio, or on ratios of 1 if none is greater. NaN if it depends on another ratio of 1 or more
  /// and one exceeds 1, on another below kWidth and one is negative, or if there are no ratios. `least` and `greatest`
  /// are those of the ratios.
  double quantile(double probability, double least, double greatest) const;

  bool operator==(const RatioHistogram&) const = default;

 private:
  double ratio_at(std::uint64_t place, double least, double greatest) const;

  std::vector<std::uint64_t> counts_;
};

}  // namespace coterie::sim
