#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace coterie::sim {

/// Exact order statistics of more values than fit in memory. All values are read twice, in pieces. The first pass draws
/// a sample, which tells where the wanted values lie, within five of its standard deviations; the second pass keeps
/// what lies there. If that is more than fits, or a value lies elsewhere, further passes follow, each of which cuts the
/// range of a value to a 2^16th. [Floyd and Rivest 1975, Expected time bounds for selection, Communications of the ACM
/// 18, 165-172; Munro and Paterson 1980, Selection and sorting with limited storage, Theoretical Computer Science 12,
/// 315-323]
class OrderStatistics {
 public:
  /// At most `most_held` values are held; if there are no more than that, they are known after the first pass.
  explicit OrderStatistics(std::size_t most_held) : most_held_(most_held) {}

  /// The next values of a pass; NaN is ignored.
  void take(std::span<const double> values);
  /// Ends the first pass: the positions whose values are wanted, from 0 and below the number of values.
  void seek(std::vector<std::uint64_t> positions);
  /// Ends a further pass.
  void end_pass();
  bool known() const { return ranges_.empty(); }
  double at(std::uint64_t position) const;  ///< a wanted value, when all are known

 private:
  /// Values between two of their codes, which increase with the values.
  struct Range {
    enum class Mode : char { kCount, kHold, kCut };
    std::uint64_t first, last;               // codes
    Mode mode = Mode::kHold;                 // what is done about the values in it
    std::uint64_t below = 0;                 // values that are less,
    std::uint64_t count = 0;                 // and values in the range
    std::vector<std::uint64_t> positions{};  // wanted ones, ascending
    std::vector<double> held{};
    std::vector<std::uint64_t> counts{};  // how many there are in each part of it
    int shift = 0;                        // of a code less `first`, to its part
  };
  using Positions = std::vector<std::uint64_t>;

  void draw(double value);
  void partition(const Positions& positions);
  void take(Range& range, std::uint64_t code, double value);
  void hold(Range& range, double value);
  void cut(Range& range);
  void deal_positions();
  void look_again(std::uint64_t first, std::uint64_t last, std::uint64_t below, Positions positions);
  void narrow(Range& range);
  void narrow_to_parts(const Range& range);

  std::size_t most_held_;
  bool first_pass_ = true;
  std::uint64_t count_ = 0;
  std::vector<double> sample_;  // each value with probability 1 / 2^halvings_
  int halvings_ = 0;
  std::mt19937_64 coins_;
  Positions to_deal_;          // where `ranges_` are all there are, and nobody knows which positions lie where
  std::vector<Range> ranges_;  // disjoint, ascending
  std::size_t held_ = 0;       // in all of them
  std::vector<std::pair<std::uint64_t, double>> values_;
};

}  // namespace coterie::sim
