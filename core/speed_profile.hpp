#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace coterie {

/// Background jobs of one processor or link: n(t) = counts[k] on [times[k], times[k+1]), the last count forever.
/// No entries: there is never a job.
struct JobSequence {
  std::vector<double> times;         ///< strictly increasing from 0, finite
  std::vector<std::int64_t> counts;  ///< as many, each from 0 to 10^12

  /// Throws InputError unless the sequence is as described.
  void validate() const;
};

/// How a hypervisor shares a machine between our job and background jobs: W^h(k), our inverse speed while k jobs run,
/// ours included. Admissible: W^h(k) >= W^h(1) > 0 and finite; W^h need not be monotone.
/// [Wu, Cao, Robertazzi 2019], Section 2.2. The same rule serves links (Z^h).
class SharingRule {
 public:
  /// What applies if there are more jobs than levels.
  enum class Beyond { kRefused, kLastLevel };

  /// Equal shares: W^h(k) = k * inverse_speed. Throws InputError unless inverse_speed is positive and finite.
  explicit SharingRule(double inverse_speed = 1);
  /// W^h(k) = levels[k - 1]. Throws InputError for no levels or levels that are not admissible.
  SharingRule(std::vector<double> levels, Beyond beyond);

  /// W^h(jobs), jobs >= 1. Throws InputError if there are fewer levels (and `beyond` is kRefused).
  double inverse_speed(std::int64_t jobs) const;
  /// Whether any number of jobs is covered, as random backgrounds require.
  bool is_unlimited() const { return equal_ || beyond_ == Beyond::kLastLevel; }

 private:
  std::vector<double> levels_;
  Beyond beyond_ = Beyond::kRefused;
  bool equal_ = false;
};

/// A speed that is a right-continuous step function of time >= 0, and its integral: the work done by time t, the
/// capacity of a worker that is interrupted at t. Lookups take O(log K) for K steps.
class SpeedProfile {
 public:
  /// The same speed (positive, finite) forever.
  explicit SpeedProfile(double speed = 1);
  /// Speed speeds[k] on [times[k], times[k+1]), the last one forever. Throws InputError unless times increase
  /// strictly from 0 and there are as many speeds, positive and finite.
  SpeedProfile(std::vector<double> times, std::vector<double> speeds);
  /// Speed 1 / (W^h(n(t) + 1) * unit): `unit` is the time that one unit of work takes at inverse speed 1 (Tcp or Tcm).
  SpeedProfile(const JobSequence& jobs, const SharingRule& rule, double unit = 1);

  double speed(double time) const { return speeds_[piece(time)]; }
  /// Integral of the speed over [0, time].
  double work(double time) const;
  /// Integral over [from, to], from <= to, without the cancellation of work(to) - work(from).
  double work(double from, double to) const;
  /// The inverse of the integral: when `work` >= 0 is done by a start at 0.
  double time_of(double work) const;
  /// When `work` >= 0 is done by a start at `from`.
  double time_after(double from, double work) const { return advance(from, work).time; }
  /// The same with the pieces at both ends.
  struct Advance {
    double time;
    std::size_t first;
    std::size_t last;
  };
  Advance advance(double from, double work) const;
  /// Time-averaged speed over [from, to]; the speed at `from` if the interval is empty. Its inverse is the
  /// equivalent constant of [Wu, Cao, Robertazzi 2019], Theorems 1 and 2.
  double mean_speed(double from, double to) const;

  /// Whether this speed is at least the other's at all times.
  bool dominates(const SpeedProfile& other) const;

  std::size_t piece(double time) const;
  std::size_t pieces() const { return times_.size(); }
  /// Where a piece begins; infinity for the piece after the last.
  double begin(std::size_t piece) const;
  double piece_speed(std::size_t piece) const { return speeds_[piece]; }

 private:
  void accumulate();

  std::vector<double> times_;
  std::vector<double> speeds_;
  std::vector<double> work_;  // done by times_[k]
};

}  // namespace coterie
