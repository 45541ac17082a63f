#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/rows.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// Follows the ratios of one configuration, instance by instance, and decides when they are enough: at the first end of
/// a block, after n instances, at which for every strategy
///   t sqrt(e^2 + (3 / n)^2) < half_width,    e: standard error of its mean, t: Student's t,
/// or at the cap. The second term [as Chow and Robbins 1965, Annals of Mathematical Statistics 36, 457-462, have 1/n^2]
/// keeps a run from stopping because the first instances happen to be alike, or do not include the worst ones: with a
/// probability of 95 % unseen instances have a share of less than 3/n [Hanley and Lippman-Hand 1983, JAMA 249,
/// 1743-1745], and their ratios may be 0 instead of 1 (farther ones, in models whose ratios exceed 1, are not allowed
/// for). Unless all means are exact or the cap comes first, at least 5.87/half_width instances are run. Depends only on
/// the ratios of the instances, in their order. e is guarded_error(); of an exact mean only the greatest error counts,
/// and if all are exact the second term is 0.
class PrecisionWatch {
 public:
  /// `most`: the cap, at least 1.
  PrecisionWatch(double half_width, std::uint64_t most, std::size_t strategies);
  /// Means that are exact, by strategy; NaN for others. To be called before the first instance.
  void know(std::span<const BoundedNumber> means);

  /// Adds the next instances: the ratio of strategy s in the i-th of them is ratio[s * stride + i]. Instances after
  /// the end are ignored.
  void add(const double* ratio, std::size_t stride, std::uint64_t instances);
  bool reached() const { return reached_; }
  bool finished() const { return reached_ || seen_ == most_; }
  std::uint64_t seen() const { return seen_; }  ///< instances that count
  /// How many instances to run before asking again: an estimate from the variance, in whole blocks, or the cap.
  std::uint64_t goal() const;

 private:
  double greatest_error() const;
  double never_seen() const;

  double half_width_;
  std::uint64_t most_;
  std::uint64_t seen_ = 0;
  bool reached_ = false;
  std::vector<ValueMoments> moments_;  ///< by strategy whose mean is not exact
  std::vector<std::size_t> sampled_;   ///< these strategies
  double exact_error_ = 0;             ///< the greatest of the others
};

/// How far each configuration of a result goes.
struct ResultExtent {
  std::uint64_t instances = 0;      ///< length of the result's axis of instances
  std::vector<std::uint64_t> done;  ///< by configuration: how many are run (in a shard: by that shard)
  std::uint64_t short_of = 0;       ///< configurations that reached max_instances before the precision

  /// For a campaign with a fixed number of instances.
  static ResultExtent fixed(const Campaign& campaign, const Shard& shard);
};

/// How far each configuration of a campaign with `precision` has to go, updated as rows become known.
class PrecisionSearch {
 public:
  PrecisionSearch(const Campaign& campaign, const Shard& shard);

  /// The rows to compute next; none when all are there. Each call reads the new rows.
  std::vector<MissingRows> missing(const std::vector<const RowSource*>& sources);
  /// Instances wanted so far, over the configurations of the shard.
  std::uint64_t wanted() const;
  /// For finished configurations the instances that count; for others those known without a gap.
  ResultExtent extent() const;
  std::size_t unfinished() const;

 private:
  bool look(const std::vector<const RowSource*>& sources);
  void feed(std::size_t configuration, const ResultSlice& slice);

  const Campaign& campaign_;
  Shard shard_;
  std::vector<PrecisionWatch> watches_;  ///< by configuration
  std::vector<bool> open_;               ///< of this shard and not finished
  std::vector<std::uint64_t> goals_;
  std::vector<std::uint64_t> known_;  ///< without a gap, up to the goal
};

}  // namespace coterie::sim
