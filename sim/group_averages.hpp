#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/result_store.hpp"

namespace coterie::sim {

/// The axes of a result as texts, one column an axis.
class AxisColumns {
 public:
  explicit AxisColumns(const ResultFile& result);
  /// Throws InputError for an axis that the result does not have.
  const std::vector<std::string>& column(const std::string& axis) const;

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::vector<std::string>> columns_;
};

/// Averages over configurations, each with the same weight; the standard error respects that.
struct Average {
  double sum = 0;
  double variance = 0;
  double variance_of_variance = 0;  // sum of variance^2 / degrees of freedom
  std::size_t count = 0;

  void add(double mean, double standard_error, double freedom);
  double mean() const { return sum / static_cast<double>(count); }
  double standard_error() const;
  /// Half-width of the 95 % interval of the mean: Student's t with the degrees of freedom of Welch and Satterthwaite,
  /// since configurations differ in their variances. NaN where single instances tell no variance.
  double half_width() const;
};

/// What a file says beside the ratios of how its means are to be told.
struct Method {
  Sampling sampling = Sampling::kRandom;
  std::vector<Controls::Means> known;  // by configuration, where means are controlled

  explicit Method(const ResultFile& result);
  bool controlled() const { return !known.empty(); }
  bool usual() const { return !controlled() && sampling == Sampling::kRandom; }
};

struct Group {
  std::vector<std::string> key;
  std::vector<Average> ratio;       // by strategy
  std::vector<Average> difference;  // to the baseline, paired by instance
  std::vector<double> expected;     // sum of the exact expected metrics; NaN where one is not known
  double reference = 0;             // sum of the reference's mean metrics
  std::vector<Average> controlled;  // by strategy, where means are controlled
  std::vector<Average> controlled_difference;
  std::vector<double> plain_variance;  // sum over configurations, of as many independent instances
};

/// What one instance was worth in independent ones with plain means, for a strategy's average over a group.
double worth(const Group& group, const Method& method, std::size_t strategy);

/// One group for each combination of values of the axes `by`. `baseline`: the strategy of the differences, or -1.
std::vector<Group> grouped(const ResultFile& result, const AxisColumns& axes, const std::vector<std::string>& by,
                           const std::vector<std::size_t>& configurations, std::ptrdiff_t baseline,
                           const Method& method);

}  // namespace coterie::sim
