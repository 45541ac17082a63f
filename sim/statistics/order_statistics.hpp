#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace coterie::sim {

/// Exact order statistics of more values than fit in memory, by radix selection. Values have codes of 64 bits, which
/// ascend with them. Each of four passes finds the next 16 bits of the wanted codes: it counts the values by these
/// bits, if the bits before are those of a wanted one.
class OrderStatistics {
 public:
  /// At most `most_held` values are held; if there are no more than that, they are known after the first pass.
  explicit OrderStatistics(std::size_t most_held) : most_held_(most_held) {}

  /// The next values of a pass; NaN is ignored.
  void take(std::span<const double> values);
  /// Ends the first pass: the positions whose values are wanted, from 0 and below the number of values.
  void seek(const std::vector<std::uint64_t>& positions);
  /// Ends a further pass.
  void end_pass();
  bool known() const { return counts_.empty(); }
  double at(std::uint64_t position) const;  ///< a wanted value, when all are known

 private:
  struct Wanted {
    std::uint64_t place;     // among the values whose codes begin
    std::uint64_t code = 0;  // with these bits
  };

  void count(double value);

  std::size_t most_held_;
  std::vector<double> held_;                                    // all values, until there are too many
  std::map<std::uint64_t, std::vector<std::uint64_t>> counts_;  // by the bits before, then by the next ones
  int shift_ = 48;                                              // bits behind these
  std::map<std::uint64_t, Wanted> wanted_;                      // by position
};

}  // namespace coterie::sim
