#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace coterie::sim {

/// Order statistics, exact, of values that are too many for memory: they are gone through again and again, each time
/// with all of them in pieces, until every position's value is known. Each pass cuts the range that a value may lie in
/// to a 2^16th, until so few values are left there that they can be held: two or three passes mostly, at most five.
/// [Munro and Paterson 1980, Selection and sorting with limited storage, Theoretical Computer Science 12, 315-323]
class OrderStatistics {
 public:
  /// `positions`: from 0; `count` values, none of them NaN, from `least` to `greatest`. At most `most_held` are held.
  OrderStatistics(std::vector<std::uint64_t> positions, std::uint64_t count, double least, double greatest,
                  std::size_t most_held);

  bool known() const { return ranges_.empty(); }
  /// The next values of a pass; NaN are left out.
  void take(std::span<const double> values);
  void end_pass();
  double at(std::uint64_t position) const;  ///< when all are known

 private:
  /// Where the values at some positions lie: between two of their codes, which ascend with them.
  struct Range {
    std::uint64_t first, last;               // codes
    std::uint64_t below;                     // values that are less,
    std::uint64_t count;                     // and values in the range
    std::vector<std::uint64_t> positions;    // wanted ones, ascending
    std::vector<double> held = {};           // values in the range, or
    std::vector<std::uint64_t> counts = {};  // how many there are in each part of it
    bool holds = false;
    int shift = 0;  // of a code less `first`, to its part
  };
  void add(Range range);
  void open();
  void narrow(const Range& range);

  std::size_t most_held_;
  std::vector<Range> ranges_;  // disjoint, ascending
  std::vector<std::pair<std::uint64_t, double>> values_;
};

}  // namespace coterie::sim
