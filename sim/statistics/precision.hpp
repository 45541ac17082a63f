#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/rows.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

/// Follows the ratios of one configuration, instance by instance, and decides when they are enough: at the first end of
/// a block at which the half-width of every strategy's interval is below the one wanted, after at least kFewest /
/// half_width instances, or at the cap. That many are run because the first ones may happen to be alike, or not to
/// include the worst: instances that none of n has shown have a share below 3/n with a probability of 95 % [Hanley and
/// Lippman-Hand 1983, JAMA 249, 1743-1745], so that losses of all work move the mean by at most half of half_width.
/// Depends only on the ratios of the instances, in their order. If all means are exact no instances are needed.
class PrecisionWatch {
 public:
  static constexpr double kFewest = 6;

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
